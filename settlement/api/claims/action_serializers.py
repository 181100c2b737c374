"""What a person sends to act on a claim, and what comes back while it is queued."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from jackpot.domain.command_handlers import IRREGULARITIES, REJECTIONS
from rules.decks import DECKS
from rules.games import GAMES
from settlement.core.input import LONGEST_TEXT
from settlement.evidence.checklist import ANSWERS, ITEMS
from settlement.evidence.records import FIELDS, LONGEST
from tables.protocol.messages import MAX_INTEGER

LARGEST = 2**63 - 1
IRREGULARITY_CODES = [
    (each.code, f"{code}: {each.text} ({each.rule})")
    for code, group in IRREGULARITIES.items()
    for each in group.values()
]
_ITEMS = {item.code for item in ITEMS}


def password_again(*, required: bool = True) -> serializers.CharField:
    return serializers.CharField(
        write_only=True,
        required=required,
        allow_blank=True,
        trim_whitespace=False,
        max_length=1024,
        style={"input_type": "password"},
        help_text="Your own password, once more; empty where the act is signed in its place.",
    )


def _by_item(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {item.code: schema for item in ITEMS}
    return {"type": "object", "properties": properties, "additionalProperties": False}


@extend_schema_field(_by_item({"type": "string", "enum": list(ANSWERS)}))
class Answers(serializers.DictField):
    """Answer by item of the checklist."""

    child = serializers.ChoiceField(ANSWERS)


@extend_schema_field(_by_item({"type": "string", "maxLength": LONGEST_TEXT}))
class AnswerNotes(serializers.DictField):
    """Note by item of the checklist."""

    child = serializers.CharField(allow_blank=True, max_length=LONGEST_TEXT)


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            item: {
                "type": "object",
                "properties": {
                    name: {"type": "string", "maxLength": LONGEST, "pattern": r"\S"}
                    for name in fields
                },
                "additionalProperties": False,
            }
            for item, fields in FIELDS.items()
        },
        "additionalProperties": False,
    }
)
class Things(serializers.DictField):
    """What is typed with an answer, by item of the checklist and name of the field."""

    child = serializers.DictField(child=serializers.CharField(max_length=LONGEST))


class VerificationSerializer(serializers.Serializer):
    """Answers to the checklist, and the verification; all of it or nothing is kept."""

    answers = Answers(
        default=dict,
        help_text="Answer by item. Items that somebody answered before may be left out.",
    )
    notes = AnswerNotes(default=dict, help_text="Note by item; “no” and “not applicable” need one.")
    things = Things(
        default=dict,
        help_text="What is typed with a “yes”, by item: sealed (bag), display (reading), witness"
        " (name, capacity), deck_counted (s, h, d, c: how many of each suit remain). Footage,"
        " photographs and players are recorded before, and the answer refers to them.",
    )
    note = serializers.CharField(default="", allow_blank=True, max_length=2000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        for name, of in (("answers", _ITEMS), ("notes", _ITEMS), ("things", {*FIELDS})):
            unknown = sorted(set(attrs[name]) - of)
            if unknown:
                codes = ", ".join(item.code for item in ITEMS if item.code in of)
                raise serializers.ValidationError(
                    {name: f"Not on the checklist: {', '.join(unknown)}. It has: {codes}."}
                )
        return attrs


class ConfirmationSerializer(serializers.Serializer):
    """The amount that the confirmer read, and the password again (19.12)."""

    amount_micros = serializers.IntegerField(min_value=0, max_value=LARGEST)
    password = password_again()


class ProposalSerializer(serializers.Serializer):
    """Why a claim should be rejected."""

    reason = serializers.ChoiceField(
        [(code, f"{text} ({rule})") for code, (rule, text) in REJECTIONS.items()]
    )
    evidence = serializers.CharField(max_length=4000)
    affected = serializers.BooleanField(help_text="Did it affect the outcome?")
    irregularity = serializers.ChoiceField(
        IRREGULARITY_CODES, required=False, help_text="Which misdeal (R08), or dead hand (R10)."
    )


class SecondSerializer(serializers.Serializer):
    """The second person's password."""

    password = password_again()


