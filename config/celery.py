"""The Celery application. A message is a hint: each task derives its work from rows."""

import os
from typing import Any

from celery import signals
from django.conf import settings
from django.db import close_old_connections

from config.application import Application
from config.celery_health import ListeningStep, TurningStep


def keep_connection(sender: Any = None, **_: Any) -> None:
    """A task takes the connection of the one before, as web requests do: for CONN_MAX_AGE, and
    another one where it is broken. To reconnect costs more than most tasks."""
    if not sender.request.is_eager:  # within somebody's transaction
        close_old_connections()


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Application("jackpot")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["jackpot.display", "jackpot.transparency", "settlement"])
if settings.LOG_FORMAT == "json":  # Celery leaves the logs as the settings have them
    signals.setup_logging.connect(lambda **_: None, weak=False)
app.conf["CELERY_DB_REUSE_MAX"] = 10**9  # else Celery ends the connection behind each task
signals.task_prerun.connect(keep_connection, weak=False)
app.steps["worker"].add(ListeningStep)
app.steps["consumer"].add(TurningStep)
