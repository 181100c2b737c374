"""ASGI entry point (uvicorn): pages, the API and server-sent events."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "jackpot.settings")
application = get_asgi_application()