class AgreeSerializer(SecondSerializer):
    """The second person's password; of new terms the figures that change a lot, typed again."""

    figures = serializers.DictField(
        child=serializers.IntegerField(min_value=-LARGEST, max_value=LARGEST),
        default=dict,
        help_text="As “fields” of figures_not_retyped names them: micros, basis points or numbers.",
    )


class RejectionSerializer(serializers.Serializer):
    """To propose: reason, evidence, affected. To agree to a colleague's proposal: password."""

    reason = serializers.ChoiceField(list(REJECTIONS), required=False)
    evidence = serializers.CharField(required=False, max_length=4000)
    affected = serializers.BooleanField(required=False)
    irregularity = serializers.ChoiceField(IRREGULARITY_CODES, required=False)
    password = password_again(required=False)


class QueuedSerializer(serializers.Serializer):
    """The writer has not come to it yet: read the claim again in a moment."""

    queued = serializers.BooleanField()


class EnterHandSerializer(serializers.Serializer):
    """A hand that is entered on the console, as much of it as is known. While the unit of its table
    is online a second person signs: `second` and `second_password`."""

    second = serializers.CharField(
        max_length=150, default="", allow_blank=True, help_text="Log-in of the second person."
    )
    second_password = serializers.CharField(
        default="", allow_blank=True, trim_whitespace=False, max_length=1024
    )
    second_code = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=40,
        help_text="Code of the second person's second factor, if they have one.",
    )

    game = serializers.ChoiceField([*GAMES])
    deck = serializers.ChoiceField(sorted(DECKS), default=52)
    seats = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=23),
        default=list,
        max_length=23,
        help_text="Needed where there is no report.",
    )
    tier = serializers.CharField(
        max_length=32,
        allow_null=True,
        help_text="The prize that it is called for, which it holds at once. Null: nobody knows,"
        " and it holds no money before a report is taken.",
    )
    round = serializers.IntegerField(
        min_value=1,
        max_value=MAX_INTEGER,
        default=None,
        allow_null=True,
        help_text="The unit's counter; null where nobody knows it.",
    )
    report = serializers.DictField(
        required=False, help_text="As `hand_reported` has it: its cards decide which prize it is."
    )
    seen = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST,
        help_text="The highest number of a claim of this table that you have looked at, or 0.",
    )
    note = serializers.CharField(max_length=LONGEST_TEXT, help_text="Why it is entered here.")


class EnteredSerializer(serializers.Serializer):
    """The hand that was entered."""

    queued = serializers.BooleanField()
    claim = serializers.IntegerField(
        allow_null=True, help_text="Its number; null while it is queued."
    )


class NameRoundSerializer(serializers.Serializer):
    """In which round a hand was that was entered; null: its unit recorded nothing of it."""

    round = serializers.IntegerField(min_value=1, max_value=MAX_INTEGER, allow_null=True)
    note = serializers.CharField(max_length=LONGEST_TEXT, help_text="Evidence of it.")


class TwoHandsSerializer(serializers.Serializer):
    """Two hands that are not the same."""

    note = serializers.CharField(max_length=LONGEST_TEXT, help_text="Evidence of it.")


class ProblemSerializer(serializers.Serializer):
    """A refusal, as problem details (RFC 9457)."""

    type = serializers.CharField(help_text="The address of the page that explains it.")
    title = serializers.CharField(help_text="The kind of problem in words.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="Why, and what to do.")
    instance = serializers.CharField(help_text="What was asked for.")
    code = serializers.CharField(help_text="A stable slug, such as `same_person`.")
    rule = serializers.CharField(required=False, help_text="Its number in the rule book, or empty.")
    fields = serializers.DictField(  # type: ignore[assignment]
        required=False, help_text="Findings by field, where the body does not fit."
    )
