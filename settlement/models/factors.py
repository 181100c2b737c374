"""Second factors of people: apps, passkeys, codes, who must have one, and links for passwords."""

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import Q, UniqueConstraint
from django.db.models.functions import Now
from django.utils.translation import gettext_noop as _


class SecondFactor(models.Model):
    """What a person has beside the password; `ended_at` None: it holds.

    `material`: the secret of an authenticator app, sealed with the key of the environment, or the
    id and public key of a passkey. `count`: the newest time step whose code was taken, or the
    signature counter of the passkey; it never falls, so a code is good once.
    `wrong`: codes that came with the right password since something else was shown, up to ten.
    """

    class Kind(models.TextChoices):
        TOTP = "totp", _("Authenticator app")
        PASSKEY = "passkey", _("Passkey")

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="second_factors"
    )
    kind = models.CharField(max_length=8, choices=Kind)
    name = models.CharField(max_length=60)
    material = models.BinaryField()
    count = models.BigIntegerField()
    wrong = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(db_default=Now())
    used_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        permissions = [
            ("reset_second_factor", "Propose a reset of second factors"),
            ("set_factor_demand", "Say which roles need a second factor"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=("totp", "passkey")), name="second_factor_kind"
            )
        ]

    def __str__(self) -> str:
        return self.name


class RecoveryCode(models.Model):
    """Good once in the place of a code, if the phone is lost. `digest`: SHA-256 of 80 random bits.

    A new set ends the one before.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="recovery_codes"
    )
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField(db_default=Now())
    used_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        default_permissions = ()


class EnrolmentCode(models.Model):
    """Good once, for the first device after a reset; `second`, who agreed to it, hands it over.

    Written by functions of the database. `digest`: SHA-256 of 80 random bits, empty until it is
    drawn. `second` None: the owner of the database did it.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="enrolment_codes"
    )
    second = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", db_index=False
    )
    digest = models.CharField(max_length=64, blank=True)
    made_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        default_permissions = ()


class PasswordCode(models.Model):
    """Good once, for a new password; `second`, who agreed to it, hands it over within an hour.

    Written by functions of the database. `digest`: SHA-256 of 80 random bits, empty until it is
    drawn.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="password_codes"
    )
    second = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    digest = models.CharField(max_length=64, blank=True)
    made_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        default_permissions = ()


class PasswordLink(models.Model):
    """A link by which a person sets a password that was forgotten; good once.

    The web process draws half of its secret: `digest`, and `sealed` for the worker, which draws the
    other half (`mailed_digest`, empty until then) and mails both.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="password_links"
    )
    digest = models.CharField(max_length=64)
    sealed = models.TextField()
    mailed_digest = models.CharField(max_length=64, blank=True, db_default="")
    made_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        default_permissions = ()


class FactorDemand(models.Model):
    """Whether a role needs a second factor from now on; the newest row of a role counts.

    Append-only. Of a role without a row its permissions say it (see `people.factors.demand`).
    `decision`: with which a second person agreed that it needs none any more.
    """

    role = models.ForeignKey(Group, models.PROTECT, db_index=False, related_name="factor_demands")
    demanded = models.BooleanField()
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    decision = models.OneToOneField(
        "settlement.SetUpDecision", models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        default_permissions = ()


class Preference(models.Model):
    """How pages look for a person, on whatever device."""

    class Theme(models.TextChoices):
        DARK = "dark", _("Dark")
        LIGHT = "light", _("Light")
        SYSTEM = "system", _("Setting of the device")

    class TextSize(models.TextChoices):
        NORMAL = "normal", _("Normal")
        LARGE = "large", _("Large")
        LARGER = "larger", _("Very large")

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="preference"
    )
    # Both empty: nothing was chosen.
    theme = models.CharField(max_length=8, choices=Theme)
    text_size = models.CharField(max_length=8, choices=TextSize)
    language = models.CharField(max_length=8, blank=True, default="", db_default="")
    """A code of `LANGUAGES`; empty: that of the house, else of the browser."""
    tour = models.PositiveSmallIntegerField(null=True)
    """The page of the guided tour, from 1 on; 0: over; none: not offered yet."""

    class Meta:
        default_permissions = ()


class SavedView(models.Model):
    """A list as a person wants it: what it is narrowed to, and by what it is sorted."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, db_index=False, related_name="+"
    )
    page = models.CharField(max_length=40)  # the name of its address
    name = models.CharField(max_length=40)
    query = models.CharField(max_length=1000)
    is_default = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        ordering = ["name", "id"]
        constraints = [
            UniqueConstraint("person", "page", "name", name="saved_view_once"),
            UniqueConstraint(
                fields=["person", "page"],
                name="one_default_view",
                condition=Q(is_default=True),
            ),
        ]
