"""Casinos, systems, tables and units; the inbox, the quarantine and what units last said."""

import secrets

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint

from tables import models_of_devices, models_of_traces  # noqa: F401 - Django looks for models here
from tables.visibility import REHEARSAL, Casinos, OfSystem, OfSystemOrNone, OfTable, Systems

_CODE = "[a-z0-9-]{1,32}"
code_validator = RegexValidator(rf"\A{_CODE}\Z", "Use 1 to 32 of: small letters, digits, hyphens.")
DATES = ("month_first", "year_first")  # in English the month first; in every language the year


def new_display_key() -> str:
    return secrets.token_urlsafe(18)


class Casino(models.Model):
    """A property: its time zone, currency and gaming day.

    `language`: a code of `LANGUAGES` for people who chose none, and their mails; empty: as each
    browser is set. `dates`, `clock`: else as each language writes. `slip_language`: a second one.
    """

    code = models.CharField(max_length=32, unique=True, validators=[code_validator])
    name = models.CharField(max_length=100)
    timezone = models.CharField(max_length=64, default="UTC")
    currency = models.CharField(max_length=3)
    minor_digits = models.PositiveSmallIntegerField(default=2)
    day_starts = models.TimeField(default="06:00")
    language = models.CharField(max_length=8, blank=True, default="", db_default="")
    dates = models.CharField(max_length=12, blank=True, default="", db_default="")
    clock = models.CharField(max_length=12, blank=True, default="", db_default="")
    slip_language = models.CharField(max_length=8, blank=True, default="", db_default="")

    objects = Casinos()

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(minor_digits__lte=2), name="casino_minor_digits"),
            CheckConstraint(condition=Q(dates__in=["", *DATES]), name="casino_dates"),
            CheckConstraint(condition=Q(clock__in=["", "twelve"]), name="casino_clock"),
        ]

    def __str__(self) -> str:
        return self.name


class JackpotSystem(models.Model):
    """One independently ordered installation over a group of tables."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="systems")
    code = models.CharField(max_length=32, unique=True, validators=[code_validator])
    name = models.CharField(max_length=100)
    era = models.PositiveIntegerField(default=1)  # a restore from a backup begins a new one

    objects = Systems()

    class Meta:
        constraints = [
            # Its tables would log in as the console's own intakes; claims read as of a rehearsal.
            CheckConstraint(condition=~Q(code="console"), name="system_code_is_no_account"),
            CheckConstraint(condition=~Q(code="rehearsal"), name="system_code_is_no_rehearsal"),
            CheckConstraint(
                condition=Q(code__regex=f"^{_CODE}$"), name="system_code_is_written_small"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_rehearsal(self) -> bool:
        """Whether nothing of it is money: its code says so for ever."""
        return self.code.startswith(REHEARSAL)


class EraBegun(models.Model):
    """A restore from a backup: from here on receipts carry a new era. Append-only."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="eras")
    era = models.PositiveIntegerField()
    begun_at = models.DateTimeField()
    begun_by = models.CharField(max_length=150)
    reason = models.CharField(max_length=500)
    known = models.JSONField()  # what the restored database knew last: texts

    class Meta:
        constraints = [UniqueConstraint("system", "era", name="era_begun_once")]

    def __str__(self) -> str:
        return f"era {self.era} since {self.begun_at}"


