"""Access tokens: how programs read the API."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q
from django.db.models.functions import Now


class AccessToken(models.Model):
    """Reads the API as its person, without their password; nothing can be done with it.

    The token itself is kept nowhere: `digest` is its SHA-256 in hexadecimal.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="access_tokens"
    )
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(db_default=Now())
    proof = models.BinaryField(null=True)  # of the password; the guard looks and keeps it not
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)  # to the hour

    class Meta:
        ordering = ["-id"]
        constraints = [
            CheckConstraint(condition=Q(expires_at__gt=F("made_at")), name="token_ends_later")
        ]
