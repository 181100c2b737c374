"""Reconciliations, and the checkpoints that the next ones begin at."""

from django.db import models
from django.db.models import F

from tables.models import JackpotSystem
from tables.visibility.managers import OfSystem


class Reconciliation(models.Model):
    """One recomputation of a system from its rows; differences raise an alarm. Append-only."""

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="reconciliations"
    )
    at = models.DateTimeField(auto_now_add=True)
    up_to_seq = models.BigIntegerField()
    from_block = models.BigIntegerField(default=0)  # 0: all of the order was folded
    books_digest = models.BinaryField(null=True)  # of the checkpoint that it left
    entries = models.BigIntegerField()
    transfers = models.BigIntegerField()
    blocks = models.BigIntegerField()
    duration_ms = models.IntegerField()
    differences = models.JSONField(default=list)

    objects = OfSystem()

    class Meta:
        indexes = [models.Index(F("system"), F("id").desc(), name="newest_reconciliation")]


class Checkpoint(models.Model):
    """Where a system's next reconciliation begins: the books of the last one that found no
    difference, replaced by the next. The reconciliation carries their digest.
    """

    system = models.OneToOneField(JackpotSystem, models.PROTECT, primary_key=True)
    reconciliation = models.ForeignKey(Reconciliation, models.PROTECT, related_name="+")
    books = models.JSONField()
