"""Claims and what people did to them; payouts; reconciliations.

Where a claim stands is not stored twice: it is read from its hit and the acts (`claims.py`).
"""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint

from settlement.models_access import AccessToken as AccessToken
from settlement.models_bundle import BundleExport as BundleExport
from settlement.models_floor import Countersignature as Countersignature
from settlement.models_floor import Incident as Incident
from settlement.models_floor import IncidentEnd as IncidentEnd
from settlement.models_floor import Ruling as Ruling
from settlement.models_handover import Handover as Handover
from settlement.models_identification import Identification as Identification
from settlement.models_identification import IdentificationLook as IdentificationLook
from settlement.models_records import Record as Record
from settlement.models_roles import RoleChange as RoleChange
from settlement.models_roles import RolePermissions as RolePermissions
from settlement.models_security_log import AccessNote as AccessNote
from settlement.models_sessions import ConsoleSession as ConsoleSession
from settlement.models_sessions import RoleMark as RoleMark
from settlement.models_sessions import SecurityEvent as SecurityEvent
from settlement.models_staff import MissedRoundsLimit as MissedRoundsLimit
from settlement.models_staff import SecondManagerLimit as SecondManagerLimit
from settlement.models_staff import StaffPlay as StaffPlay
from settlement.models_staff import StaffPlayEnd as StaffPlayEnd
from settlement.models_staff import StaffPlayWord as StaffPlayWord
from settlement.models_staff import TermsFactor as TermsFactor
from settlement.models_workbench import Attachment as Attachment
from settlement.models_workbench import DeckTick as DeckTick
from settlement.models_workbench import Footage as Footage
from settlement.models_workbench import Note as Note
from tables.models import JackpotSystem
from tables.visible import OfClaim, OfSystem


class Claim(models.Model):
    """The claim that a hit opened. `number` is the hit's."""

    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="claims")
    number = models.BigIntegerField()
    opened_at = models.DateTimeField()

    objects = OfSystem()

    class Meta:
        constraints = [UniqueConstraint("system", "number", name="one_claim_a_hit")]
        permissions = [
            ("verify_claim", "Complete the checklist and verify a claim"),
            ("amend_claim", "Amend a reported hand"),
            ("confirm_claim", "Confirm a verified claim"),
            ("propose_rejection", "Propose to reject a claim"),
            ("second_rejection", "Agree to reject a claim"),
            ("pay_claim", "Pay a confirmed claim"),
            ("export_reports", "Export histories, registers and roll-forwards"),
            ("clear_alarm", "Clear an alarm with a note"),
            ("close_gap", "Give up missing events of a table"),
            ("propose_aside", "Propose to set aside what halted a system"),
            ("second_aside", "Agree to set aside what halted a system"),
            ("propose_adjustment", "Propose to adjust a pool"),
            ("second_adjustment", "Agree to adjust a pool"),
            ("propose_reversal", "Propose to reverse a confirmed or paid claim"),
            ("second_reversal", "Agree to reverse a claim"),
            ("withhold_payment", "Withhold a payment and release it"),
            ("book_unclaimed", "Book a payment as unclaimed"),
            ("propose_forfeit", "Propose that a payment is forfeited"),
            ("second_forfeit", "Agree that a payment is forfeited"),
            ("open_dispute", "Note a player's dispute of a claim"),
            ("place_hold", "Place a regulator's hold on a claim"),
            ("propose_resolution", "Propose to resolve a dispute"),
            ("second_resolution", "Agree to resolve a dispute"),
            ("propose_lift", "Propose to lift a regulator's hold"),
            ("second_lift", "Agree to lift a regulator's hold"),
            ("print_slip", "Print the slip of a payment"),
            ("export_bundle", "Export the dispute bundle of a claim"),
            ("propose_terms", "Propose new terms of a jackpot"),
            ("second_terms", "Agree to new terms"),
            ("suspend_jackpot", "Suspend a prize or a table, and resume it"),
            ("propose_closing", "Propose to close a prize"),
            ("second_closing", "Agree to close a prize"),
            ("rule_round", "Rule on rounds and requests of dealers"),
            ("credit_missed", "Credit missed rounds"),
            ("second_missed", "Agree to missed rounds above the limit"),
            ("countersign_missed", "Countersign missed rounds"),
            ("report_incident", "Enter incidents"),
            ("resolve_incident", "Resolve incidents"),
            ("propose_move", "Propose to move a table to another system"),
            ("second_move", "Agree to move a table"),
            ("propose_boots", "Propose to reset the boot counter of a table"),
            ("second_boots", "Agree to reset the boot counter of a table"),
            ("enter_hand", "Enter a hand on the console"),
            ("propose_order", "Propose to settle an order in question"),
            ("second_order", "Agree to settle an order in question"),
            ("propose_delegation", "Propose to delegate a decision on a claim"),
            ("second_delegation", "Agree to delegate a decision on a claim"),
            ("take_delegation", "Decide on a claim by delegation"),
        ]

    def __str__(self) -> str:
        return f"{self.system.code}-{self.number}"


