"""Rulings, requests, incidents, stops, drafts of terms and moves: what is read, what is sent."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jackpot.domain.command_handlers.held_rounds import MOST_HELD
from jackpot.hits.states import StopKind
from rules.dead_hands import MISDEALS
from settlement.api.claims.action_serializers import LARGEST
from settlement.claims.decisions import stops
from settlement.core.input import LONGEST_TEXT
from settlement.floor import incidents, rulings
from settlement.models import Incident, Ruling

ROUND_RULINGS = [(Ruling.Kind.VOID.value, "void"), (Ruling.Kind.CANCEL.value, "cancelled")]
RULING_REASONS = sorted({code for codes in rulings.REASONS.values() for code in codes})
STOP_KINDS = [(kind.value, kind.value) for kind in stops.OPENING]
RULING_KINDS = Ruling.Kind.choices
INCIDENT_KINDS = Incident.Kind.choices
MOST = 2**53 - 1


class RequestSerializer(serializers.Serializer):
    """What a dealer asks for: it moves nothing until a supervisor decides."""

    request = serializers.IntegerField(source="entry.event_id")
    kind = serializers.CharField(source="entry.type")
    system = serializers.CharField(source="entry.system.code")
    table = serializers.CharField(source="table.code")
    entry = serializers.IntegerField(source="entry.seq")
    at = serializers.DateTimeField(source="entry.at")
    round = serializers.IntegerField(allow_null=True)
    count = serializers.SerializerMethodField(help_text="Of missed rounds; else null.")
    note = serializers.CharField(help_text="The dealer's own words.")

    def get_count(self, request: rulings.Request) -> int | None:
        return getattr(request.message, "count", None)


class RulingSerializer(serializers.Serializer):
    """What one supervisor decided."""

    ruling = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(RULING_KINDS)
    system = serializers.CharField(source="system.code")
    table = serializers.CharField(source="table.code")
    round = serializers.IntegerField(allow_null=True)
    request = serializers.IntegerField(source="request_id", allow_null=True)
    reason = serializers.CharField()
    misdeal = serializers.CharField(help_text="Of a void round, where it was said; else empty.")
    note = serializers.CharField()
    count = serializers.IntegerField(help_text="Of missed rounds.")
    day = serializers.DateField(help_text="The gaming day.")
    person = serializers.CharField(source="person.username")
    at = serializers.DateTimeField()
    countersigned = serializers.SerializerMethodField(help_text="By whom; null where nobody did.")

    def get_countersigned(self, ruling: Ruling) -> str | None:
        signed: Any = getattr(ruling, "countersignature", None)
        return signed.person.username if signed is not None else None


class RoundRulingSerializer(serializers.Serializer):
    """A round that is declared void (20.1) or cancelled."""

    kind = serializers.ChoiceField(ROUND_RULINGS)
    round = serializers.IntegerField(min_value=1, max_value=MOST)
    reason = serializers.ChoiceField(RULING_REASONS)
    misdeal = serializers.ChoiceField(
        sorted(MISDEALS),
        required=False,
        help_text="Of a void round: which of the reason's, where its game has several (20.1).",
    )
    note = serializers.CharField(max_length=LONGEST_TEXT)
    request = serializers.IntegerField(
        min_value=1, max_value=LARGEST, required=False, help_text="That it answers."
    )


class FiguresSerializer(serializers.Serializer):
    """Micros of one round; what is not known is left out."""

    pot = serializers.IntegerField(min_value=0, max_value=LARGEST, required=False)
    uncalled = serializers.IntegerField(min_value=0, max_value=LARGEST, required=False)
    commission = serializers.IntegerField(min_value=0, max_value=LARGEST, required=False)
    drop = serializers.IntegerField(min_value=0, max_value=LARGEST, required=False)


class MissedSerializer(serializers.Serializer):
    """Rounds that the dealer failed to record (19.19)."""

    count = serializers.IntegerField(min_value=1, max_value=100)
    evidence = serializers.CharField(max_length=LONGEST_TEXT)
    rounds = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST), default=list, max_length=100
    )
    completion = serializers.BooleanField(
        default=False,
        help_text="Of the one round that is named only the completion was missed.",
    )
    another_round = serializers.BooleanField(
        default=False,
        help_text="Figures without a number are of none of the rounds whose completion is missing.",
    )
    players = serializers.IntegerField(min_value=0, max_value=23, required=False)
    figures_micros = FiguresSerializer(required=False)
    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        default=list,
        max_length=100,
        help_text="Entries that show that the rounds were played.",
    )
    request = serializers.IntegerField(
        min_value=1, max_value=LARGEST, required=False, help_text="That it answers."
    )


class HeldRoundSerializer(serializers.Serializer):
    """A round that is held for the pace of its presses."""

    round = serializers.IntegerField()
    at = serializers.DateTimeField(help_text="By the order.")
    recorded_at = serializers.DateTimeField(help_text="By the unit's clock.")
    pace = serializers.IntegerField(help_text="As which press of its minute it came.")
    has_figures = serializers.BooleanField()
    claim = serializers.IntegerField(source="hit", help_text="Of its hand; null without one.")


class HeldDecisionSerializer(serializers.Serializer):
    """Whether held rounds were played."""

    accepted = serializers.BooleanField()
    rounds = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST),
        min_length=1,
        max_length=MOST_HELD,
    )
    note = serializers.CharField(max_length=LONGEST_TEXT)


class NoteRequiredSerializer(serializers.Serializer):
    """What is said about it."""

    note = serializers.CharField(max_length=incidents.LONGEST_NOTE)


class CountersignatureSerializer(serializers.Serializer):
    """A second person's word, if there is one to add."""

    note = serializers.CharField(max_length=LONGEST_TEXT, default="", allow_blank=True)


