"""The ledger: tiers, posted terms, accounts and transfers."""

from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint

from tables.models import JackpotSystem
from tables.visibility.managers import OfSystem


class Tier(models.Model):
    """A prize step with its own pool. The counters hold all that was ever added by play."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="tiers")
    code = models.CharField(max_length=32)
    jackpot = models.CharField(max_length=32)
    fed_pool = models.BigIntegerField(default=0)
    fed_reserve = models.BigIntegerField(default=0)
    fed_overflow = models.BigIntegerField(default=0)
    period_from = models.DateTimeField(null=True)  # a high hand: when its present period began
    rolled = models.BigIntegerField(default=0)  # fixed prizes of its periods that nobody won

    objects = OfSystem()

    class Meta:
        constraints = [UniqueConstraint("system", "code", name="tier_once_per_system")]


class Terms(models.Model):
    """Posted terms in effect: a jackpot's whole document under its number. Append-only."""

    pk = models.CompositePrimaryKey("system", "number")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="terms")
    number = models.BigIntegerField()
    jackpot = models.CharField(max_length=32)
    document = models.JSONField()
    effective_seq = models.BigIntegerField()

    objects = OfSystem()

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(number__gte=1, effective_seq__gte=1), name="terms_from_one")
        ]


class Account(models.Model):
    """A balance in micros: what was credited less what was debited."""

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="accounts"
    )
    code = models.CharField(max_length=64)  # "operator", "royal:pool"
    tier = models.ForeignKey(Tier, models.PROTECT, null=True, related_name="accounts")
    balance = models.BigIntegerField(default=0)
    # The system's last transfer when the balance was written: it moves once for each batch.
    moved_through = models.BigIntegerField(db_default=0)

    class Meta:
        constraints = [
            UniqueConstraint("system", "code", name="account_once_per_system"),
            CheckConstraint(
                condition=Q(balance__gte=0)
                | Q(code__in=["operator", "pot", "commission", "drop", "rounding"]),
                name="only_sources_below_zero",
            ),
        ]


class Transfer(models.Model):
    """One amount from a debit to a credit account, both balances after it. Append-only.

    Numbers rise with entries: the transfers of an entry are found by halving
    (`settlement.core.sequence_at`).
    """

    pk = models.CompositePrimaryKey("system", "number")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, db_constraint=False)
    number = models.BigIntegerField()
    entry_seq = models.BigIntegerField()
    debit = models.ForeignKey(
        Account, models.PROTECT, db_index=False, db_constraint=False, related_name="debits"
    )
    credit = models.ForeignKey(
        Account, models.PROTECT, db_index=False, db_constraint=False, related_name="credits"
    )
    amount = models.BigIntegerField()
    debit_after = models.BigIntegerField()
    credit_after = models.BigIntegerField()
    reason = models.CharField(max_length=16)
    hit = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(number__gte=1, entry_seq__gte=1), name="transfer_from_one"),
            CheckConstraint(condition=Q(amount__gt=0), name="transfer_positive"),
            CheckConstraint(condition=~Q(debit=F("credit")), name="transfer_two_accounts"),
        ]
        indexes = [
            models.Index(F("credit"), F("number"), name="transfers_to"),
            # A pool is debited, and credited by anything but a contribution, at hits and decisions
            # alone: what is rare has small indexes of its own.
            models.Index(
                F("debit"),
                F("number"),
                name="rare_transfers_from",
                condition=~Q(reason="contribution"),
            ),
            models.Index(
                F("credit"),
                F("number"),
                name="rare_transfers_to",
                condition=~Q(reason="contribution"),
            ),
        ]
