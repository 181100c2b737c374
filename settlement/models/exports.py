"""Dispute bundles that were handed out. Append-only."""

from django.conf import settings
from django.db import models


class BundleExport(models.Model):
    """Who took the dispute bundle of a claim, and which bytes. No person: it was written by the
    command, on the server.
    """

    claim = models.ForeignKey("settlement.Claim", models.PROTECT, related_name="bundles")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)
    sha256 = models.BinaryField()  # of the archive
    size = models.BigIntegerField()  # bytes

    class Meta:
        ordering = ["id"]
        default_permissions = ()
