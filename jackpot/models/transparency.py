"""The log of a system: checkpoints, tree, what witnesses answered. Written by the worker."""

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

from tables.models import JackpotSystem
from tables.visibility.managers import OfCheckpoint, OfSystem


class CheckpointCause(models.TextChoices):
    """Why a checkpoint was made."""

    INTERVAL = "interval"
    CLOSE = "close"
    REPORT = "report"


class Checkpoint(models.Model):
    """A signed statement of the log's size and root. Append-only.

    `leaves`, `peaks` and `pools` are what the next one goes on from: hashes of its new leaves, the
    full subtrees, and the pools of the tiers after its last block.
    """

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="checkpoints"
    )
    size = models.BigIntegerField()
    root = models.BinaryField()
    note = models.TextField()
    at = models.DateTimeField()
    cause = models.CharField(max_length=8, choices=CheckpointCause.choices)
    leaves = models.BinaryField()
    peaks = models.JSONField()
    pools = models.JSONField()

    objects = OfSystem()

    class Meta:
        constraints = [
            UniqueConstraint("system", "size", name="checkpoint_once_per_size"),
            CheckConstraint(condition=Q(size__gte=1), name="checkpoint_from_one"),
        ]
        indexes = [
            models.Index(
                models.F("system"),
                models.F("size"),
                condition=~Q(cause=CheckpointCause.INTERVAL),
                name="checkpoints_with_a_cause",
            )
        ]


class TreeTile(models.Model):
    """256 neighbours of the tree with their root; on level 0 with their hashes. Append-only."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False)
    level = models.SmallIntegerField()
    index = models.BigIntegerField()
    hashes = models.BinaryField()
    root = models.BinaryField()

    objects = OfSystem()

    class Meta:
        constraints = [
            UniqueConstraint("system", "level", "index", name="tree_tile_once"),
            CheckConstraint(condition=Q(level__gte=0, index__gte=0), name="tree_tile_from_zero"),
        ]


class WitnessAnswer(models.Model):
    """What a witness answered to a checkpoint: its cosignature, or why it refused. Append-only.

    A refusal has one row, until the witness answers something else.
    """

    checkpoint = models.ForeignKey(
        Checkpoint, models.PROTECT, db_index=False, related_name="answers"
    )
    witness = models.CharField(max_length=200)
    at = models.DateTimeField()
    status = models.SmallIntegerField()  # of HTTP; 200: it cosigned
    text = models.TextField()  # the lines of the cosignature, or the refusal
    latest = models.TextField(blank=True)  # of a refusal: the checkpoint that it had cosigned

    objects = OfCheckpoint()

    class Meta:
        constraints = [
            UniqueConstraint("checkpoint", "witness", "status", name="witness_answers_once")
        ]
        indexes = [
            models.Index(models.F("witness"), models.F("id"), name="answers_of_witness"),
            models.Index(models.F("id"), condition=~Q(status=200), name="refusals_of_witnesses"),
        ]


class WitnessContact(models.Model):
    """How it stands with a witness and a system's log. No evidence: it says when to ask again."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False)
    witness = models.CharField(max_length=200)
    size = models.BigIntegerField(default=0)  # of the log, as the witness last said
    asked_at = models.DateTimeField(null=True)
    claimed_until = models.DateTimeField(null=True)  # a worker is asking; then it is dead
    failures = models.IntegerField(default=0)  # in a row
    failing_since = models.DateTimeField(null=True)
    fault = models.TextField(blank=True)  # of the last one

    objects = OfSystem()

    class Meta:
        constraints = [UniqueConstraint("system", "witness", name="witness_contact_once")]
