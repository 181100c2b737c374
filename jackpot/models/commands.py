"""What people decided, queued for the writer, and the entries that two of them skip."""

from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint

from tables.models import JackpotSystem, TableEvent

TWO_PEOPLE = [
    *("put_terms", "confirm_claim", "reject_claim", "reverse_claim", "forfeit", "adjust_pool"),
    "reverse_rejection",
    *("resolve_dispute", "lift_hold", "close_tier", "move_table", "receive_table", "settle_order"),
    "reset_boots",
    "delegate_claim",
    "close_day",
    "close_month",
    "release_excluded",
    "same_player",
]


class Command(models.Model):
    """What people decided, queued for the writer. Numbers are gapless. Append-only.

    `key` makes a repeated submission the same command. The database refuses one person alone.
    `basis`: a SHA-256 over what people recorded until then, set by the floor above; the order
    carries it under the command's hash.
    """

    pk = models.CompositePrimaryKey("system", "number")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False)
    number = models.BigIntegerField()
    kind = models.CharField(max_length=32)
    body = models.JSONField()
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150, null=True)  # noqa: DJ001 absent is not empty
    issued_at = models.DateTimeField()
    key = models.UUIDField(unique=True)
    basis = models.BinaryField(null=True)

    class Meta:
        constraints = [
            CheckConstraint(
                condition=~Q(kind__in=TWO_PEOPLE)
                | (Q(second__isnull=False) & ~Q(second=F("first"))),
                name="command_takes_two_people",
            ),
            CheckConstraint(condition=Q(number__gte=1), name="command_from_one"),
            CheckConstraint(
                condition=~Q(kind="seal_records") | Q(body={}, first="console", second=None),
                name="seal_says_nothing",
            ),
        ]


class SkipDecision(models.Model):
    """An event or a command that halted its system, skipped by two people. Append-only.

    It takes its number and moves nothing; its entry says so.
    """

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="set_aside"
    )
    event = models.OneToOneField(TableEvent, models.PROTECT, null=True, related_name="set_aside")
    command = models.BigIntegerField(null=True)
    reason = models.CharField(max_length=500)
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "jackpot_setaside"
        constraints = [
            UniqueConstraint("system", "command", name="command_set_aside_once"),
            CheckConstraint(
                condition=Q(event__isnull=True) ^ Q(command__isnull=True),
                name="set_aside_names_one",
            ),
            CheckConstraint(condition=~Q(second=F("first")), name="set_aside_takes_two_people"),
        ]


class CommandQueue(models.Model):
    """The last command number of a system; locked while a command is queued."""

    system = models.OneToOneField(JackpotSystem, models.PROTECT, primary_key=True)
    last_number = models.BigIntegerField(default=0)
    taken = models.BigIntegerField(default=0)  # by the writer

    class Meta:
        constraints = [
            CheckConstraint(
                condition=Q(taken__gte=0, last_number__gte=F("taken")), name="queue_order"
            )
        ]
