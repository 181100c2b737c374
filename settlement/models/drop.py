"""Drop and bank: what people counted outside the books, and what they say of a variance."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from tables.models import Casino, GamingTable, JackpotSystem
from tables.visibility.managers import OfSystem

DROP, BANK = "count_drop", "enter_balance"


class MoneyCount(models.Model):
    """The counted drop of a table, or the balance at the bank, of one gaming day. Append-only.

    `command` takes it into the order. `expected` is what the books held of it at the end of the
    day, both in micros. A later row corrects an earlier one, once, and says why in `note`; the one
    that nothing corrects counts. `file`: the SHA-256 of what it was imported from.
    """

    class Kind(models.TextChoices):
        DROP = DROP, _("Drop")
        BANK = BANK, _("Bank balance")

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="money_counts"
    )
    kind = models.CharField(max_length=16, choices=Kind)
    table = models.ForeignKey(GamingTable, models.PROTECT, null=True, related_name="money_counts")
    day = models.DateField()
    amount = models.BigIntegerField()
    expected = models.BigIntegerField()
    corrects = models.OneToOneField("self", models.PROTECT, null=True, related_name="corrected_by")
    file = models.CharField(max_length=64, blank=True)
    note = models.CharField(max_length=500, blank=True)
    command = models.BigIntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)

    objects = OfSystem()

    class Meta:
        constraints = [
            UniqueConstraint("system", "command", name="count_of_one_command"),
            UniqueConstraint(
                "table",
                "day",
                name="drop_counted_once",
                condition=Q(kind=DROP, corrects__isnull=True),
            ),
            UniqueConstraint(
                "system",
                "day",
                name="balance_entered_once",
                condition=Q(kind=BANK, corrects__isnull=True),
            ),
            CheckConstraint(
                condition=Q(kind=DROP, table__isnull=False, amount__gte=0)
                | Q(kind=BANK, table__isnull=True),
                name="drop_is_of_a_table",
            ),
            CheckConstraint(
                condition=Q(corrects__isnull=True) | ~Q(note=""), name="correction_says_why"
            ),
        ]

    @property
    def variance(self) -> int:
        """What was counted less what was expected."""
        return self.amount - self.expected


class Finding(models.Model):
    """A count whose variance is above the house's limit: to be explained and signed. Append-only.

    Opened with the count, whose figures it is about; where a later count corrects that one, nobody
    has to explain it any more.
    """

    count = models.OneToOneField(MoneyCount, models.PROTECT, related_name="finding")
    limit = models.BigIntegerField()  # micros; that was the limit
    at = models.DateTimeField(auto_now_add=True)


class FindingStep(models.Model):
    """What somebody did about a finding; the newest says where it stands. Append-only.

    Somebody takes it and is its owner; the newest owner explains it, another person signs that or
    sends it back with a note.
    """

    class Kind(models.TextChoices):
        TAKE = "take", _("Taken")
        EXPLAIN = "explain", _("Explained")
        SIGN = "sign", _("Signed off")
        RETURN = "return", _("Sent back")

    finding = models.ForeignKey(Finding, models.PROTECT, related_name="steps")
    kind = models.CharField(max_length=16, choices=Kind)
    note = models.CharField(max_length=500, blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            UniqueConstraint("finding", name="finding_signed_once", condition=Q(kind="sign")),
            CheckConstraint(
                condition=Q(kind__in=["take", "sign"]) | ~Q(note=""), name="step_says_why"
            ),
        ]


class CountingRule(models.Model):
    """From a gaming day on the drop, or the bank's balance, is asked for at the close of a day, or
    not; of all that began, the newest row of a kind counts. No row: from the first count on.

    Made by `decide_set_up` for two people; append-only. `since` is later than the day on which it
    was decided (`counting_rule_begins_later`): days that are over stay as they are.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="counting_rules")
    kind = models.CharField(max_length=16, choices=MoneyCount.Kind)
    is_counted = models.BooleanField()
    since = models.DateField()
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        ordering = ["id"]
        constraints = [
            CheckConstraint(condition=~Q(second=F("first")), name="counting_takes_two_people"),
        ]


class VarianceLimit(models.Model):
    """A variance above this amount (micros) opens a finding; the newest row of a kind counts.

    No row: any variance does. Written by the owner, and as two people decide. Append-only.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="variance_limits")
    kind = models.CharField(max_length=16, choices=MoneyCount.Kind)
    amount = models.BigIntegerField()
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(amount__gte=0), name="variance_limit_from_zero"),
            CheckConstraint(
                condition=~Q(second=F("first")), name="variance_limit_takes_two_people"
            ),
        ]