class IncidentSerializer(serializers.Serializer):
    """Something that went wrong on the floor (19.20)."""

    incident = serializers.IntegerField(source="pk", read_only=True)
    system = serializers.SlugField(source="system.code", max_length=32)
    table = serializers.SlugField(
        max_length=32,
        source="table.code",
        default=None,
        allow_null=True,
        help_text="Null: the whole system.",
    )
    kind = serializers.ChoiceField(INCIDENT_KINDS)
    happened_at = serializers.DateTimeField()
    note = serializers.CharField(max_length=incidents.LONGEST_NOTE)
    person = serializers.SerializerMethodField(help_text="Null: the console found it.")
    entry = serializers.IntegerField(
        read_only=True,
        allow_null=True,
        help_text="Where the console found it in the order; else null.",
    )
    at = serializers.DateTimeField(read_only=True)
    resolved = serializers.SerializerMethodField(help_text="Null while it is open.")

    def get_person(self, incident: Incident) -> str | None:
        return incident.person.username if incident.person else None

    def get_resolved(self, incident: Incident) -> dict[str, str] | None:
        end: Any = getattr(incident, "end", None)
        if end is None:
            return None
        return {"note": end.note, "person": end.person.username, "at": end.at.isoformat()}


class StopSerializer(serializers.Serializer):
    """A dispute, a hold, an order in question or a hand that the console cannot judge: open."""

    kind = serializers.ChoiceField([(kind.value, kind.value) for kind in StopKind])
    system = serializers.CharField()
    claim = serializers.IntegerField()
    entry = serializers.IntegerField(help_text="That opened it; its name in what ends it.")
    in_question_with = serializers.ListField(
        child=serializers.IntegerField(),
        source="others",
        help_text="Of an order in question: the other claims.",
    )


class StopClaimSerializer(serializers.Serializer):
    """What is disputed, or what the regulator asks for."""

    kind = serializers.ChoiceField(STOP_KINDS)
    reason = serializers.CharField(max_length=LONGEST_TEXT)


class FindingSerializer(serializers.Serializer):
    """What was found, and on what evidence."""

    finding = serializers.CharField(max_length=LONGEST_TEXT)


class DraftSerializer(serializers.Serializer):
    """New terms of a jackpot: the whole document, as it is exported from the page of its terms."""

    terms = serializers.DictField()
    force = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_TEXT,
        help_text="Why they take effect although a claim is open on a prize that changes.",
    )
    figures = serializers.DictField(
        child=serializers.IntegerField(min_value=-LARGEST, max_value=LARGEST),
        default=dict,
        help_text="Figures that move far, typed again, by key; a refusal names them.",
    )


class MoveSerializer(serializers.Serializer):
    """Where a table goes, and why."""

    to_system = serializers.SlugField(max_length=32)
    to_table = serializers.CharField(max_length=32)
    reason = serializers.CharField(max_length=LONGEST_TEXT)
