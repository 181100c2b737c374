"""The order, the ledger and the hits. Written by the poster alone. What people queue stands in
`models_commands`, what displays showed in `models_display`, rounds in `models_rounds`, what tiers
met besides hits in `models_steps`."""

from django.db import models
from django.db.models import CheckConstraint, Deferrable, F, Q, UniqueConstraint

from jackpot.models_commands import Command as Command
from jackpot.models_commands import CommandQueue as CommandQueue
from jackpot.models_commands import SetAside as SetAside
from jackpot.models_display import DarkCall as DarkCall
from jackpot.models_display import DisplayMessage as DisplayMessage
from jackpot.models_display import DisplayPulse as DisplayPulse
from jackpot.models_display import DisplaySilence as DisplaySilence
from jackpot.models_periods import PeriodCall as PeriodCall
from jackpot.models_rounds import RoundState as RoundState
from jackpot.models_rounds import TableState as TableState
from jackpot.models_steps import TierStep as TierStep
from tables.models import GamingTable, JackpotSystem, TableEvent
from tables.visible import OfSystem


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
    body = models.JSONField(null=True)  # of a fact; of a hand its clock (`in_question`)
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
        ]


class Tier(models.Model):
    """A prize step with its own pool. The counters hold all that was ever added by play."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="tiers")
    code = models.CharField(max_length=32)
    jackpot = models.CharField(max_length=32)
    fed_pool = models.BigIntegerField(default=0)
    fed_reserve = models.BigIntegerField(default=0)
    fed_overflow = models.BigIntegerField(default=0)
    period_from = models.DateTimeField(null=True)  # a high hand: when its present period began
    rolled = models.BigIntegerField(default=0)  # fixed prizes of its periods that nobody won

    objects = OfSystem()

    class Meta:
        constraints = [UniqueConstraint("system", "code", name="tier_once_per_system")]


class Terms(models.Model):
    """Posted terms in effect: a jackpot's whole document under its number. Append-only."""

    pk = models.CompositePrimaryKey("system", "number")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="terms")
    number = models.BigIntegerField()
    jackpot = models.CharField(max_length=32)
    document = models.JSONField()
    effective_seq = models.BigIntegerField()

    objects = OfSystem()

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(number__gte=1, effective_seq__gte=1), name="terms_from_one")
        ]


class Account(models.Model):
    """A balance in micros: what was credited less what was debited."""

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="accounts"
    )
    code = models.CharField(max_length=64)  # "operator", "royal:pool"
    tier = models.ForeignKey(Tier, models.PROTECT, null=True, related_name="accounts")
    balance = models.BigIntegerField(default=0)
    # The system's last transfer when the balance was written: it moves once for each batch.
    moved_through = models.BigIntegerField(db_default=0)

    class Meta:
        constraints = [
            UniqueConstraint("system", "code", name="account_once_per_system"),
            CheckConstraint(
                condition=Q(balance__gte=0)
                | Q(code__in=["operator", "pot", "commission", "drop", "rounding"]),
                name="only_sources_below_zero",
            ),
        ]


