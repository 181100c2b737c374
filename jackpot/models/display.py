"""What the displays of a system were sent, and which are dark. Written by the worker."""

from django.db import models
from django.db.models import F, Q, UniqueConstraint

from tables.models import GamingTable, JackpotSystem


class DisplayMessage(models.Model):
    """What was sent to the displays of a system. Append-only evidence (19.8, 19.14(a))."""

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="display_messages"
    )
    system_seq = models.BigIntegerField()
    at = models.DateTimeField()
    payload = models.JSONField()

    class Meta:
        indexes = [
            models.Index(F("system"), F("id").desc(), name="newest_display_message"),
            # A display reads back which entry it shows: its message is found by that.
            models.Index(F("system"), F("system_seq"), F("id"), name="display_message_of_entry"),
        ]


class DisplayPulse(models.Model):
    """When the displays of a system were last sent something: a sign of life of the worker."""

    system = models.OneToOneField(JackpotSystem, models.PROTECT, primary_key=True)
    at = models.DateTimeField()


class DisplaySilence(models.Model):
    """An open table whose display reads nothing back, though its unit was heard all the time."""

    table = models.OneToOneField(GamingTable, models.PROTECT, primary_key=True)
    since = models.DateTimeField()
    until = models.DateTimeField()  # the last look


class DarkCall(models.Model):
    """Celery's word to the writer that a display was dark for as long as the terms allow (19.7)."""

    table = models.ForeignKey(GamingTable, models.PROTECT)
    since = models.DateTimeField()
    until = models.DateTimeField()
    entry = models.BigIntegerField(null=True)  # where the writer took it

    class Meta:
        constraints = [
            UniqueConstraint("table", name="dark_call_once", condition=Q(entry__isnull=True))
        ]
