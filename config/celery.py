"""The Celery application. A message is a hint: each task derives its work from rows."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("jackpot")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["jackpot.display", "jackpot.transparency", "settlement"])
