"""The inbox: what units sent, what is missing of it, and what came again or out of order."""

from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint

from tables.models.casinos import GamingTable, JackpotSystem


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
