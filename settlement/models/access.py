"""Who is at the console: log-ins, access tokens, and the logs of what concerns them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import CheckConstraint, F, Q
from django.db.models.functions import Now
from django.utils.module_loading import import_string
from django.utils.translation import gettext_noop as _

from settlement.models.records import LONGEST_ADDRESS, came_from
from tables.models import Casino
from tables.visibility.managers import OfCasinoOrNone

# Of `settlement.people.rights.scopes`: without what proposes, for two people are two people.
PROGRAM_SCOPES = (
    *("read:floor", "read:claims", "read:decisions", "read:drop", "read:exclusions"),
    *("write:evidence", "write:sharers", "write:incidents", "write:drop", "write:webhooks"),
)


class AccessToken(models.Model):
    """Lets a program use the API as its person, within `scopes` (see `people.rights.scopes`).

    The token itself is kept nowhere: `digest` is its SHA-256 in hexadecimal. `systems`: their ids,
    None for all that the person sees. `ended_by`: who ended it, where that was somebody else.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="access_tokens"
    )
    name = models.CharField(max_length=60)
    scopes = ArrayField(models.CharField(max_length=20))
    systems = ArrayField(models.BigIntegerField(), null=True)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(db_default=Now())
    proof = models.BinaryField(null=True)  # of the password; the guard looks and keeps it not
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    used_at = models.DateTimeField(null=True)  # to the hour
    issued_by = models.ForeignKey(  # of a program that is nobody's
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, db_index=False, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            CheckConstraint(condition=Q(expires_at__gt=F("made_at")), name="token_ends_later"),
            CheckConstraint(condition=Q(scopes__len__gt=0), name="token_has_a_scope"),
        ]


class Program(models.Model):
    """The mark of a log-in name that is a program's and nobody's: it logs in nowhere.

    `owner` answers for it. `scopes` and `systems` (their ids; None: all of its casino) are the most
    that its tokens have. `casino` None: every casino. Made by `add_program` alone; of it nothing
    but the owner ever changes.
    """

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="program"
    )
    casino = models.ForeignKey(
        Casino, models.PROTECT, null=True, db_index=False, related_name="programs"
    )
    purpose = models.CharField(max_length=200)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, related_name="+"
    )
    scopes = ArrayField(models.CharField(max_length=20))
    systems = ArrayField(models.BigIntegerField(), null=True)
    made_at = models.DateTimeField(db_default=Now())

    objects = OfCasinoOrNone()

    class Meta:
        default_permissions = ()
        constraints = [
            CheckConstraint(
                condition=Q(scopes__len__gt=0, scopes__contained_by=[*PROGRAM_SCOPES]),
                name="program_has_scopes_of_programs",
            )
        ]


class ConsoleSession(AbstractBaseSession):
    """A session under a hash of its key: whoever reads the table has no cookie.

    `person`: who logged in; the database takes a name only with the proof of the password
    (`settlement.people.passwords`), which is not kept. `locked_at`: from then on nobody acts by
    it, until `unlock_session` opens it again; `wrong_pins` since then. `tablet`: the shared one at
    which it began, where nobody else's is open beside it.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+", db_index=False
    )
    proof = models.BinaryField(null=True)
    locked_at = models.DateTimeField(null=True)
    wrong_pins = models.PositiveSmallIntegerField(default=0, db_default=0)
    tablet = models.ForeignKey(
        "settlement.SharedTablet", models.CASCADE, null=True, related_name="+", db_index=False
    )

    class Meta:
        db_table = "console_session"
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["tablet"], condition=Q(locked_at=None), name="one_is_open_at_a_tablet"
            )
        ]

    @classmethod
    def get_session_store_class(cls) -> type:
        return import_string(f"{settings.SESSION_ENGINE}.SessionStore")


class RoleMark(models.Model):
    """SHA-256 of what the server keeps of a database role's password, as `grant_roles` found it.

    In a row of its own ("jackpot_web settings") that of the role's settings.
    """

    role = models.CharField(max_length=63, primary_key=True)
    mark = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.role


class SecurityEvent(models.Model):
    """A log-in, a change of who may log in, or a delivery of a scheduled report.

    Written by triggers alone; append-only.

    `by`: the role of the database under which it happened. `address`: from where, as the web
    process said.
    """

    at = models.DateTimeField()
    what = models.CharField(max_length=40)
    username = models.CharField(max_length=150)
    by = models.CharField(max_length=63)
    detail = models.CharField(max_length=200)
    address = models.CharField(max_length=LONGEST_ADDRESS, db_default=came_from())

    class Meta:
        default_permissions = ()
        indexes = [models.Index(F("at"), F("id"), name="security_events_by_time")]

    def __str__(self) -> str:
        return f"{self.what}: {self.username}"


class AccessNote(models.Model):
    """A log-out, a wrong password, a refused action: who, when, from where, what. Append-only.

    `username` is empty where the name is nobody's: it may be a password in the wrong field.
    Written by `settlement.people.shared.security_log.note`, with the time of the database. Log-ins,
    passwords and tokens are in `SecurityEvent`, and the database takes none of them here.
    """

    class What(models.TextChoices):
        LOGGED_OUT = "logged_out", _("Logged out")
        FAILED = "failed", _("Wrong password")
        LOCKED = "locked", _("Locked after wrong passwords")
        ENDED = "ended", _("Log-in ended")
        REFUSED = "refused", _("Action refused")
        EXPORTED = "exported", _("Exported a report")
        EXPORT_CANCELLED = "export_cancelled", _("Cancelled an export")
        PASSWORD_ASKED = "password_asked", _("A new password asked for by mail")
        CAME_FROM = "came_from", _("Address, as reported by the web process")
        NEW_DEVICE = "new_device", _("New device")
        FILE_OPENED = "file_opened", _("Opened a file of a claim")

    at = models.DateTimeField(db_default=Now())
    what = models.CharField(max_length=20, choices=What.choices)
    username = models.CharField(max_length=150, blank=True)
    address = models.CharField(max_length=45, blank=True)
    detail = models.CharField(max_length=200, blank=True)

    class Meta:
        default_permissions = ("view",)
        indexes = [models.Index(fields=["at"], name="access_at")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    what__in=(
                        *("logged_out", "failed", "locked", "ended", "refused", "exported"),
                        *("password_asked", "came_from", "new_device", "file_opened"),
                        "export_cancelled",
                    )
                ),
                name="access_note_is_of_the_web",
            )
        ]

    def __str__(self) -> str:
        return f"{self.what}: {self.username}"