class Transfer(models.Model):
    """One amount from a debit to a credit account, both balances after it. Append-only.

    Numbers rise with entries: the transfers of an entry are found by halving
    (`settlement.instants`).
    """

    pk = models.CompositePrimaryKey("system", "number")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, db_constraint=False)
    number = models.BigIntegerField()
    entry_seq = models.BigIntegerField()
    debit = models.ForeignKey(
        Account, models.PROTECT, db_index=False, db_constraint=False, related_name="debits"
    )
    credit = models.ForeignKey(
        Account, models.PROTECT, db_index=False, db_constraint=False, related_name="credits"
    )
    amount = models.BigIntegerField()
    debit_after = models.BigIntegerField()
    credit_after = models.BigIntegerField()
    reason = models.CharField(max_length=16)
    hit = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(number__gte=1, entry_seq__gte=1), name="transfer_from_one"),
            CheckConstraint(condition=Q(amount__gt=0), name="transfer_positive"),
            CheckConstraint(condition=~Q(debit=F("credit")), name="transfer_two_accounts"),
        ]
        indexes = [
            models.Index(F("credit"), F("number"), name="transfers_to"),
            # A pool is debited, and credited by anything but a contribution, at hits and decisions
            # alone: what is rare has small indexes of its own.
            models.Index(
                F("debit"),
                F("number"),
                name="rare_transfers_from",
                condition=~Q(reason="contribution"),
            ),
            models.Index(
                F("credit"),
                F("number"),
                name="rare_transfers_to",
                condition=~Q(reason="contribution"),
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


HIT_STATES = [
    *("held", "confirmed", "paid", "rejected", "reversed", "withdrawn", "paired", "outranked"),
]


class Hit(models.Model):
    """A hand that was called or reported, at its place; a projection of the entries."""

    pk = models.CompositePrimaryKey("system", "number")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="hits")
    number = models.BigIntegerField()
    place = models.BigIntegerField()
    acts_at = models.BigIntegerField()  # its place, or where a late correction lets it act
    at = models.DateTimeField()  # the time for settlement (19.8)
    table = models.ForeignKey(GamingTable, models.PROTECT)
    round = models.BigIntegerField()
    terms = models.BigIntegerField()
    tier = models.ForeignKey(Tier, models.PROTECT, db_index=False, null=True)
    state = models.CharField(max_length=10)
    held = models.BigIntegerField(default=0)  # what it comes to, paid or not
    confirmed = models.BigIntegerField(default=0)  # of it, by two people so far
    before_pool = models.BigIntegerField(null=True)
    before_reserve = models.BigIntegerField(null=True)
    before_overflow = models.BigIntegerField(null=True)
    before_rolled = models.BigIntegerField(null=True)  # fixed prizes that nobody had won
    fed = models.JSONField()
    moved_fed = models.JSONField(null=True)  # where it acts elsewhere: the counters there
    values = models.JSONField()
    shown = models.JSONField()
    shown_seq = models.BigIntegerField(null=True)
    report = models.JSONField(null=True)
    report_entry = models.BigIntegerField(null=True)
    # What was reported since people decided: `entry`, `report`.
    corrected = models.JSONField(null=True)
    strength = models.JSONField(null=True)  # of a candidate for a high hand
    closing = models.BigIntegerField(null=True)  # the entry that closed its period
    called_seats = models.JSONField(default=list)
    payees = models.JSONField(default=list)
    stops = models.JSONField(default=list)
    pairing = models.JSONField(default=dict, db_default={})  # `jackpot.pairing`
    clock = models.JSONField(null=True)  # `jackpot.in_question`

    objects = OfSystem()

    class Meta:
        constraints = [
            # One claim for each hand and prize; claims of a hand may exchange them in one batch.
            UniqueConstraint(
                fields=["system", "table", "round", "tier"],
                name="one_claim_a_hand_and_tier",
                deferrable=Deferrable.DEFERRED,
                nulls_distinct=False,
            ),
            CheckConstraint(
                condition=Q(number__gte=1, place__gte=1, acts_at__gte=1), name="hit_from_one"
            ),
            CheckConstraint(
                condition=Q(state__in=HIT_STATES),
                name="hit_state",
            ),
            CheckConstraint(
                condition=Q(confirmed__gte=0, confirmed__lte=F("held")),
                name="hit_confirmed",
            ),
        ]
        indexes = [
            models.Index(F("system"), F("acts_at"), name="hits_open", condition=Q(state="held")),
            models.Index(F("tier"), F("acts_at"), name="hits_of_tier"),
            models.Index(F("system"), name="hits_stopped", condition=~Q(stops=[])),
            models.Index(F("system"), name="hits_of_no_round", condition=Q(round__lt=0)),
            models.Index(F("system"), name="hits_corrected", condition=Q(corrected__isnull=False)),
        ]

    @property
    def newest_report_entry(self) -> int | None:
        """The entry of the last report of the hand that anybody gave."""
        return self.report_entry if self.corrected is None else self.corrected["entry"]
