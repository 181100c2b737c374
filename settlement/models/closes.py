"""Gaming days in short: what moved between accounts, what displays showed. By the worker."""

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

from tables.models import GamingTable, JackpotSystem
from tables.visibility.managers import OfSystem


class ClosedDay(models.Model):
    """A gaming day that two people closed, cut out of the ledger. Append-only.

    Its transfers are those behind that of the day before, through `through_transfer`; `entry` is
    where it was closed.
    """

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="closed_days"
    )
    day = models.DateField()
    entry = models.BigIntegerField()
    through_seq = models.BigIntegerField()
    through_transfer = models.BigIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    objects = OfSystem()

    class Meta:
        constraints = [UniqueConstraint("system", "day", name="day_closed_once")]


class DayMovement(models.Model):
    """All transfers of a closed day from one account to another for one reason. Append-only."""

    day = models.ForeignKey(ClosedDay, models.PROTECT, db_index=False, related_name="movements")
    debit = models.ForeignKey("jackpot.Account", models.PROTECT, db_index=False, related_name="+")
    credit = models.ForeignKey("jackpot.Account", models.PROTECT, db_index=False, related_name="+")
    reason = models.CharField(max_length=16)
    count = models.BigIntegerField()
    amount = models.BigIntegerField()  # micros

    class Meta:
        constraints = [
            UniqueConstraint("day", "debit", "credit", "reason", name="movement_once_a_day"),
            CheckConstraint(condition=Q(count__gt=0, amount__gt=0), name="movement_of_transfers"),
        ]


class ClosedDayCheck(models.Model):
    """All closed days of a system computed again from transfers and compared. Append-only."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, related_name="closed_day_checks")
    at = models.DateTimeField(auto_now_add=True)
    days = models.IntegerField()
    differences = models.JSONField(default=list)

    objects = OfSystem()


class DisplayDay(models.Model):
    """What a display read back on a gaming day, up to the mark of its system.

    `exact`: with the values of the message that they name; `apart`: with another value; `unknown`:
    nothing was sent to compare them with.
    """

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="+")
    table = models.ForeignKey(GamingTable, models.PROTECT, db_index=False, related_name="+")
    display = models.CharField(max_length=32)
    day = models.DateField()
    readings = models.BigIntegerField()
    exact = models.BigIntegerField()
    apart = models.BigIntegerField()
    unknown = models.BigIntegerField()
    largest = models.BigIntegerField(null=True)  # minor units between a value shown and sent
    slowest_ms = models.BigIntegerField(null=True)

    objects = OfSystem()

    class Meta:
        constraints = [
            UniqueConstraint("system", "day", "table", "display", name="display_day_once")
        ]


class ReadingsMark(models.Model):
    """Up to when what displays of a system read back is added up in `DisplayDay`."""

    system = models.OneToOneField(JackpotSystem, models.PROTECT, primary_key=True, related_name="+")
    through = models.DateTimeField()


class TableDay(models.Model):
    """What the rounds of a table added to prizes on a gaming day, up to the mark of its system.

    What was taken back counts against it. Every night the last days are computed again.
    """

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="+")
    table = models.ForeignKey(GamingTable, models.PROTECT, db_index=False, related_name="+")
    day = models.DateField()
    contributed = models.BigIntegerField()  # micros

    objects = OfSystem()

    class Meta:
        constraints = [UniqueConstraint("system", "day", "table", name="table_day_once")]


class TableDaysMark(models.Model):
    """The last transfer of a system that is added up in `TableDay`."""

    system = models.OneToOneField(JackpotSystem, models.PROTECT, primary_key=True, related_name="+")
    through = models.BigIntegerField(default=0)
