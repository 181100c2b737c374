"""ASGI entry point (uvicorn): pages, the API and server-sent events."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from jackpot.web.server import WebHandler, use_pool  # noqa: E402 - once the settings are there
from tables.process.gc_tuning import search_rarely  # noqa: E402

use_pool()
application = WebHandler()
search_rarely()
