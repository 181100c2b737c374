"""What was paid, the slips that were printed, and withheld tax that was remitted."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from settlement.models.claims import Claim
from settlement.models.identification import Sharer
from tables.models import JackpotSystem
from tables.visibility.managers import OfClaim, OfSystem


class Payout(models.Model):
    """The register of what was paid: each part of each line of a claim once. Append-only.

    `amount` is handed over by method but for the `tax` that was withheld; in micros. `residence`:
    where the payee lives, as the cashier said, where the rules of the place ask for it.
    """

    class Residence(models.TextChoices):
        RESIDENT = "resident", _("Lives in this country")
        FOREIGN = "foreign", _("Lives abroad")

    claim = models.ForeignKey(Claim, models.PROTECT, db_index=False, related_name="payouts")
    line = models.SmallIntegerField()  # of the claim's payees
    part = models.SmallIntegerField()  # its first payment, its second ...
    seat = models.SmallIntegerField()
    entry_seq = models.BigIntegerField()
    at = models.DateTimeField()
    cashier = models.CharField(max_length=150)
    amount = models.BigIntegerField()
    chips = models.BigIntegerField()
    cash = models.BigIntegerField()
    equivalent = models.BigIntegerField()
    tax = models.BigIntegerField(default=0)
    residence = models.CharField(max_length=10, choices=Residence, blank=True)

    objects = OfClaim()

    class Meta:
        constraints = [
            UniqueConstraint("claim", "line", "part", name="one_payout_a_part"),
            CheckConstraint(
                condition=Q(
                    amount=F("chips") + F("cash") + F("equivalent") + F("tax"), amount__gt=0
                ),
                name="payout_parts_add_up",
            ),
            CheckConstraint(
                condition=Q(chips__gte=0, cash__gte=0, equivalent__gte=0, tax__gte=0),
                name="payout_parts_not_below_zero",
            ),
            CheckConstraint(
                condition=Q(residence__in=["", "resident", "foreign"]), name="payout_residence"
            ),
        ]

    @property
    def net(self) -> int:
        """What was handed over."""
        return self.amount - self.tax


class SlipPrint(models.Model):
    """A slip that was printed: 0 is the original, each reprint a copy with its number. Append-only.

    `digest`: SHA-256 of the PDF as it was handed out; `content`: what the original says.
    """

    payout = models.ForeignKey(Payout, models.PROTECT, db_index=False, related_name="prints")
    copy = models.SmallIntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    digest = models.BinaryField()
    content = models.JSONField(null=True)

    class Meta:
        constraints = [
            UniqueConstraint("payout", "copy", name="one_print_a_copy"),
            CheckConstraint(
                condition=Q(copy=0, content__isnull=False) | Q(copy__gt=0, content__isnull=True),
                name="original_keeps_what_it_says",
            ),
        ]


REMIT, REVERSE = "remit_tax", "reverse_remittance"
LONGEST_REFERENCE = 100


class FormFiling(models.Model):
    """A form that somebody filed with the authority, or the reversal of such a row. Append-only.

    It is that of this name which the payment is the first of (`settlement.jurisdiction.forms_due`);
    `sharer`: of whom it is, where that is not the payee.
    `amount`: what it said, in micros. `number`: rows of one form count up, so that of two who enter
    at once one is refused. A reversal names the row that it undoes and says why.
    """

    class Kind(models.TextChoices):
        FILED = "filed", _("Filed")
        REVERSED = "reversed", _("Reversed")

    payout = models.ForeignKey(Payout, models.PROTECT, db_index=False, related_name="filings")
    sharer = models.ForeignKey(
        Sharer, models.PROTECT, null=True, db_index=False, related_name="filings"
    )
    form = models.CharField(max_length=120)
    number = models.SmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    amount = models.BigIntegerField()
    filed_on = models.DateField()
    reference = models.CharField(max_length=LONGEST_REFERENCE, blank=True)
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")
    reason = models.CharField(max_length=500, blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)  # of the page: a double click is one filing

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        permissions = [("file_form", "Enter that a form was filed")]
        constraints = [
            UniqueConstraint("payout", "form", "number", name="filings_of_a_form_count_up"),
            CheckConstraint(
                condition=Q(kind="filed", reverses__isnull=True) & ~Q(reference="")
                | Q(kind="reversed", reverses__isnull=False) & ~Q(reason=""),
                name="filing_says_what_it_is",
            ),
        ]


class Unread(models.Manager["FilingFile"]):
    """Files without their content: the processes do not read that."""

    def get_queryset(self) -> models.QuerySet["FilingFile"]:
        return super().get_queryset().defer("content")


class FilingFile(models.Model):
    """A file as it was sent to the authority with a filing. Append-only.

    Its SHA-256 the database computes, and it stands in the record of the row. No process reads the
    content: it says who the player is (`give_filing_file`). `number`: files of a filing count up.
    """

    class Kind(models.TextChoices):
        PDF = "pdf", "PDF"
        XML = "xml", "XML"

    filing = models.ForeignKey(FormFiling, models.PROTECT, db_index=False, related_name="files")
    number = models.SmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    size = models.IntegerField()
    sha256 = models.BinaryField()
    content = models.BinaryField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)

    objects = Unread()

    class Meta:
        ordering = ["number"]
        default_permissions = ()
        constraints = [
            UniqueConstraint("filing", "number", name="files_of_a_filing_count_up"),
            CheckConstraint(condition=Q(number__range=(1, 5)), name="files_of_a_filing_are_few"),
            CheckConstraint(condition=Q(kind__in=["pdf", "xml"]), name="filing_file_kind"),
        ]

    def __str__(self) -> str:
        return f"file {self.number} of filing {self.filing_id}"

    @property
    def digest(self) -> str:
        return bytes(self.sha256).hex()


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
