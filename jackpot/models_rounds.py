"""Rounds and sessions as of the end of the order: projections that the fold goes on from."""

from django.db import models
from django.db.models import F, Q

from tables.models import GamingTable, JackpotSystem


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

    class Meta:
        indexes = [
            # Played, and its button was not pressed (19.19).
            models.Index(
                F("system"),
                F("table"),
                F("round"),
                name="rounds_unpressed",
                condition=Q(started=None, void=None, priced=None),
            )
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
