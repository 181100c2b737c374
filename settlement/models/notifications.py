"""Notifications to people: what they are notified of, by which way, when not, and what was sent."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.db.models.functions import Now
from django.utils.translation import gettext_noop as _

from settlement.models.deliveries import Attempted
from tables.models import Casino, JackpotSystem


class Occasion(models.Model):
    """What no other row says: a claim waits too long, a unit fell silent, files are ready.

    Found by the worker, once for each `key`. `data` is thin, as of every event. Append-only.
    """

    kind = models.CharField(max_length=30)  # of `settlement.events.kinds`
    key = models.CharField(max_length=100, unique=True)
    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    data = models.JSONField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions = ()


class Notification(models.Model):
    """Something that a person is notified of. `source`, `row`: of the event that it is made of."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, db_index=False, related_name="+"
    )
    kind = models.CharField(max_length=30)  # of `settlement.notifications.kinds`
    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    casino = models.ForeignKey(  # of what is of no system
        Casino, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    permission = models.CharField(max_length=40)  # that it takes; empty: the person's own
    data = models.JSONField()
    at = models.DateTimeField()
    source = models.CharField(max_length=10)
    row = models.BigIntegerField()
    on_page = models.BooleanField()  # whether the person wants it in the page
    read_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        ordering = ["-id"]
        constraints = [
            UniqueConstraint(
                "person",
                "source",
                "system",
                "row",
                name="notification_once",
                nulls_distinct=False,
            )
        ]
        indexes = [
            models.Index(
                "person",
                name="notifications_unread",
                condition=Q(read_at__isnull=True, on_page=True),
            ),
            models.Index("at", name="notifications_at"),
        ]


class PushSubscription(models.Model):
    """A browser that takes push messages of a person, by the address of its push service."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    url = models.CharField(max_length=500, unique=True)
    public_key = models.CharField(max_length=100)  # base64url, as the browser gave them
    secret = models.CharField(max_length=40)
    device = models.CharField(max_length=60, blank=True)
    made_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        ordering = ["-id"]


class NotificationDelivery(Attempted):
    """A notification on its way by mail or push."""

    class Channel(models.TextChoices):
        MAIL = "mail", _("Mail")
        PUSH = "push", _("Push")

    notification = models.ForeignKey(
        Notification, models.CASCADE, db_index=False, related_name="deliveries"
    )
    channel = models.CharField(max_length=4, choices=Channel.choices)
    subscription = models.ForeignKey(
        PushSubscription, models.CASCADE, null=True, db_index=False, related_name="+"
    )
    held_until = models.DateTimeField(null=True)  # by a process that sends it now

    class Meta:
        default_permissions = ()
        constraints = [
            UniqueConstraint(
                "notification",
                "channel",
                "subscription",
                name="notified_once_by_each_way",
                nulls_distinct=False,
            ),
            CheckConstraint(
                condition=Q(state__in=["waiting", "delivered", "dead"]), name="notification_state"
            ),
        ]
        indexes = [
            models.Index("next_at", name="notifications_that_wait", condition=Q(state="waiting"))
        ]


class NotificationChoice(models.Model):
    """What a person wants: ways by kind where it differs from the default, and quiet hours.

    `ways`: kind to a list of "page", "mail", "push". From `quiet_from` to `quiet_until`, in the
    casino's zone, nothing is mailed or pushed but what is urgent, if `urgent_breaks`.
    """

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    ways = models.JSONField(default=dict)
    quiet_from = models.TimeField(null=True)
    quiet_until = models.TimeField(null=True)
    urgent_breaks = models.BooleanField(default=True)

    class Meta:
        default_permissions = ()
        constraints = [
            CheckConstraint(
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="quiet_hours_begin_and_end",
            )
        ]