class GamingTable(models.Model):
    """A poker table with its unit (button and handset) and its display."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="tables")
    code = models.CharField(max_length=32, validators=[code_validator])
    name = models.CharField(max_length=100)
    in_service = models.BooleanField(default=True)
    display_key = models.CharField(max_length=64, unique=True, default=new_display_key)
    # Where the table went, and the entry of its system's order at which it left. What it said here
    # stays here.
    moved_to = models.OneToOneField("self", models.PROTECT, null=True, related_name="moved_from")
    moved_entry = models.BigIntegerField(null=True)

    objects = OfSystem()

    class Meta:
        ordering = ["system", "code"]
        constraints = [
            CheckConstraint(
                condition=Q(moved_to=None, moved_entry=None)
                | Q(moved_to__isnull=False, moved_entry__isnull=False, in_service=False),
                name="moved_table_is_out_of_service",
            ),
            UniqueConstraint("system", "code", name="table_code_once_per_system"),
            # A table of such a name would speak on the console's own topics.
            CheckConstraint(
                condition=~Q(code__in=["console", "display"]), name="table_code_is_no_topic"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Stream(models.Model):
    """One boot of one table unit: how far the console holds its events without a gap."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False)
    table = models.ForeignKey(GamingTable, models.PROTECT, related_name="streams")
    boot = models.BigIntegerField()
    committed_seq = models.BigIntegerField(default=0)
    last_seq = models.BigIntegerField(default=0)  # the highest held: above committed, a gap
    # A boot of the past of which all has its place; what comes to it late unsettles it.
    settled = models.BooleanField(db_default=False)
    # Two people said that this boot is not the unit's own (`tables.floor.boot_counter`): it counts
    # for nothing that asks for the newest.
    discarded = models.BooleanField(db_default=False)

    class Meta:
        indexes = [
            models.Index(fields=["system"], condition=Q(settled=False), name="streams_in_play")
        ]
        constraints = [
            UniqueConstraint("system", "table", "boot", name="stream_once"),
            CheckConstraint(condition=Q(last_seq__gte=F("committed_seq")), name="stream_order"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.boot}"


class TableEvent(models.Model):
    """The inbox: an event exactly as its unit sent it. Append-only."""

    # That the table is one of its system, a trigger asks once a batch (`events_of_known_tables`).
    # An event is looked for with its system: an index of tables alone led to all one ever said.
    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_constraint=False, db_index=False
    )  # leads event_identity
    table = models.ForeignKey(
        GamingTable, models.PROTECT, related_name="events", db_constraint=False, db_index=False
    )
    boot = models.BigIntegerField()
    seq = models.BigIntegerField()
    type = models.CharField(max_length=32)
    round = models.BigIntegerField(null=True)
    test = models.BooleanField(default=False)
    recorded_at = models.DateTimeField()  # the unit's clock: evidence, never order
    received_at = models.DateTimeField()
    body = models.BinaryField()  # the JSON bytes without the MAC line
    intake = models.TextField(default="", db_default="")  # that recorded it (redeliveries)

    class Meta:
        constraints = [
            UniqueConstraint("system", "table", "boot", "seq", name="event_identity"),
            CheckConstraint(condition=Q(boot__gte=1, seq__gte=1), name="event_counters"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.boot}/{self.seq}"


class Quarantine(models.Model):
    """Input that could not be recorded, with the reason. Append-only."""

    topic = models.TextField()
    table = models.ForeignKey(GamingTable, models.PROTECT, db_index=False, null=True)
    boot = models.BigIntegerField(null=True)
    seq = models.BigIntegerField(null=True)
    reason = models.CharField(max_length=40)  # stable slug: "conflict", "unknown_field", ...
    explanation = models.TextField()
    received_at = models.DateTimeField()
    # The first 64 KiB; empty where the day had enough (quarantine_days).
    body = models.BinaryField()
    size = models.BigIntegerField()
    sha256 = models.BinaryField()  # of the whole
    intake = models.TextField(default="", db_default="")  # that kept it

    objects = OfTable()

    class Meta:
        indexes = [
            models.Index(
                *("table", "boot", "seq"), name="quarantine_held", condition=Q(seq__isnull=False)
            ),
            models.Index(F("table"), F("received_at"), name="quarantine_by_unit"),
        ]

    def __str__(self) -> str:
        return f"{self.reason}: {self.explanation}"


class QuarantineDay(models.Model):
    """How much of a unit's unusable input was kept on a day, and what was only counted."""

    unit = models.BigIntegerField()  # id of the table; 0: units that nobody knows, together
    conflicts = models.BooleanField()  # counted separately from all other reasons
    day = models.DateField()  # UTC
    rows = models.IntegerField(default=0)
    kept_bytes = models.BigIntegerField(default=0)  # in these rows
    dropped = models.BigIntegerField(default=0)  # messages without a row,
    digest = models.BinaryField(default=bytes(32))  # and the running SHA-256 over theirs

    class Meta:
        constraints = [UniqueConstraint("unit", "conflicts", "day", name="quarantine_day_once")]

    def __str__(self) -> str:
        return f"{self.day}: {self.rows} kept, {self.dropped} counted"

    @property
    def digest_hex(self) -> str:
        return bytes(self.digest).hex()


class ClosedGap(models.Model):
    """Events of a boot that will never come: declared lost by the unit, or by a person."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT)
    table = models.ForeignKey(GamingTable, models.PROTECT, db_index=False)
    boot = models.BigIntegerField()
    from_seq = models.BigIntegerField()
    to_seq = models.BigIntegerField()
    closed_by = models.CharField(max_length=150)  # "unit", or who decided
    note = models.CharField(max_length=500, blank=True)  # why, by the person

    class Meta:
        indexes = [models.Index(F("table"), F("boot"), name="closed_gap_of_boot")]
        constraints = [
            CheckConstraint(
                condition=Q(boot__gte=1, from_seq__gte=1, to_seq__gte=F("from_seq")),
                name="closed_gap_order",
            )
        ]

    def __str__(self) -> str:
        return f"{self.boot}/{self.from_seq} to {self.to_seq}, closed by {self.closed_by}"


class RepeatedEvent(models.Model):
    """A recorded event that its unit sent again, perhaps because it missed what became of it.

    A note from intake to whoever gives events their place: say the place once more, and take
    this row away.
    """

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False)
    table = models.ForeignKey(GamingTable, models.PROTECT, db_index=False)
    boot = models.BigIntegerField()
    seq = models.BigIntegerField()

    class Meta:
        constraints = [
            UniqueConstraint("system", "table", "boot", "seq", name="repeated_once"),
        ]

    def __str__(self) -> str:
        return f"{self.boot}/{self.seq} again"


class OutOfOrderEvent(models.Model):
    """A recorded event that came behind a later one of its boot and has no place yet.

    A note from intake to whoever gives events their place, who may have gone past it: give it its
    place and take this row away.
    """

    event = models.OneToOneField(TableEvent, models.PROTECT, primary_key=True, db_constraint=False)
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_constraint=False, db_index=False)
    table = models.ForeignKey(GamingTable, models.PROTECT, db_constraint=False, db_index=False)
    boot = models.BigIntegerField()
    seq = models.BigIntegerField()

    class Meta:
        db_table = "tables_straggler"
        indexes = [models.Index(F("system"), F("event"), name="stragglers_of_system")]

    def __str__(self) -> str:
        return f"{self.boot}/{self.seq} behind"


class UnitPresence(models.Model):
    """What a table's unit last said of itself, will included."""

    table = models.OneToOneField(GamingTable, models.PROTECT, related_name="presence")
    online = models.BooleanField(default=False)
    boot = models.BigIntegerField(default=0)
    connection = models.BigIntegerField(default=0)
    last_seq = models.BigIntegerField(default=0)
    said_at = models.DateTimeField(null=True)  # the unit's clock
    heard_at = models.DateTimeField()
    resent = models.BigIntegerField(default=0, db_default=0)  # events that came again

    def __str__(self) -> str:
        return "online" if self.online else "offline"


class DisplayReading(models.Model):
    """A display's value read back (19.8). Append-only."""

    table = models.ForeignKey(GamingTable, models.PROTECT, db_index=False, related_name="readings")
    display = models.CharField(max_length=32)
    said_at = models.DateTimeField()
    received_at = models.DateTimeField()
    system_seq = models.BigIntegerField()
    terms = models.BigIntegerField()
    shown = models.JSONField()  # {tier: minor units}

    class Meta:
        indexes = [
            models.Index(F("table"), F("system_seq"), name="reading_at"),
            models.Index(F("table"), F("received_at"), name="reading_by_table"),
        ]

    def __str__(self) -> str:
        return f"{self.display} at {self.system_seq}"


class OutboxMessage(models.Model):
    """A message to publish after the commit of the transaction that wrote it."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, related_name="+")
    topic = models.CharField(max_length=200)
    payload = models.BinaryField()
    retain = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.topic


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
