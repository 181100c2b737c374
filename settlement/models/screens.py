"""Screens that lock: PINs, badges, shared tablets, and after how long each role's locks."""

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import CheckConstraint, Q
from django.db.models.functions import Now

from tables.models import Casino
from tables.visibility.managers import OfCasino


class Pin(models.Model):
    """A person's PIN, hashed with Argon2: what of the hash the database compares, and the rest.

    `seal`: SHA-256 of the hash. `material`: salt and parameters, sealed with the key of the
    environment, without which nobody tries out the few PINs that there are. Written by functions
    of the database alone (`settlement.people.factors.pins`).
    """

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    material = models.BinaryField()
    seal = models.CharField(max_length=43)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions = ()


class Badge(models.Model):
    """The number on a person's badge. Written by `set_badge` alone, which writes it down."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="badge"
    )
    number = models.CharField(max_length=20, unique=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.number


class SharedTablet(models.Model):
    """A browser at which people of a casino take turns. `digest`: SHA-256 of what its cookie holds.

    Written by `add_tablet` and `end_tablet` alone.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, db_index=False, related_name="tablets")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(db_default=Now())
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, related_name="+"
    )
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, null=True, related_name="+"
    )

    objects = OfCasino()

    class Meta:
        default_permissions = ()
        ordering = ["casino", "name", "id"]

    def __str__(self) -> str:
        return self.name


class IdleLimit(models.Model):
    """After so many minutes without a touch the screen of a role locks, in a casino from then on.

    The newest row of casino and role counts. Append-only; made by `decide_set_up` for two people.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    role = models.ForeignKey(Group, models.PROTECT, db_index=False, related_name="+")
    minutes = models.PositiveSmallIntegerField()
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [
            CheckConstraint(condition=Q(minutes__gte=1, minutes__lte=240), name="idle_minutes")
        ]
