"""The call for the end of a period of a high hand."""

from django.db import models


class PeriodCall(models.Model):
    """Celery's word to the writer that a period of a high hand has ended, whoever plays or not."""

    tier = models.OneToOneField("jackpot.Tier", models.PROTECT, primary_key=True)
    ends = models.DateTimeField()
