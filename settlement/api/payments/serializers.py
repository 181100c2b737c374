"""What a person sends about payments and proposals, and how a proposal reads."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jackpot.domain.command_handlers import ADJUSTMENTS, METHODS, REVERSALS, TAX
from settlement.api.claims.action_serializers import IRREGULARITY_CODES, LARGEST, password_again
from settlement.approvals.capacities import CAPACITIES
from settlement.core.input import LONGEST_TEXT
from settlement.models import Payout, Proposal
from settlement.pools import adjustments

ADJUSTMENT_REASONS = list(ADJUSTMENTS.items())
REVERSAL_REASONS = [(code, f"{text} ({rule})") for code, (rule, text) in REVERSALS.items()]


class PartsSerializer(serializers.Serializer):
    """Micros by method (19.15)."""

    chips = serializers.IntegerField(min_value=0, max_value=LARGEST, default=0)
    cash = serializers.IntegerField(min_value=0, max_value=LARGEST, default=0)
    equivalent = serializers.IntegerField(min_value=0, max_value=LARGEST, default=0)


class PaymentPartsSerializer(PartsSerializer):
    """Micros by method, and what is withheld for the tax authority beside it."""

    tax = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST,
        default=0,
        help_text="What the rules of the place ask for, see the payment requirements of the claim.",
    )


class PaySerializer(serializers.Serializer):
    """What is handed over to one payee, all that is due or a part of it now; the password again."""

    line = serializers.IntegerField(min_value=1, max_value=10_000)
    parts_micros = PaymentPartsSerializer()
    residence = serializers.ChoiceField(
        Payout.Residence.choices,
        required=False,
        help_text="Where the payee lives: asked for where forms or tax depend on it, and the"
        " identification has no country.",
    )
    without_number = serializers.BooleanField(
        default=False, help_text="The payee gives no taxpayer number."
    )
    withholding_reason = serializers.CharField(
        max_length=LONGEST_TEXT,
        default="",
        allow_blank=True,
        help_text="Why another amount is withheld than the rules of the place ask for.",
    )
    password = password_again()


class LineSerializer(serializers.Serializer):
    """A payee of the claim, by its line."""

    line = serializers.IntegerField(min_value=1, max_value=10_000)


class LineReasonSerializer(LineSerializer):
    """A payee of the claim, and why."""

    reason = serializers.CharField(max_length=LONGEST_TEXT)


class ReversalSerializer(serializers.Serializer):
    """Why a claim should be reversed, and what came back of what was paid."""

    reason = serializers.ChoiceField(REVERSAL_REASONS)
    evidence = serializers.CharField(max_length=LONGEST_TEXT)
    recovered_micros = PartsSerializer(required=False)
    irregularity = serializers.ChoiceField(
        IRREGULARITY_CODES, required=False, help_text="Which misdeal (R08), or dead hand (R10)."
    )


class RejectionReversalSerializer(serializers.Serializer):
    """Why a rejection was wrong."""

    reason = serializers.CharField(max_length=LONGEST_TEXT)
    evidence = serializers.CharField(max_length=LONGEST_TEXT)


class AdjustmentSerializer(serializers.Serializer):
    """An adjustment of a pool or its reserve; below 0 gives back to `source`."""

    into = serializers.ChoiceField(("pool", "reserve"), default="pool")
    source = serializers.ChoiceField(  # type: ignore[assignment]
        ("operator", "pot", "commission", "drop", "to_return")
    )
    amount_micros = serializers.IntegerField(min_value=-(10**16), max_value=10**16)
    reason = serializers.ChoiceField(ADJUSTMENT_REASONS)
    evidence = serializers.CharField(max_length=LONGEST_TEXT)
    below_reset = serializers.CharField(
        max_length=LONGEST_TEXT,
        default="",
        allow_blank=True,
        help_text="Why the pool is left below its reset amount, or empty.",
    )


class DelegationSerializer(serializers.Serializer):
    """Who decides on a claim in the place of whom, and why nobody else can."""

    person = serializers.CharField(max_length=150, help_text="Log-in of the one who decides.")
    capacity = serializers.ChoiceField(sorted(CAPACITIES))
    reason = serializers.CharField(max_length=LONGEST_TEXT)


class WithdrawalSerializer(serializers.Serializer):
    """Why a proposal is withdrawn."""

    note = serializers.CharField(max_length=LONGEST_TEXT)


class ProposedSerializer(serializers.Serializer):
    """What one person proposed and a second one decides on."""

    proposal = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(Proposal.Kind.choices)
    system = serializers.CharField(source="system.code")
    subject = serializers.CharField(help_text="A claim's number, or a code.")
    body = serializers.DictField(help_text="As the command will say it; amounts in micros.")
    person = serializers.CharField(source="person.username")
    at = serializers.DateTimeField()
    decision = serializers.SerializerMethodField(help_text="open, agreed or withdrawn.")
    approved_by = serializers.SerializerMethodField(
        help_text="The first of two managers, where a large adjustment has been approved."
    )
    outlook = serializers.SerializerMethodField(
        help_text="Of an open adjustment: where it would leave the pool or reserve now, in micros."
    )

    def get_decision(self, proposal: Proposal) -> str:
        decision: Any = getattr(proposal, "decision", None)
        if decision is None:
            return "open"
        return "agreed" if decision.agreed else "withdrawn"

    def get_approved_by(self, proposal: Proposal) -> str | None:
        if proposal.kind != Proposal.Kind.ADJUST_POOL:
            return None
        approval = max(proposal.approvals.all(), key=lambda each: each.pk, default=None)
        return approval.person.get_username() if approval else None

    def get_outlook(self, proposal: Proposal) -> dict[str, Any] | None:
        if proposal.kind != Proposal.Kind.ADJUST_POOL or self.get_decision(proposal) != "open":
            return None
        preview = adjustments.preview_of(proposal)
        return {"before": preview.before, "after": preview.after, "refused": preview.refused}


def micros(parts: dict[str, int] | None) -> dict[str, int]:
    """Micros by method, nothing where nothing is said."""
    return {method: (parts or {}).get(method, 0) for method in (*METHODS, TAX)}
