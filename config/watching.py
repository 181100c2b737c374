"""Settings of how the console is watched: where processes say how they are, and what they log."""

from pathlib import Path

import environ

env = environ.Env()
# Where each process but web says how it is: 127.0.0.1:9100; empty: nowhere.
HEALTH_LISTEN = env("HEALTH_LISTEN", default="")
# Web processes, and those of a worker, add up their metrics in files there (prometheus_client).
PROMETHEUS_MULTIPROC_DIR = env("PROMETHEUS_MULTIPROC_DIR", default="")
if PROMETHEUS_MULTIPROC_DIR:
    Path(PROMETHEUS_MULTIPROC_DIR).mkdir(parents=True, exist_ok=True)
# Of what goes to standard error: nothing personal.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    },
    "handlers": {  # no line has a link, whichever logger names the path
        "console": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["no_links"]}
    },
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", default="INFO")},
    "filters": {"no_links": {"()": "settlement.core.log_filter.WithoutLinks"}},
    "loggers": {
        "axes": {"level": "WARNING"},
        "amqtt": {"level": "WARNING"},
        "django": {"handlers": []},
        "django.server": {"handlers": [], "propagate": True},
    },
}

__all__ = ["HEALTH_LISTEN", "LOGGING", "PROMETHEUS_MULTIPROC_DIR"]
