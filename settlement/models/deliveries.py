"""What is tried again until it was taken: of webhooks, and of notifications to people."""

from django.db import models
from django.utils.translation import gettext_noop as _


class Attempted(models.Model):
    """Something on its way to somebody."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Queued")
        DELIVERED = "delivered", _("Delivered")
        DEAD = "dead", _("Failed")

    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.IntegerField(default=0)
    next_at = models.DateTimeField()
    wanted_at = models.DateTimeField()  # it is given up so long after this
    ended_at = models.DateTimeField(null=True)
    fault = models.CharField(max_length=200, blank=True)

    class Meta:
        abstract = True
