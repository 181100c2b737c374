"""What could not be recorded, and how much of it a day."""

from django.db import models
from django.db.models import F, Q, UniqueConstraint

from tables.models.casinos import GamingTable
from tables.visibility.managers import OfTable


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
