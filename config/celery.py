"""The Celery application. A message is a hint: each task derives its work from rows."""

import os

from celery import Celery, signals
from django.conf import settings

from config.celery_health import ListeningStep, TurningStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("jackpot")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["jackpot.display", "jackpot.transparency", "settlement"])
if settings.LOG_FORMAT == "json":  # Celery leaves the logs as the settings have them
    signals.setup_logging.connect(lambda **_: None, weak=False)
app.steps["worker"].add(ListeningStep)
app.steps["consumer"].add(TurningStep)