class Act(models.Model):
    """What a person did to a claim, on which version of its report. Append-only.

    The database refuses acts that one person may not do alone (`act_takes_two_people`).
    """

    class Kind(models.TextChoices):
        AMEND = "amend", "amended the report"
        VERIFY = "verify", "verified"
        APPROVE = "approve", "approved as the first of two managers"
        CONFIRM = "confirm", "confirmed"
        PROPOSE_REJECTION = "propose_rejection", "proposed to reject"
        WITHDRAW_REJECTION = "withdraw_rejection", "withdrew the rejection"
        SECOND_REJECTION = "second_rejection", "agreed to reject"
        PAY = "pay", "paid"
        WITHHOLD = "withhold", "withheld a payment"
        RELEASE = "release", "released a payment"
        UNCLAIMED = "unclaimed", "booked a payment as unclaimed"
        DISPUTE = "dispute", "noted a dispute"
        HOLD = "hold_claim", "placed a regulator's hold"
        NAME_ROUND = "name_round", "said in which round the hand was"
        SEPARATE = "separate_hand", "said that it is a hand of its own"
        UNPAIR = "unpair_hand", "said that the unit's hand is another one"

    claim = models.ForeignKey(Claim, models.PROTECT, related_name="acts")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    report_entry = models.BigIntegerField(null=True)  # the version of the report it was done on
    command = models.BigIntegerField(null=True)  # its number, where the act moves money
    body = models.JSONField(default=dict)
    key = models.UUIDField(unique=True)  # of the form: a double click is one act

    objects = OfClaim()

    class Meta:
        ordering = ["id"]
        constraints = [
            CheckConstraint(
                condition=Q(
                    kind__in=[
                        "amend",
                        "verify",
                        "approve",
                        "confirm",
                        "propose_rejection",
                        "withdraw_rejection",
                        "second_rejection",
                        "pay",
                        "withhold",
                        "release",
                        "unclaimed",
                        "dispute",
                        "hold_claim",
                        "name_round",
                        "separate_hand",
                        "unpair_hand",
                    ]
                ),
                name="act_kind",
            )
        ]


class CheckAnswer(models.Model):
    """An answer on a claim's checklist; the newest of an item counts. Append-only.

    `evidence`: what a "yes" to a point that claims a thing refers to (`settlement.evidence`).
    """

    claim = models.ForeignKey(Claim, models.PROTECT, related_name="answers")
    item = models.CharField(max_length=32)
    answer = models.CharField(max_length=3, choices=[("yes", "Yes"), ("no", "No"), ("na", "N/A")])
    note = models.CharField(max_length=500, blank=True)
    evidence = models.JSONField(default=dict, db_default={})
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]


