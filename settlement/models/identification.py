"""Who the players of a claim are: separate from all else, and each look at it is recorded.

No process reads the personal columns: `look_at_identification` of the database gives them to the
web process, and writes down who looked.
"""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q
from django.utils.translation import gettext_lazy

LONGEST = {"name": 200, "document_number": 60, "tax_number": 40, "address": 300, "note": 500}


class Identification(models.Model):
    """A player identified by a document; the newest of a seat counts. Append-only.

    `shares`: of somebody who sat nowhere and has a part of a prize (`Sharer`), the seat that won
    it; then there is no `seat`.
    `tax_number`, `address`, `country`: for forms and tax, where the player gave them; `country` of
    residence, by ISO 3166-1.
    """

    class Document(models.TextChoices):
        PASSPORT = "passport", gettext_lazy("Passport")
        IDENTITY_CARD = "identity_card", gettext_lazy("Identity card")
        DRIVER_LICENCE = "driver_licence", gettext_lazy("Driver licence")
        OTHER = "other", gettext_lazy("Other document with a photograph")

    claim = models.ForeignKey("settlement.Claim", models.PROTECT, related_name="identifications")
    seat = models.SmallIntegerField(null=True)
    shares = models.SmallIntegerField(null=True)
    name = models.CharField(max_length=LONGEST["name"])
    born = models.DateField()
    document = models.CharField(max_length=20, choices=Document.choices)
    document_number = models.CharField(max_length=LONGEST["document_number"])
    tax_number = models.CharField(max_length=LONGEST["tax_number"], blank=True)
    address = models.CharField(max_length=LONGEST["address"], blank=True)
    country = models.CharField(max_length=2, blank=True)
    note = models.CharField(max_length=LONGEST["note"], blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)  # of the form: a double click is one identification

    class Meta:
        ordering = ["id"]
        default_permissions = ("add", "view")
        permissions = [
            ("propose_same_player", "Propose that two numbers are one player"),
            ("second_same_player", "Agree that two numbers are one player"),
        ]
        constraints = [
            CheckConstraint(
                condition=Q(country__regex="^([A-Z]{2})?$"), name="identification_country"
            ),
            CheckConstraint(
                condition=Q(seat__isnull=False) ^ Q(shares__isnull=False),
                name="identification_of_one_place",
            ),
        ]
        # Who is known by the same document, or may be the same person, is found by the birthday.
        indexes = [models.Index(F("born"), F("document"), name="identifications_by_birth")]

    def __str__(self) -> str:
        return f"identification {self.pk}"  # no name: this may stand in a log


class Sharer(models.Model):
    """Somebody who sat nowhere and has a part of what a seat won of a claim, or the reversal of
    such a row. Append-only.

    `amount`: of what the seat won, in micros; all that is left is the player's own. A reversal
    names the row that it undoes, says the same and why. What is added after something was paid is a
    correction, and says why as well. Who it is stands in the identification alone.
    """

    class Kind(models.TextChoices):
        ADDED = "added", gettext_lazy("Added")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")

    claim = models.ForeignKey("settlement.Claim", models.PROTECT, related_name="sharers")
    seat = models.SmallIntegerField()  # of the player who is paid
    kind = models.CharField(max_length=10, choices=Kind)
    identification = models.ForeignKey(
        Identification, models.PROTECT, db_index=False, related_name="+"
    )
    amount = models.BigIntegerField()
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")
    reason = models.CharField(max_length=LONGEST["note"], blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)  # of the form: a double click is one sharer

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [
            CheckConstraint(condition=Q(amount__gt=0), name="sharer_above_zero"),
            CheckConstraint(
                condition=Q(kind="added", reverses__isnull=True)
                | Q(kind="withdrawn", reverses__isnull=False) & ~Q(reason=""),
                name="sharer_says_what_it_is",
            ),
        ]


class IdentificationLook(models.Model):
    """Who looked at the identifications of a claim, when and what for. Append-only."""

    class Purpose(models.TextChoices):
        VERIFY = "verify", gettext_lazy("To verify the claim")
        DECIDE = "decide", gettext_lazy("To decide on the claim")
        PAY = "pay", gettext_lazy("To pay")
        REVIEW = "review", gettext_lazy("Review by compliance or a regulator")
        FORM = "form", gettext_lazy("To draft a form")
        FILED = "filed", gettext_lazy("To read a filed form")

    claim = models.ForeignKey("settlement.Claim", models.PROTECT, related_name="looks")
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [
            CheckConstraint(
                condition=Q(purpose__in=["verify", "decide", "pay", "review", "form", "filed"]),
                name="look_purpose",
            )
        ]
