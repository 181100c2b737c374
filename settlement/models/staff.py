"""People of the house as the rules about them see them: who played, from what amount on a
confirmation takes two managers, how many missed rounds one person credits alone, and by how much a
figure of terms may move."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q

from tables.models import Casino, GamingTable
from tables.visibility.managers import OfTable


class StaffPlay(models.Model):
    """Somebody of the staff played at a table: nobody decides on a hand they were dealt in.

    Until `until`, or where that is empty until the end that is recorded. Append-only.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    table = models.ForeignKey(GamingTable, models.PROTECT, related_name="staff_plays")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True)
    said_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    note = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()  # set by the database

    objects = OfTable()

    class Meta:
        ordering = ["id"]
        constraints = [
            CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")), name="play_ends_later"
            )
        ]


class StaffPlayWord(models.Model):
    """The second word on a play that a colleague named: it was so, or it was not. Append-only.

    The named person may say that it was so; that it was not says who neither named them nor played
    at that table, with what was seen. The first word counts; who knows better names again.
    """

    play = models.OneToOneField(StaffPlay, models.PROTECT, related_name="word")
    agrees = models.BooleanField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    note = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()  # set by the database

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(agrees=True) | ~Q(note=""), name="contradiction_says_why")
        ]


class StaffPlayEnd(models.Model):
    """That person left the table, now: an end is never dated back. Append-only."""

    play = models.OneToOneField(StaffPlay, models.PROTECT, related_name="end")
    said_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()  # set by the database


class SecondManagerLimit(models.Model):
    """Above this amount of a claim (micros) two managers confirm; a casino's newest row counts.

    No row, or no amount: one manager is enough. Written by the owner alone. Append-only.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="second_manager_limits")
    amount = models.BigIntegerField(null=True)
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            CheckConstraint(
                condition=Q(amount__isnull=True) | Q(amount__gte=0), name="limit_from_zero"
            ),
            CheckConstraint(condition=~Q(second=F("first")), name="limit_takes_two_people"),
        ]


class MissedRoundsLimit(models.Model):
    """So many missed rounds of a table and gaming day one person credits alone; the newest counts.

    No row: `missed_rounds_alone` in the database says how many. Written by the owner alone.
    Append-only.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="missed_rounds_limits")
    count = models.PositiveSmallIntegerField()
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            CheckConstraint(condition=~Q(second=F("first")), name="missed_limit_takes_two_people")
        ]


class TermsFactor(models.Model):
    """A figure of terms that moves by more than this factor is typed again by both people; a
    casino's newest row counts. No row: `DEFAULT`. Written by the owner alone. Append-only.
    """

    DEFAULT = 3

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="terms_factors")
    factor = models.PositiveSmallIntegerField()
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(factor__gte=1), name="factor_from_one"),
            CheckConstraint(condition=~Q(second=F("first")), name="factor_takes_two_people"),
        ]
