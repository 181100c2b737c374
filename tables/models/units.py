"""What units and displays last said of themselves, and what is sent to them."""

from django.db import models
from django.db.models import F

from tables.models.casinos import GamingTable, JackpotSystem


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
