"""The order of a system: its head, writers, entries, cursors, gaps and blocks."""

from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint

from tables.models import GamingTable, JackpotSystem, TableEvent
from tables.visibility.managers import OfSystem


class Head(models.Model):
    """The end of a system's order, and who may write behind it.

    `epoch` rises with every new writer: an old one that wakes up can commit nothing.
    """

    system = models.OneToOneField(JackpotSystem, models.PROTECT, primary_key=True)
    seq = models.BigIntegerField(default=0)
    transfer_number = models.BigIntegerField(default=0)
    hit_number = models.BigIntegerField(default=0)
    terms_number = models.BigIntegerField(default=0)
    block_number = models.BigIntegerField(default=0)
    block_hash = models.BinaryField(default=bytes(32))
    epoch = models.BigIntegerField(default=0)
    writer = models.CharField(max_length=100, blank=True)
    lease_until = models.DateTimeField(null=True)
    halted_at = models.DateTimeField(null=True)
    halted_on = models.CharField(max_length=200, blank=True)  # the entry that could not be folded
    halted_event = models.BigIntegerField(null=True)  # which event or command it is, if known
    halted_command = models.BigIntegerField(null=True)

    objects = OfSystem()


class Writer(models.Model):
    """A poster that is there until then: each takes its part of the systems."""

    name = models.CharField(max_length=100, primary_key=True)
    until = models.DateTimeField()
    # The latest of fold and of rules that it knows.
    fold_version = models.IntegerField(null=True)
    rules_version = models.IntegerField(null=True)


class Entry(models.Model):
    """One element of a system's order: an event, a command or a fact. Append-only.

    What it refers to is kept by other means than a constraint for each row (decision 0032).
    """

    pk = models.CompositePrimaryKey("system", "seq")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, db_constraint=False)
    seq = models.BigIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=8)  # event, command, fact
    type = models.CharField(max_length=32)
    table = models.ForeignKey(
        GamingTable, models.PROTECT, null=True, db_index=False, db_constraint=False
    )
    boot = models.BigIntegerField(null=True)
    event_seq = models.BigIntegerField(null=True)
    event = models.OneToOneField(TableEvent, models.PROTECT, null=True, db_constraint=False)
    command = models.BigIntegerField(null=True)  # its number in the system's queue
    round = models.BigIntegerField(null=True)
    hit = models.BigIntegerField(null=True)
    body_hash = models.BinaryField()  # SHA-256 of the event's bytes, or of the canonical body
    body = models.JSONField(null=True)  # of a fact; of a hand its clock (`clock_disputes`)
    outcome = models.JSONField()

    objects = OfSystem()

    class Meta:
        constraints = [
            UniqueConstraint(
                "system",
                "command",
                name="command_posted_once",
                condition=Q(command__isnull=False),
            ),
            CheckConstraint(condition=Q(seq__gte=1), name="entry_from_one"),
        ]
        indexes = [
            models.Index(
                F("system"), F("hit"), name="entries_of_hit", condition=Q(hit__isnull=False)
            ),
            models.Index(
                F("system"),
                F("table"),
                F("boot"),
                F("event_seq"),
                name="entries_of_hands",
                condition=Q(type__in=["hand_called", "hand_reported"]),
            ),
            models.Index(
                F("system"),
                F("seq"),
                name="entries_of_requests",
                condition=Q(type__in=["rounds_missed", "void_requested", "hand_withdrawn"]),
            ),
            models.Index(
                F("system"),
                F("seq"),
                name="entries_of_closes",
                condition=Q(type__in=["close_day", "close_month"]),
            ),
        ]


class Block(models.Model):
    """What one transaction of the writer wrote of a system, chained by its hash. Append-only."""

    pk = models.CompositePrimaryKey("system", "number")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False)
    number = models.BigIntegerField()
    first_seq = models.BigIntegerField()
    last_seq = models.BigIntegerField()
    first_transfer = models.BigIntegerField()
    last_transfer = models.BigIntegerField()  # first - 1 where the block moved nothing
    fold_version = models.IntegerField()
    rules_version = models.IntegerField()
    at = models.DateTimeField()
    previous = models.BinaryField()
    hash = models.BinaryField()

    class Meta:
        constraints = [
            CheckConstraint(
                condition=Q(number__gte=1, first_seq__gte=1, last_seq__gte=F("first_seq"))
                & Q(first_transfer__gte=1, last_transfer__gte=F("first_transfer") - 1),
                name="block_from_one",
            )
        ]


class Cursor(models.Model):
    """How far a stream has been sequenced."""

    pk = models.CompositePrimaryKey("system", "table", "boot")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False)
    table = models.ForeignKey(GamingTable, models.PROTECT, db_index=False)
    boot = models.BigIntegerField()
    through = models.BigIntegerField()

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(boot__gte=1, through__gte=0), name="cursor_from_zero")
        ]


class Gap(models.Model):
    """Seqs of a stream that the order went past without an event; what still comes is late.

    Either the wait for them was over (a `gap_released` entry), or intake holds something else
    in their place: a quarantined message, the unit's word that they are lost.
    """

    system = models.ForeignKey(JackpotSystem, models.PROTECT, related_name="gaps", db_index=False)
    table = models.ForeignKey(GamingTable, models.PROTECT, db_index=False)
    boot = models.BigIntegerField()
    from_seq = models.BigIntegerField()
    to_seq = models.BigIntegerField()
    entry_seq = models.BigIntegerField()  # the entry that went past
    arrived = models.BigIntegerField(default=0)  # how many came after all

    class Meta:
        indexes = [
            models.Index(F("system"), F("table"), F("boot"), F("to_seq"), name="gaps_of_stream"),
            models.Index(
                F("system"),
                name="gaps_open",
                condition=Q(arrived__lt=F("to_seq") - F("from_seq") + 1),
            ),
        ]
        constraints = [
            CheckConstraint(
                condition=Q(boot__gte=1, from_seq__gte=1, to_seq__gte=F("from_seq"))
                & Q(entry_seq__gte=1, arrived__gte=0),
                name="gap_from_one",
            )
        ]
