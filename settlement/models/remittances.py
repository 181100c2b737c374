"""Withheld tax that was handed over to the tax authority, and what was entered wrongly of it."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from tables.models import JackpotSystem
from tables.visibility import OfSystem

REMIT, REVERSE = "remit_tax", "reverse_remittance"
LONGEST_REFERENCE = 100


class TaxRemittance(models.Model):
    """Tax of a system that somebody remitted, or the reversal of such a row. Append-only.

    `command` takes it into the order. A reversal names the row that it undoes, says the same
    amount (micros) and why; a row is reversed once.
    """

    class Kind(models.TextChoices):
        REMIT = REMIT, _("Remitted")
        REVERSE = REVERSE, _("Reversed")

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="remittances"
    )
    kind = models.CharField(max_length=20, choices=Kind)
    amount = models.BigIntegerField()
    reference = models.CharField(max_length=LONGEST_REFERENCE, blank=True)
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")
    reason = models.CharField(max_length=500, blank=True)
    command = models.BigIntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)  # of the form: a double click is one remittance

    objects = OfSystem()

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        permissions = [("remit_tax", "Enter withheld tax that was remitted")]
        constraints = [
            UniqueConstraint("system", "command", name="remittance_of_one_command"),
            CheckConstraint(condition=Q(amount__gt=0), name="remittance_above_zero"),
            CheckConstraint(
                condition=Q(kind=REMIT, reverses__isnull=True) & ~Q(reference="")
                | Q(kind=REVERSE, reverses__isnull=False) & ~Q(reason=""),
                name="remittance_says_what_it_is",
            ),
        ]
