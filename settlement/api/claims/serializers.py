"""Claims in JSON: a row of the list, and the whole sheet."""

from __future__ import annotations

from rest_framework import serializers

from jackpot.hits.states import PayeeState
from jackpot.models import Hit
from rules.dead_hands import DEAD_HANDS
from settlement.api.claims.detail import code_of
from settlement.api.claims.evidence_serializers import GatheredSerializer
from settlement.claims.flags import flags_of
from settlement.claims.status import STATES
from settlement.evidence.checklist import ANSWERS
from settlement.models import Action, Payout


class Texts(serializers.ListField):
    """Codes, or cards as `As`, `Td`."""

    child = serializers.CharField()


class Seats(serializers.ListField):
    """Numbers of seats."""

    child = serializers.IntegerField()


class ClaimRowSerializer(serializers.Serializer):
    """A claim in the list, read from its hit."""

    claim = serializers.SerializerMethodField(help_text="System and number, as in the address.")
    system = serializers.CharField(source="system.code")
    number = serializers.IntegerField()
    table = serializers.CharField(source="table.code")
    round = serializers.SerializerMethodField(help_text="Null while nobody knows it.")
    flags = serializers.SerializerMethodField(help_text="What is out of the ordinary.")
    tier = serializers.CharField(source="tier.code", allow_null=True, default=None)
    standing = serializers.ChoiceField(STATES)
    rejection_proposed = serializers.BooleanField()
    place = serializers.IntegerField(help_text="Its entry in the system's order (19.14(b)).")
    at = serializers.DateTimeField(help_text="The time for settlement (19.8).")
    held_micros = serializers.IntegerField(source="held", help_text="What it comes to now.")
    confirmed_micros = serializers.IntegerField(source="confirmed", help_text="Of it, so far.")

    def get_claim(self, hit: Hit) -> str:
        return code_of(hit)

    def get_round(self, hit: Hit) -> int | None:
        return hit.round if hit.round > 0 else None

    def get_flags(self, hit: Hit) -> list[str]:
        is_excluded = (hit.system_id, hit.number) in self.context["excluded"]
        return [*flags_of(hit), *(["excluded_person"] if is_excluded else [])]


class ReportedHandSerializer(serializers.Serializer):
    """One seat as the dealer typed it."""

    seat = serializers.IntegerField()
    hole = Texts()
    exposed = serializers.ChoiceField(("yes", "refused", "not_requested"))
    folded = serializers.BooleanField()
    participating = serializers.BooleanField()
    won_pot = serializers.BooleanField()
    dead = serializers.ChoiceField(
        sorted(DEAD_HANDS),
        default=None,
        allow_null=True,
        help_text="What a supervisor ruled the hand dead for (20); null where nobody did.",
    )


class ReportSerializer(serializers.Serializer):
    """The newest report of the hand, as it was sent (19.11)."""

    boards = serializers.ListField(child=Texts(), help_text="Only the first counts (19.18).")
    hands = ReportedHandSerializer(many=True)
    flop_on_request = serializers.BooleanField(default=False)
    seats_dealt = Seats(allow_null=True)
    button_seat = serializers.IntegerField(allow_null=True)
    pot = serializers.IntegerField(allow_null=True, help_text="As sent: in minor units.")


class SeatVerdictSerializer(serializers.Serializer):
    """What one seat holds and what it qualifies for."""

    seat = serializers.IntegerField()
    hand = serializers.CharField(help_text="The hand in words; empty without one.")
    cards = Texts(help_text="The five that count, from the highest down.")
    hole_used = Texts()
    tiers = Texts()
    pending = Texts(help_text="Of these tiers a figure is still missing.")


class ReasonSerializer(serializers.Serializer):
    """A finding with its rule."""

    rule = serializers.CharField()
    code = serializers.CharField(help_text="A stable name.")
    text = serializers.CharField()
    against = serializers.BooleanField(help_text="It speaks against paying.")
    seat = serializers.IntegerField(allow_null=True)
    tier = serializers.CharField(allow_null=True)


class VerdictSerializer(serializers.Serializer):
    """What the rules say of the newest report."""

    faults = serializers.BooleanField(help_text="The report is impossible as it stands.")
    seats = SeatVerdictSerializer(many=True)
    reasons = ReasonSerializer(many=True)
    winners = Seats(help_text="Seats that win the prize that is held.")
    remaining = serializers.DictField(
        child=Texts(), help_text="The cards that the rest of the deck must hold, by suit."
    )


class CheckSerializer(serializers.Serializer):
    """A point of the checklist with its newest answer."""

    item = serializers.CharField()
    text = serializers.CharField()
    rule = serializers.CharField()
    answer = serializers.ChoiceField(ANSWERS, allow_null=True)
    evidence = serializers.DictField(help_text="What a “yes” refers to, where a thing is claimed.")
    asked_above_micros = serializers.IntegerField(
        allow_null=True,
        help_text="Above which amount of the claim the terms ask for it; null: they never do, or"
        " the point claims no thing and is always answered.",
    )
    note = serializers.CharField()
    person = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


