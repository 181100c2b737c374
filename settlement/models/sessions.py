"""Log-ins, and the log of what concerns them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.module_loading import import_string


class ConsoleSession(AbstractBaseSession):
    """A session under a hash of its key: whoever reads the table has no cookie.

    `person`: who logged in; the database takes a name only with the proof of the password
    (`settlement.people.passwords`), which is not kept.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+", db_index=False
    )
    proof = models.BinaryField(null=True)

    class Meta:
        db_table = "console_session"
        default_permissions = ()

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
    """A log-in, or a change of who may log in. Written by triggers alone; append-only.

    `by`: the role of the database under which it happened.
    """

    at = models.DateTimeField()
    what = models.CharField(max_length=40)
    username = models.CharField(max_length=150)
    by = models.CharField(max_length=63)
    detail = models.CharField(max_length=200)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.what}: {self.username}"
