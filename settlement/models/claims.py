"""Claims, what people did to them, and the answers of their checklists."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from tables.models import JackpotSystem
from tables.visibility.managers import OfClaim, OfSystem


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
            ("propose_aside", "Propose to skip the entry that halted a system"),
            ("second_aside", "Approve skipping the entry that halted a system"),
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
            ("propose_day_close", "Propose to close a gaming day or month"),
            ("second_day_close", "Agree to close a gaming day or month"),
            ("count_drop", "Enter the counted drop of tables"),
            ("enter_balance", "Enter balances at the bank"),
            ("explain_finding", "Explain a variance of drop or bank"),
            ("sign_finding", "Sign off the explanation of a variance"),
            ("view_dashboard", "See the dashboard of figures and charts"),
        ]

    def __str__(self) -> str:
        return f"{self.system.code}-{self.number}"


class Action(models.Model):
    """What a person did to a claim, on which version of its report. Append-only.

    The database refuses actions that one person may not do alone (`action_takes_two_people`).
    """

    class Kind(models.TextChoices):
        AMEND = "amend", _("amended the report")
        VERIFY = "verify", _("verified")
        APPROVE = "approve", _("approved as the first of two managers")
        CONFIRM = "confirm", _("confirmed")
        PROPOSE_REJECTION = "propose_rejection", _("proposed to reject")
        WITHDRAW_REJECTION = "withdraw_rejection", _("withdrew the rejection")
        SECOND_REJECTION = "second_rejection", _("agreed to reject")
        PAY = "pay", _("paid")
        WITHHOLD = "withhold", _("withheld a payment")
        RELEASE = "release", _("released a payment")
        UNCLAIMED = "unclaimed", _("booked a payment as unclaimed")
        DISPUTE = "dispute", _("noted a dispute")
        HOLD = "hold_claim", _("placed a regulator's hold")
        NAME_ROUND = "name_round", _("entered the round of the hand")
        SEPARATE = "separate_hand", _("decided that it is a separate hand")
        UNPAIR = "unpair_hand", _("decided that the unit's hand is a different one")

    claim = models.ForeignKey(Claim, models.PROTECT, related_name="actions")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    report_entry = models.BigIntegerField(null=True)  # the version of the report it was done on
    command = models.BigIntegerField(null=True)  # its number, where the action moves money
    body = models.JSONField(default=dict)
    key = models.UUIDField(unique=True)  # of the form: a double click is one action

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

    `evidence`: what a "yes" to a point that claims a thing refers to
    (`settlement.evidence.records`).
    """

    claim = models.ForeignKey(Claim, models.PROTECT, related_name="answers")
    item = models.CharField(max_length=32)
    answer = models.CharField(
        max_length=3, choices=[("yes", _("Yes")), ("no", _("No")), ("na", "N/A")]
    )
    note = models.CharField(max_length=500, blank=True)
    evidence = models.JSONField(default=dict, db_default={})
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
