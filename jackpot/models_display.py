"""What the displays of a system were sent. Written by the worker."""

from django.db import models
from django.db.models import F

from tables.models import JackpotSystem


class DisplayMessage(models.Model):
    """What was sent to the displays of a system. Append-only evidence (19.8, 19.14(a))."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, related_name="display_messages")
    system_seq = models.BigIntegerField()
    at = models.DateTimeField()
    payload = models.JSONField()

    class Meta:
        indexes = [models.Index(F("system"), F("id").desc(), name="newest_display_message")]


class DisplayPulse(models.Model):
    """When the displays of a system were last sent something: a sign of life of the worker."""

    system = models.OneToOneField(JackpotSystem, models.PROTECT, primary_key=True)
    at = models.DateTimeField()
