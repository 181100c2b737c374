"""ASGI entry point (uvicorn): pages, the API and server-sent events."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "jackpot.settings")
django.setup(set_prefix=False)

from jackpot.web import WebHandler, use_pool  # noqa: E402 - once the settings are there

use_pool()
application = WebHandler()
