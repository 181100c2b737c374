"""How the console is watched: where processes say how they are, what they log and trace."""

from pathlib import Path
from urllib.parse import urlsplit

import environ

env = environ.Env()
# Where each process but web says how it is: 127.0.0.1:9100; empty: nowhere.
HEALTH_LISTEN = env("HEALTH_LISTEN", default="")
# Web processes, and those of a worker, add up their metrics in files there (prometheus_client).
PROMETHEUS_MULTIPROC_DIR = env("PROMETHEUS_MULTIPROC_DIR", default="")
if PROMETHEUS_MULTIPROC_DIR:
    Path(PROMETHEUS_MULTIPROC_DIR).mkdir(parents=True, exist_ok=True)
# Whether the database has a standby that commits wait for (deploy/ha): one that is gone is told.
DATABASE_STANDBY = env.bool("DATABASE_STANDBY", default=False)
# An open table whose display read nothing back for so long is named on the console (19.7).
DISPLAY_DARK_AFTER_S = env.float("DISPLAY_DARK_AFTER_S", default=300.0)
SCREEN_SILENT_AFTER_S = env.float("SCREEN_SILENT_AFTER_S", default=600.0)  # then an alarm
# Where a collector takes spans, as OTLP over HTTP; empty: nothing is traced.
TRACES_URL = env("TRACES_URL", default="")
TRACES_SHARE = env.float("TRACES_SHARE", default=0.01)  # of events and requests
if TRACES_URL and urlsplit(TRACES_URL).scheme not in ("http", "https"):
    raise environ.ImproperlyConfigured("TRACES_URL is an address like http://host:4318/v1/traces.")
if not 0 <= TRACES_SHARE <= 1:
    raise environ.ImproperlyConfigured(f"TRACES_SHARE is from 0 to 1, not {TRACES_SHARE}.")
# How lines of the logs look: plain, or json, an object each for programs that gather them.
LOG_FORMAT = env("LOG_FORMAT", default="plain")
if LOG_FORMAT not in ("plain", "json"):
    raise environ.ImproperlyConfigured(f"LOG_FORMAT is plain or json, not {LOG_FORMAT!r}.")
# Of what goes to standard error: nothing personal.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
        "json": {"()": "tables.telemetry.json_logs.JsonLines"},
    },
    "handlers": {  # no line has a link, whichever logger names the path
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["no_links"],
        }
    },
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", default="INFO")},
    "filters": {"no_links": {"()": "settlement.core.log_filter.WithoutLinks"}},
    "loggers": {
        "axes": {"level": "WARNING"},
        "opentelemetry": {"level": "CRITICAL"},  # of each attempt; what is lost is said once
        "amqtt": {"level": "WARNING"},
        "django": {"handlers": []},
        "django.server": {"handlers": [], "propagate": True},
        # The web server's own words, in the same form as all others.
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.access": {"handlers": [], "propagate": True},
    },
}

__all__ = [
    "DATABASE_STANDBY",
    "DISPLAY_DARK_AFTER_S",
    "HEALTH_LISTEN",
    "LOGGING",
    "LOG_FORMAT",
    "PROMETHEUS_MULTIPROC_DIR",
    "SCREEN_SILENT_AFTER_S",
    "TRACES_SHARE",
    "TRACES_URL",
]
