"""What one person proposes and a second one decides."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from tables.models import JackpotSystem
from tables.visibility.managers import OfSystem


class SkipProposal(models.Model):
    """One person's proposal to skip what halted a system; the newest counts. Append-only.

    Nothing happens before a second person agrees, who writes the `jackpot.models.SkipDecision`: the
    database refuses one without a proposal by somebody else (`set_aside_by_two_people`).
    """

    system = models.ForeignKey(JackpotSystem, models.PROTECT, related_name="aside_proposals")
    event = models.BigIntegerField(null=True)
    command = models.BigIntegerField(null=True)
    reason = models.CharField(max_length=500)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    objects = OfSystem()

    class Meta:
        db_table = "settlement_asideproposal"
        ordering = ["id"]


class Proposal(models.Model):
    """What one person proposes and a second one must agree to, before a command is queued.

    `body` is the command's own, `subject` what it is about: the code of a tier or a jackpot, a
    claim's number.
    Append-only; whether it is open is read from its decision. Nothing moves before a second person
    agrees: the database asks for both.
    """

    class Kind(models.TextChoices):
        ADJUST_POOL = "adjust_pool", _("adjust a pool")
        REVERSE_CLAIM = "reverse_claim", _("reverse a claim")
        REVERSE_REJECTION = "reverse_rejection", _("reverse a rejection")
        FORFEIT = "forfeit", _("forfeit a payment")
        RESOLVE_DISPUTE = "resolve_dispute", _("resolve a dispute")
        LIFT_HOLD = "lift_hold", _("lift a regulator's hold")
        PUT_TERMS = "put_terms", _("put terms into effect")
        CLOSE_TIER = "close_tier", _("close a prize")
        MISSED_ROUNDS = "missed_rounds", _("credit missed rounds")
        REFUSE_ROUNDS = "refuse_rounds", _("refuse rounds that have figures")
        MOVE_TABLE = "move_table", _("move a table to another system")
        SETTLE_ORDER = "settle_order", _("settle an order in question")
        RESET_BOOTS = "reset_boots", _("reset the boot counter of a table")
        DELEGATE = "delegate_claim", _("delegate a decision")
        CLOSE_DAY = "close_day", _("close a gaming day")
        CLOSE_MONTH = "close_month", _("close a month")
        PAY_EXCLUDED = "release_excluded", _("pay an excluded person")
        SAME_PLAYER = "same_player", _("count two numbers as one player")

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="proposals"
    )
    kind = models.CharField(max_length=32, choices=Kind.choices)
    subject = models.CharField(max_length=32)
    body = models.JSONField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.UUIDField(unique=True)  # of the form: a double click is one proposal

    objects = OfSystem()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(F("system"), F("kind"), F("subject"), name="proposals_of_subject"),
            models.Index("id", condition=Q(kind="same_player"), name="proposals_same_player"),
        ]


class ProposalDecision(models.Model):
    """The end of a proposal: agreed to, by a command, or withdrawn. Append-only."""

    proposal = models.OneToOneField(Proposal, models.PROTECT, related_name="decision")
    agreed = models.BooleanField()
    command = models.BigIntegerField(null=True)  # its number, where somebody agreed
    note = models.CharField(max_length=500, blank=True)  # why it was withdrawn; of a close its list
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            CheckConstraint(
                condition=Q(agreed=True, command__isnull=False)
                | Q(agreed=False, command__isnull=True),
                name="agreed_by_a_command",
            )
        ]


class ProposalApproval(models.Model):
    """The first of two managers approves a large adjustment, which another one agrees to.
    Append-only.
    """

    proposal = models.ForeignKey(Proposal, models.PROTECT, db_index=False, related_name="approvals")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [UniqueConstraint("proposal", "person", name="approved_once_by_each")]


class RetypedFigures(models.Model):
    """What one of the two people typed again of proposed terms, by the key of each figure
    (`settlement.terms.figures`). Append-only.
    """

    proposal = models.ForeignKey(Proposal, models.PROTECT, db_index=False, related_name="retyped")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    figures = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [UniqueConstraint("proposal", "person", name="retyped_once_by_each")]
