"""ASGI entry point (uvicorn): pages, the API and server-sent events."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from django.conf import settings  # noqa: E402 - once they are there

from jackpot.web.server import WebHandler, use_pool  # noqa: E402
from tables.process.gc_tuning import keep_what_is_learnt, search_rarely  # noqa: E402
from tables.telemetry.http_listener import HttpListener  # noqa: E402
from tables.telemetry.metrics_page import MetricsPage  # noqa: E402

use_pool()
application = WebHandler()
if settings.HEALTH_LISTEN:  # the one of several processes that has the address answers for all
    HttpListener(settings.HEALTH_LISTEN, {"/metrics": MetricsPage()}).start()
search_rarely()
keep_what_is_learnt()
