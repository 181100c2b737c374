"""The handover of a shift, as both people signed it."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q

from tables.models import Casino
from tables.visibility import OfCasino


class Handover(models.Model):
    """What one shift left to the next, signed by both. Append-only.

    `body`: the sections as they stood, each a title with its items (`settlement.floor.handover`).
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="handovers")
    outgoing = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    incoming = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    remarks = models.CharField(max_length=2000, blank=True)
    body = models.JSONField()
    at = models.DateTimeField()  # set by the database
    key = models.UUIDField(unique=True)  # of the form: a double click is one handover

    objects = OfCasino()

    class Meta:
        ordering = ["id"]
        constraints = [
            CheckConstraint(condition=~Q(outgoing=F("incoming")), name="handover_takes_two_people")
        ]
