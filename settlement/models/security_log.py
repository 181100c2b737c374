"""Access notes: what the web process alone knows of the doors of the console."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_noop as _


class AccessNote(models.Model):
    """A log-out, a wrong password, a refused action: who, when, from where, what. Append-only.

    `username` is empty where the name is nobody's: it may be a password in the wrong field.
    Written by `settlement.people.security_log.note`, with the time of the database. Log-ins,
    passwords and tokens are in `SecurityEvent`, and the database takes none of them here.
    """

    class What(models.TextChoices):
        LOGGED_OUT = "logged_out", _("Logged out")
        FAILED = "failed", _("Wrong password")
        LOCKED = "locked", _("Locked after wrong passwords")
        ENDED = "ended", _("Log-in ended")
        REFUSED = "refused", _("Action refused")
        EXPORTED = "exported", _("Exported a report")
        CAME_FROM = "came_from", _("Address, as the web process said")

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
                        "came_from",
                    )
                ),
                name="access_note_is_of_the_web",
            )
        ]

    def __str__(self) -> str:
        return f"{self.what}: {self.username}"
