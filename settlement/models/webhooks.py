"""Webhooks: where programs of others hear what happened, what is sent to them, and the outbox."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.db.models.functions import Now

from settlement.models.deliveries import Attempted
from tables.models import Casino, JackpotSystem
from tables.visibility.managers import OfCasino


class WebhookEndpoint(models.Model):
    """An address that is notified of `events`, in `systems` (ids; None: all of the casino).

    Made and ended by functions of the database; the worker keeps the columns below `ended_by`.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, db_index=False, related_name="webhooks")
    name = models.CharField(max_length=60)
    url = models.CharField(max_length=500)
    events = ArrayField(models.CharField(max_length=30))  # of `settlement.events.kinds`
    systems = ArrayField(models.BigIntegerField(), null=True)
    secret = models.BinaryField()  # sealed (`settlement.people.shared.sealing`)
    old_secret = models.BinaryField(null=True)  # the one before: it signs, too, until `old_until`
    old_until = models.DateTimeField(null=True)
    key = models.UUIDField(unique=True)  # of the form: a double click is one endpoint
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, related_name="+"
    )
    made_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    last_number = models.BigIntegerField(default=0, db_default=0)  # of its deliveries
    failures = models.IntegerField(default=0, db_default=0)  # in a row, of whatever was sent
    not_before = models.DateTimeField(null=True)  # it did not answer: nothing is sent before
    claimed_until = models.DateTimeField(null=True)  # a worker sends until then; else the last turn

    objects = OfCasino()

    class Meta:
        default_permissions = ()
        ordering = ["-id"]


class WebhookEvent(models.Model):
    """Something that happened, as it is sent: thin, without amounts and persons. Never changed,
    and removed only once no delivery of it is kept.

    `source`, `row`: where it was read from (`settlement.webhooks.outbox`).
    """

    kind = models.CharField(max_length=30)
    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    at = models.DateTimeField()
    data = models.JSONField()
    source = models.CharField(max_length=10)
    row = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [
            UniqueConstraint(
                "source", "system", "row", name="webhook_event_once", nulls_distinct=False
            )
        ]


class WebhookDelivery(Attempted):
    """An event for an endpoint, under the endpoint's next number, until it was taken."""

    endpoint = models.ForeignKey(
        WebhookEndpoint, models.PROTECT, db_index=False, related_name="deliveries"
    )
    number = models.BigIntegerField()
    message = models.UUIDField(db_default=RandomUUID())  # a receiver knows it by this
    event = models.ForeignKey(WebhookEvent, models.PROTECT, db_index=False, related_name="+")
    status = models.SmallIntegerField(null=True)  # of the last answer; None: there was none

    class Meta:
        default_permissions = ()
        ordering = ["-number"]
        constraints = [
            UniqueConstraint("endpoint", "number", name="webhook_delivery_once_per_number"),
            UniqueConstraint("endpoint", "event", name="webhook_delivery_once_per_event"),
            CheckConstraint(
                condition=Q(state__in=["waiting", "delivered", "dead"]), name="webhook_state"
            ),
        ]
        indexes = [
            models.Index(
                "endpoint", "next_at", name="webhooks_that_wait", condition=Q(state="waiting")
            ),
            models.Index("endpoint", name="webhooks_given_up", condition=Q(state="dead")),
            models.Index("event", name="webhooks_of_an_event"),
        ]
