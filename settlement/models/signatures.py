"""Keys with which people sign what they decide, and what they signed with them."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models import Casino, JackpotSystem


class SigningKey(models.Model):
    """A passkey by which its person signs acts, with the public key itself. Append-only.

    The first of the house is believed as it came; every other one signs once somebody endorsed it
    with a key: its person with an earlier one, or a manager or administrator. Each signed its own
    registration.
    """

    class Algorithm(models.IntegerChoices):
        ES256 = -7, "ES256"
        RS256 = -257, "RS256"

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="signing_keys"
    )
    factor = models.BigIntegerField()  # the passkey's number; archives have no second factors
    name = models.CharField(max_length=60)
    credential_id = models.BinaryField(unique=True)
    algorithm = models.SmallIntegerField(choices=Algorithm)
    public_key = models.BinaryField()  # ES256: x and y; RS256: the modulus
    origin = models.CharField(max_length=200)  # the address that the browser signs for
    is_first = models.BooleanField(default=False)  # set by the database
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        ordering = ["id"]

    def __str__(self) -> str:
        return self.name


class SigningKeyEnd(models.Model):
    """A key that signs no more: its passkey ended. Written by a trigger; append-only."""

    key = models.OneToOneField(SigningKey, models.PROTECT, related_name="end")
    at = models.DateTimeField()
    by = models.CharField(max_length=150)

    class Meta:
        default_permissions = ()


class OwnerEndorsement(models.Model):
    """The owner of the database endorsed a key, as nobody was left who could. Append-only.

    Written by `manage.py endorse_key` alone; `by`: who decided it, `note`: why.
    """

    key = models.OneToOneField(SigningKey, models.PROTECT, related_name="owner_endorsement")
    by = models.CharField(max_length=150)
    note = models.CharField(max_length=500)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions = ()


class Signature(models.Model):
    """What a person signed with a key of theirs, as the browser gave it. Append-only.

    `source` and `row`: the table and the row of the act; of a key that is endorsed, or registered
    (`registration`), that of the key.
    `statement`: the bytes whose SHA-256 was the challenge (`settlement.signatures.acts`); one
    assertion may stand behind several acts. `system` None: of the installation.
    """

    source = models.CharField(max_length=40)
    row = models.BigIntegerField()
    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, related_name="+"
    )
    key = models.ForeignKey(SigningKey, models.PROTECT, db_index=False, related_name="signatures")
    statement = models.TextField()
    authenticator_data = models.BinaryField()
    client_data = models.BinaryField()
    signature = models.BinaryField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        ordering = ["id"]
        constraints = [UniqueConstraint("source", "row", name="signed_once")]


class SignaturePolicy(models.Model):
    """Which acts of a casino are signed; the newest row counts. By two people; append-only."""

    class Acts(models.TextChoices):
        NONE = "none", _("None")
        LARGE = (
            "large",
            _(
                "Approval, confirmation and payment of claims above the second manager’s amount;"
                " roles and log-ins that are given"
            ),
        )
        ALL = "all", _("All: verification, approval, confirmation, payment, agreement")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    acts = models.CharField(max_length=8, choices=Acts)
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        ordering = ["id"]
        constraints = [
            CheckConstraint(
                condition=Q(acts__in=["none", "large", "all"]), name="acts_to_be_signed"
            )
        ]