class ActionSerializer(serializers.Serializer):
    """What a person did, and on which version of the report."""

    kind = serializers.ChoiceField(Action.Kind.choices)
    person = serializers.CharField()
    at = serializers.DateTimeField()
    report_entry = serializers.IntegerField(allow_null=True)
    command = serializers.IntegerField(allow_null=True, help_text="Its number, if money moves.")
    details = serializers.DictField()


class PayoutSerializer(serializers.Serializer):
    """A payment by the cage (19.15)."""

    part = serializers.IntegerField(help_text="Its first payment, its second ...")
    amount_micros = serializers.IntegerField(source="amount")
    at = serializers.DateTimeField()
    cashier = serializers.CharField()
    chips_micros = serializers.IntegerField(source="chips")
    cash_micros = serializers.IntegerField(source="cash")
    equivalent_micros = serializers.IntegerField(source="equivalent")
    tax_micros = serializers.IntegerField(source="tax", help_text="Withheld of the amount.")
    residence = serializers.ChoiceField(
        Payout.Residence.choices, allow_blank=True, help_text="Of the payee, where it was asked."
    )


class PayeeSerializer(serializers.Serializer):
    """A seat and what it is paid: a line of the claim; a supplement has lines of its own."""

    line = serializers.IntegerField()
    role = serializers.CharField(help_text="Why it is paid: winner, loser or table.")
    seat = serializers.IntegerField()
    amount_micros = serializers.IntegerField(source="amount")
    state = serializers.ChoiceField(("proposed", *(state.value for state in PayeeState)))
    paid_micros = serializers.IntegerField(
        source="paid", help_text="Handed over so far, and withheld."
    )
    payouts = PayoutSerializer(many=True)


class CandidateSerializer(serializers.Serializer):
    """A candidate for a high hand, among those of its period."""

    claim = serializers.CharField()
    hand = serializers.CharField(help_text="In words; empty while nobody has read it.")
    place = serializers.IntegerField(help_text="1 is the best; equal hands have the same.")
    held_micros = serializers.IntegerField(source="held")


class PeriodSerializer(serializers.Serializer):
    """The period of a high hand."""

    ends = serializers.DateTimeField()
    closing = serializers.IntegerField(allow_null=True, help_text="The entry that closed it.")
    candidates = CandidateSerializer(many=True)


class ClaimSerializer(GatheredSerializer):
    """A claim with its evidence, verdict, checklist, actions and payees."""

    claim = serializers.CharField(help_text="System and number, as in the address.")
    system = serializers.CharField()
    number = serializers.IntegerField()
    currency = serializers.CharField()
    table = serializers.CharField()
    round = serializers.IntegerField(allow_null=True, help_text="Null while nobody knows it.")
    flags = Texts(help_text="What is out of the ordinary: stops, and a hand entered here.")
    excluded_seats = Seats(
        help_text="Whose players are on a list of excluded persons: they are not paid."
    )
    entered_by = serializers.CharField(
        allow_null=True, help_text="Who entered the hand on the console (19.20)."
    )
    same_as = serializers.CharField(
        allow_null=True, help_text="The claim whose hand this turned out to be."
    )
    game = serializers.CharField(allow_null=True)
    deck = serializers.IntegerField(allow_null=True)
    tier = serializers.CharField(allow_null=True)
    standing = serializers.ChoiceField(STATES)
    rejection_proposed = serializers.BooleanField()
    same_hand = Texts(help_text="Claims of the same hand for other prizes.")
    place = serializers.IntegerField(help_text="Its entry in the system's order (19.14(b)).")
    at = serializers.DateTimeField(help_text="The time for settlement (19.8).")
    terms = serializers.IntegerField(help_text="Number of the posted terms of its round.")
    period = PeriodSerializer(allow_null=True, help_text="Only of a high hand.")
    held_micros = serializers.IntegerField(source="held", help_text="What it comes to now.")
    confirmed_micros = serializers.IntegerField(source="confirmed", help_text="Of it, so far.")
    due_micros = serializers.IntegerField(source="due", help_text="What may be confirmed now.")
    nothing_due = serializers.BooleanField(
        help_text="It won an empty pool: it is confirmed for 0, which closes it."
    )
    safe_micros = serializers.IntegerField(
        source="safe", allow_null=True, help_text="The least it can come to; null once decided."
    )
    most_micros = serializers.IntegerField(source="most", allow_null=True)
    waits_for = Texts(help_text="Earlier claims that make the difference.")
    values_micros = serializers.DictField(
        source="values",
        child=serializers.IntegerField(),
        help_text="The value of every tier at the time for settlement (19.8).",
    )
    shown_micros = serializers.DictField(
        source="shown",
        child=serializers.IntegerField(),
        help_text="What the displays had shown by then, where it counts (19.14(a)).",
    )
    shown_seq = serializers.IntegerField(
        allow_null=True, help_text="The entry up to which that display message told."
    )
    called_seats = Seats()
    report = ReportSerializer(allow_null=True)
    report_entry = serializers.IntegerField(allow_null=True)
    verdict = VerdictSerializer(allow_null=True)
    checklist = CheckSerializer(many=True)
    actions = ActionSerializer(many=True)
    payees = PayeeSerializer(many=True)
