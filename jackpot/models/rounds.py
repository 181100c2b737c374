"""Rounds and sessions as of the end of the order: projections that the fold goes on from."""

from django.db import models
from django.db.models import F, Q

from tables.models import GamingTable, JackpotSystem
from tables.visibility.managers import OfSystem


class RoundState(models.Model):
    """One round of one table: one start, one completion, one void and one hand count."""

    pk = models.CompositePrimaryKey("system", "table", "round")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, db_constraint=False)
    table = models.ForeignKey(GamingTable, models.PROTECT, db_index=False, db_constraint=False)
    round = models.BigIntegerField()
    terms = models.BigIntegerField()
    game = models.CharField(max_length=20, null=True)  # noqa: DJ001 unknown is not empty
    deck = models.SmallIntegerField(null=True)
    dealt = models.SmallIntegerField(null=True)
    started = models.BigIntegerField(null=True)
    completed = models.BigIntegerField(null=True)
    void = models.BigIntegerField(null=True)
    pot = models.BigIntegerField(null=True)
    hit = models.BigIntegerField(null=True)
    cancelled = models.BigIntegerField(null=True)
    priced = models.SmallIntegerField(null=True)  # a missed round: by so many players
    uncalled = models.BigIntegerField(null=True)
    commission = models.BigIntegerField(null=True)
    taken = models.BigIntegerField(null=True)  # the drop
    awaits = models.BooleanField(db_default=False)  # its figures feed a prize
    differs = models.BigIntegerField(null=True)  # its unit contradicted a supervisor there
    pace = models.SmallIntegerField(null=True)  # its press was one too many within a minute,
    accepted = models.BigIntegerField(null=True)  # which a supervisor accepted there
    stakes = models.CharField(max_length=200, null=True)  # noqa: DJ001 unknown is not empty
    flop = models.BooleanField(null=True)  # whether one was dealt
    counted = models.SmallIntegerField(null=True)  # players, when its first figures came

    objects = OfSystem()

    class Meta:
        indexes = [
            # Played, and its button was not pressed (19.19).
            models.Index(
                F("system"),
                F("table"),
                F("round"),
                name="rounds_unpressed",
                condition=Q(started=None, void=None, priced=None),
            ),
            # Its completion is missing (19.10), where that adds something.
            models.Index(
                F("system"),
                F("table"),
                F("round"),
                name="rounds_uncompleted",
                condition=Q(awaits=True, completed=None, void=None),
            ),
            models.Index(
                F("system"), name="rounds_that_differ", condition=Q(differs__isnull=False)
            ),
            # Held for a supervisor.
            models.Index(
                F("system"),
                F("table"),
                F("round"),
                name="rounds_held",
                condition=Q(pace__isnull=False, accepted=None, cancelled=None),
            ),
        ]


class TableState(models.Model):
    """The session of a table as of the end of the order."""

    table = models.OneToOneField(
        GamingTable, models.PROTECT, primary_key=True, related_name="state"
    )
    session = models.JSONField(null=True)
    # The newest event that said so.
    boot = models.BigIntegerField(null=True)
    seq = models.BigIntegerField(null=True)
    presses = models.JSONField(null=True)  # of the last minute, where limited (`press_rate`)
