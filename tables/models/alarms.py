"""Alarms, and who cleared them."""

from django.db import models
from django.db.models import Q, UniqueConstraint

from tables.models.casinos import JackpotSystem
from tables.visibility.managers import OfSystemOrNone


class Alarm(models.Model):
    """Something a person must look at; stays open until somebody says what was done.

    The processes only insert: the database counts on the open alarm, and clears it by its action.
    """

    system = models.ForeignKey(JackpotSystem, models.PROTECT, null=True, related_name="alarms")
    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=200)
    message = models.TextField()
    raised_at = models.DateTimeField(auto_now_add=True)
    count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(auto_now=True)
    cleared_at = models.DateTimeField(null=True)
    cleared_by = models.CharField(max_length=150, blank=True)
    cleared_note = models.TextField(blank=True)

    objects = OfSystemOrNone()

    class Meta:
        constraints = [
            UniqueConstraint(
                "kind", "subject", name="alarm_open_once", condition=Q(cleared_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.subject}"


class AlarmClearing(models.Model):
    """Who cleared an alarm, and what was done about it. Append-only."""

    alarm = models.OneToOneField(Alarm, models.PROTECT, related_name="clearing")
    at = models.DateTimeField()
    cleared_by = models.CharField(max_length=150)
    note = models.TextField()

    def __str__(self) -> str:
        return f"alarm {self.alarm_id} cleared by {self.cleared_by}"
