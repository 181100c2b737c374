"""What people gather on a claim: the deck counted, footage, notes, attachments. Append-only."""

from django.conf import settings
from django.db import models

NAME_LENGTH = 150
FINDING_LENGTH = 1000
NOTE_LENGTH = 2000
CAPTION_LENGTH = 200


class DeckTick(models.Model):
    """A card found in the rest of the deck, or a tick taken back; the newest of a card counts."""

    claim = models.ForeignKey("settlement.Claim", models.PROTECT, related_name="ticks")
    card = models.CharField(max_length=2)
    found = models.BooleanField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]


class Footage(models.Model):
    """What surveillance looked at: who reviewed which camera, from when to when (19.12)."""

    claim = models.ForeignKey("settlement.Claim", models.PROTECT, related_name="footage")
    reviewer = models.CharField(max_length=NAME_LENGTH)
    reference = models.CharField(max_length=NAME_LENGTH)  # of the copy that is kept
    camera = models.CharField(max_length=NAME_LENGTH)
    since = models.DateTimeField()
    until = models.DateTimeField()
    finding = models.CharField(max_length=FINDING_LENGTH)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)  # of the form: a double click is one review

    class Meta:
        ordering = ["id"]
        default_permissions = ("add",)


class Note(models.Model):
    """What somebody wrote down about a claim."""

    claim = models.ForeignKey("settlement.Claim", models.PROTECT, related_name="notes")
    text = models.CharField(max_length=NOTE_LENGTH)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)

    class Meta:
        ordering = ["id"]
        default_permissions = ("add",)


class Attachment(models.Model):
    """A photograph, a scan or a PDF with its SHA-256, which the database asks for as well."""

    claim = models.ForeignKey("settlement.Claim", models.PROTECT, related_name="attachments")
    caption = models.CharField(max_length=CAPTION_LENGTH)
    kind = models.CharField(
        max_length=10
    )  # of `settlement.evidence.filetypes`, read from the content
    size = models.IntegerField()
    sha256 = models.BinaryField()
    content = models.BinaryField()
    command = models.BigIntegerField(null=True)  # takes the hash into the order; null: before
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)

    class Meta:
        ordering = ["id"]
        default_permissions = ("add",)