class AsideProposal(models.Model):
    """One person's proposal to set aside what halted a system; the newest counts. Append-only.

    Nothing happens before a second person agrees, who writes the `jackpot.SetAside`: the
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
        ordering = ["id"]


class Proposal(models.Model):
    """What one person proposes and a second one must agree to, before a command is queued.

    `body` is the command's own, `subject` what it is about: the code of a tier or a jackpot, a
    claim's number.
    Append-only; whether it is open is read from its decision. Nothing moves before a second person
    agrees: the database asks for both.
    """

    class Kind(models.TextChoices):
        ADJUST_POOL = "adjust_pool", "adjust a pool"
        REVERSE_CLAIM = "reverse_claim", "reverse a claim"
        REVERSE_REJECTION = "reverse_rejection", "reverse a rejection"
        FORFEIT = "forfeit", "forfeit a payment"
        RESOLVE_DISPUTE = "resolve_dispute", "resolve a dispute"
        LIFT_HOLD = "lift_hold", "lift a regulator's hold"
        PUT_TERMS = "put_terms", "put terms into effect"
        CLOSE_TIER = "close_tier", "close a prize"
        MISSED_ROUNDS = "missed_rounds", "credit missed rounds"
        REFUSE_ROUNDS = "refuse_rounds", "refuse rounds that have figures"
        MOVE_TABLE = "move_table", "move a table to another system"
        SETTLE_ORDER = "settle_order", "settle an order in question"
        RESET_BOOTS = "reset_boots", "reset the boot counter of a table"
        DELEGATE = "delegate_claim", "delegate a decision"

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
        indexes = [models.Index(F("system"), F("kind"), F("subject"), name="proposals_of_subject")]


class ProposalDecision(models.Model):
    """The end of a proposal: agreed to, by a command, or withdrawn. Append-only."""

    proposal = models.OneToOneField(Proposal, models.PROTECT, related_name="decision")
    agreed = models.BooleanField()
    command = models.BigIntegerField(null=True)  # its number, where somebody agreed
    note = models.CharField(max_length=500, blank=True)  # why it was withdrawn
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
    (`settlement.figures`). Append-only.
    """

    proposal = models.ForeignKey(Proposal, models.PROTECT, db_index=False, related_name="retyped")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    figures = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [UniqueConstraint("proposal", "person", name="retyped_once_by_each")]


class Payout(models.Model):
    """The register of what was paid: each part of each line of a claim once. Append-only."""

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

    objects = OfClaim()

    class Meta:
        constraints = [
            UniqueConstraint("claim", "line", "part", name="one_payout_a_part"),
            CheckConstraint(
                condition=Q(amount=F("chips") + F("cash") + F("equivalent"), amount__gt=0),
                name="payout_parts_add_up",
            ),
            CheckConstraint(
                condition=Q(chips__gte=0, cash__gte=0, equivalent__gte=0),
                name="payout_parts_not_below_zero",
            ),
        ]


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


class Reconciliation(models.Model):
    """One recomputation of a system from its rows; differences raise an alarm. Append-only."""

    system = models.ForeignKey(
        JackpotSystem, models.PROTECT, db_index=False, related_name="reconciliations"
    )
    at = models.DateTimeField(auto_now_add=True)
    up_to_seq = models.BigIntegerField()
    from_block = models.BigIntegerField(default=0)  # 0: all of the order was folded
    books_digest = models.BinaryField(null=True)  # of the checkpoint that it left
    entries = models.BigIntegerField()
    transfers = models.BigIntegerField()
    blocks = models.BigIntegerField()
    duration_ms = models.IntegerField()
    differences = models.JSONField(default=list)

    objects = OfSystem()

    class Meta:
        indexes = [models.Index(F("system"), F("id").desc(), name="newest_reconciliation")]


class Checkpoint(models.Model):
    """Where a system's next reconciliation begins: the books of the last one that found no
    difference, replaced by the next. The reconciliation carries their digest.
    """

    system = models.OneToOneField(JackpotSystem, models.PROTECT, primary_key=True)
    reconciliation = models.ForeignKey(Reconciliation, models.PROTECT, related_name="+")
    books = models.JSONField()
