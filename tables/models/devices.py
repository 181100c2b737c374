"""Keys of units, credentials of devices, whether the broker has their accounts; intakes."""

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.db.models.functions import Now
from django.utils.translation import gettext_noop as _

from tables.visibility.managers import OfTableOrNone

key_validator = RegexValidator(
    r"\A([0-9a-fA-F]{2}){16,64}\Z", "Use 32 to 128 hexadecimal digits, an even number."
)


def _is_sealed(sealed: str, digest: str) -> Q:
    return Q(
        **{
            f"{sealed}__regex": r"^([0-9a-f]{2}){48,96}$",
            f"{digest}__regex": r"^[0-9a-f]{64}$",
        }
    )


class UnitKey(models.Model):
    """The key with which a table's unit signs, sealed (`tables.keys`); a table without a row sends
    events without a MAC.

    Beside the table, as the intake alone reads it.
    """

    table = models.OneToOneField(
        "tables.GamingTable", models.CASCADE, primary_key=True, related_name="unit_key"
    )
    sealed_key = models.CharField(max_length=192, blank=True)  # hex; empty: one that nobody knows
    key_digest = models.CharField(max_length=64, blank=True)  # SHA-256 of the key itself, hex
    # The one before, which holds beside it for a while; empty: none.
    sealed_other = models.CharField(max_length=192, blank=True, default="", db_default="")
    other_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    other_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            CheckConstraint(  # never a key itself: a sealed one is longer by 32 bytes
                condition=Q(sealed_key="", key_digest="") | _is_sealed("sealed_key", "key_digest"),
                name="unit_key_is_sealed",
            ),
            CheckConstraint(
                condition=Q(sealed_other="", other_digest="")
                | _is_sealed("sealed_other", "other_digest"),
                name="other_unit_key_is_sealed",
            ),
        ]

    def __str__(self) -> str:
        return f"key of table {self.table_id}"


class DeviceCredential(models.Model):
    """With what a device logs in at the broker: a password, or a certificate. Append-only.

    Written by functions of the database alone. What ends it is a row of its own (`DeviceEnd`), or
    the time until which it overlaps with its successor.
    """

    class Kind(models.TextChoices):
        UNIT = "unit", _("Table unit")
        DISPLAY = "display", _("Display")
        INTAKE = "intake", _("Intake")

    kind = models.CharField(max_length=8, choices=Kind.choices)
    table = models.ForeignKey(
        "tables.GamingTable", models.PROTECT, null=True, db_index=False, related_name="credentials"
    )  # None: of the console's own
    name = models.CharField(max_length=32, blank=True)  # of an intake
    number = models.PositiveIntegerField()  # which one of this device
    username = models.CharField(max_length=80)
    password_hash = models.CharField(max_length=160, blank=True)  # as Mosquitto keeps it
    serial = models.CharField(max_length=40, blank=True)  # of the certificate, hex
    fingerprint = models.CharField(max_length=64, blank=True)  # SHA-256, hex
    not_after = models.DateTimeField(null=True)
    key_digest = models.CharField(max_length=64, blank=True)  # SHA-256 of the unit's key, hex
    replaces = models.ForeignKey(
        "self", models.PROTECT, null=True, db_index=False, related_name="successors"
    )
    overlap_until = models.DateTimeField(null=True)  # so long the one before holds, at most
    issued_at = models.DateTimeField(db_default=Now())
    issued_by = models.CharField(max_length=150)

    objects = OfTableOrNone()

    class Meta:
        default_permissions = ()
        ordering = ["id"]
        constraints = [
            UniqueConstraint(
                "kind", "table", "name", "number", name="device_number_once", nulls_distinct=False
            ),
            CheckConstraint(
                condition=Q(password_hash="", serial__gt="", not_after__isnull=False)
                | Q(password_hash__gt="", serial="", not_after=None),
                name="device_has_one_way",
            ),
            CheckConstraint(
                condition=Q(kind="intake", table=None, name__gt="")
                | Q(kind__in=["unit", "display"], table__isnull=False, name=""),
                name="device_has_its_place",
            ),
        ]

    def __str__(self) -> str:
        return self.username


class DeviceEnd(models.Model):
    """A credential was revoked, its successor was heard, or its table moved. Append-only."""

    credential = models.OneToOneField(
        DeviceCredential, models.PROTECT, primary_key=True, related_name="end"
    )
    kind = models.CharField(max_length=8)  # "revoked", "replaced", "moved"
    at = models.DateTimeField(db_default=Now())
    by = models.CharField(max_length=150)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.credential_id} {self.kind}"


class BrokerAccounts(models.Model):
    """Which accounts the worker wrote for the broker last, and whether the broker has them."""

    digest = models.CharField(max_length=64, blank=True)
    written_at = models.DateTimeField(null=True)
    taken_at = models.DateTimeField(null=True)
    fault = models.CharField(max_length=500, blank=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"accounts of {self.written_at}"


class IntakePulse(models.Model):
    """When an intake last heard its own word from the broker; its release and its log-in there."""

    name = models.CharField(max_length=80, primary_key=True)  # INTAKE_INSTANCE
    heard_at = models.DateTimeField()
    release = models.CharField(max_length=32)
    username = models.CharField(max_length=80, blank=True)  # empty: the broker asks for none

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name} at {self.heard_at}"
