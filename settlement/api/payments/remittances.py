"""Withheld tax through the API: the balance and remittances, entering and reversing one; and what
paying each payee of a claim asks for by the rules of the place."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED

from jackpot.domain.command_handlers.remittances import MOST
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.claims import services as claims
from settlement.claims.lookup import claim_named
from settlement.core.input import LONGEST_TEXT
from settlement.jurisdiction.payments import PayeeStatement, PaymentRequirements, requirements
from settlement.models import Payout, TaxRemittance
from settlement.models.payouts import LONGEST_REFERENCE
from settlement.payments import remittances
from tables.models import JackpotSystem

TAGS = ["withheld tax"]


class RemittanceSerializer(serializers.Serializer):
    """Tax that was remitted, or the reversal of such an entry."""

    remittance = serializers.IntegerField(source="row.pk")
    kind = serializers.ChoiceField(TaxRemittance.Kind.choices, source="row.kind")
    amount_micros = serializers.IntegerField(source="row.amount")
    reference = serializers.CharField(source="row.reference")
    reverses = serializers.IntegerField(source="row.reverses_id", allow_null=True)
    reason = serializers.CharField(source="row.reason")
    person = serializers.CharField(source="row.person.username")
    at = serializers.DateTimeField(source="row.at")
    refused = serializers.CharField(help_text="Why the order did not take it; else empty.")
    queued = serializers.BooleanField(source="is_queued", help_text="The order has not taken it.")


class RemitSerializer(serializers.Serializer):
    """What was remitted, and under which reference."""

    amount_micros = serializers.IntegerField(min_value=1, max_value=MOST)
    reference = serializers.CharField(max_length=LONGEST_REFERENCE)


class ReverseRemittanceSerializer(serializers.Serializer):
    """Why a remittance is undone."""

    reason = serializers.CharField(max_length=LONGEST_TEXT)


class EnteredRemittanceSerializer(serializers.Serializer):
    """What was entered, with what is withheld and not remitted now."""

    remittance = serializers.IntegerField()
    due_micros = serializers.IntegerField(help_text="Withheld and not remitted.")
    remitted_micros = serializers.IntegerField()


class Remittances(ListView):
    get_scope = "read:drop"
    post_scope = "write:drop"
    order = ("-row__pk",)
    post_permission = "remit_tax"

    @extend_schema(operation_id="remittances", responses=RemittanceSerializer(many=True), tags=TAGS)
    def get(self, _request: Request, system: str) -> Response:
        """Every remittance of a system and every reversal, the newest first."""
        return self.list_answer(remittances.remittances_of(_system(system)), RemittanceSerializer)

    @extend_schema(
        operation_id="remit_tax",
        request=RemitSerializer,
        responses={201: EnteredRemittanceSerializer},
        tags=TAGS,
    )
    def post(self, request: Request, system: str) -> Response:
        """Enter that withheld tax was remitted."""
        jackpot_system = _system(system)
        body = checked(RemitSerializer, request)
        row = remittances.remit(
            jackpot_system,
            request.user,
            body["amount_micros"],
            body["reference"],
            key=key_of(request),
        )
        return _entered(row)


class RemittanceReversal(JsonView):
    post_scope = "write:drop"
    post_permission = "remit_tax"

    @extend_schema(
        operation_id="reverse_remittance",
        request=ReverseRemittanceSerializer,
        responses={201: EnteredRemittanceSerializer},
        tags=TAGS,
    )
    def post(self, request: Request, system: str, number: int) -> Response:
        """Undo a remittance that was entered wrongly."""
        row = TaxRemittance.objects.select_related("system__casino").filter(
            system=_system(system), pk=number
        )
        if not row:
            raise Http404
        body = checked(ReverseRemittanceSerializer, request)
        return _entered(
            remittances.reverse(row[0], request.user, body["reason"], key=key_of(request))
        )


def _entered(row: TaxRemittance) -> Response:
    balance = remittances.balance(row.system)
    entered = {
        "remittance": row.pk,
        "due_micros": balance.due,
        "remitted_micros": balance.remitted,
    }
    return Response(EnteredRemittanceSerializer(entered).data, HTTP_201_CREATED)


def _system(code: str) -> JackpotSystem:
    system = JackpotSystem.objects.select_related("casino").filter(code=code).first()
    if system is None:
        raise Http404
    return system


class DutySerializer(serializers.Serializer):
    """Something that paying a payee asks for."""

    text = serializers.CharField()
    source = serializers.CharField(help_text="Where it stands.")  # type: ignore[assignment]
    applies_to = serializers.ChoiceField(
        ("any", *Payout.Residence.values),
        source="residence",
        help_text="Whose payment asks for it, by where they live.",
    )


class RequirementsSerializer(serializers.Serializer):
    """What paying all that is due to one payee asks for now."""

    line = serializers.IntegerField()
    seat = serializers.IntegerField()
    due_micros = serializers.IntegerField(help_text="Before tax.")
    paid_today_micros = serializers.IntegerField(
        allow_null=True, help_text="To this person before; null: nobody is identified."
    )
    cash_today_micros = serializers.IntegerField(allow_null=True, help_text="Of it in cash.")
    asks_residence = serializers.BooleanField()
    residence = serializers.ChoiceField(
        Payout.Residence.choices,
        source="home",
        allow_blank=True,
        help_text="Where the payee lives, by the country of the identification; empty: unknown.",
    )
    tax_micros = serializers.DictField(
        child=serializers.IntegerField(), help_text="What is withheld, by residence."
    )
    tax_without_number_micros = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="The same of a payee who gives no taxpayer number.",
    )
    duties = DutySerializer(many=True)


class Requirements(ListView):
    get_scope = "read:claims"
    order = ("line",)

    @extend_schema(
        operation_id="payment_requirements",
        responses=RequirementsSerializer(many=True),
        tags=["claims"],
    )
    def get(self, _request: Request, system: str, number: int) -> Response:
        """What the rules of the place ask for before each payee of a claim is paid."""
        claim = claim_named("GET", system, number)
        hit = claims.hit_of(claim)
        lines = [line for line in hit.payee_lines if line.is_payable]
        needed = requirements(claim, hit, [(line, line.rest) for line in lines])
        rows = [_row(line.line, line.seat, needed[line.line]) for line in lines]
        return self.list_answer(rows, RequirementsSerializer)


def _tax(needed: PaymentRequirements, *, without_number: bool) -> dict[str, int]:
    homes = ("any", *Payout.Residence.values)
    return {home: needed.tax(PayeeStatement(home, without_number)) for home in homes}


def _row(line: int, seat: int, needed: PaymentRequirements) -> dict[str, object]:
    day = needed.day
    return {
        "line": line,
        "seat": seat,
        "due_micros": needed.amount,
        "paid_today_micros": day.total if day else None,
        "cash_today_micros": day.cash if day else None,
        "asks_residence": needed.asks_residence,
        "home": needed.home,
        "tax_micros": _tax(needed, without_number=False),
        "tax_without_number_micros": _tax(needed, without_number=True),
        "duties": needed.duties(),
    }
