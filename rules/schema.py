"""The JSON Schema of terms, for those who write them in other languages."""

from typing import Any

from rules.cards import RANKS, SUITS
from rules.decks import DECKS
from rules.games import JACKPOT_GAMES
from rules.hands import COMPARED_RANKS, Category
from rules.requirements import CODES

_Schema = dict[str, Any]


def terms_schema() -> _Schema:
    """The schema of everything that ``rules.tiers.write_terms`` writes (JSON Schema 2020-12).

    It says what the fields are. That a hand can exist at all (no king-high full house of one
    rank, no suit for a straight) is checked when terms are read, with a sentence.

    >>> sorted(terms_schema()["$defs"])
    ['bad_beat', 'by_category', 'hand', 'high_hand', 'weakest']
    """
    kinds = {"hand": _hand(), "bad_beat": _bad_beat(), "high_hand": _high_hand()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a jackpot tier asks for",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in kinds],
        "$defs": {"weakest": _weakest(), "by_category": _by_category(), **kinds},
    }


def _weakest() -> _Schema:
    """The lowest hand that is asked for."""
    return {
        "type": "object",
        "title": "The lowest hand: a category and the lowest ranks in it, as rule 9.1 compares",
        "properties": {
            "category": {"enum": [category.name.lower() for category in reversed(Category)]},
            "ranks": {
                "type": "array",
                "items": {"enum": list(RANKS)},
                "maxItems": max(COMPARED_RANKS.values()),
                "uniqueItems": True,
            },
        },
        "required": ["category"],
        "additionalProperties": False,
    }


def _by_category() -> _Schema:
    """What is asked of single kinds of hand."""
    properties = {
        "hole_cards_playing": _whole(0, 2),
        "pair_in_hole": {"type": "boolean"},
        "kicker_counts": {"type": "boolean"},
    }
    entry = {"type": "object", "properties": properties, "additionalProperties": False}
    return {
        "type": "object",
        "title": "What is asked of the hole cards of a kind of hand, instead of any other's",
        "properties": dict.fromkeys(CODES, entry),
        "additionalProperties": False,
    }


def _hand() -> _Schema:
    """Terms that ask for a hand."""
    fields = {
        "kind": {"const": "hand"},
        "weakest": {"$ref": "#/$defs/weakest"},
        "suit": {"enum": [*SUITS, None]},
        "hole_cards_playing": _whole(0, 2),
        "pair_in_hole": {"type": "boolean"},
    }
    return _kind("A hand (19.5)", fields, ["weakest"])


def _bad_beat() -> _Schema:
    """Terms that ask for a hand that was beaten."""
    fields = {
        "kind": {"const": "bad_beat"},
        "losing": {"$ref": "#/$defs/weakest"},
        "beaten_by": {"$ref": "#/$defs/weakest"},
        "hole_cards_playing": _whole(0, 2),
        "losers_min": _whole(1, 9),
        "every_loser": {"type": "boolean"},
    }
    return _kind("A strong hand that is beaten", fields, ["kind", "losing", "beaten_by"])


def _high_hand() -> _Schema:
    """Terms that ask for the best hand of a period."""
    fields = {
        "kind": {"const": "high_hand"},
        "floor": {"$ref": "#/$defs/weakest"},
        "period_minutes": _whole(1, 60 * 24 * 366),
        "hole_cards_playing": _whole(0, 2),
        "ties": {"enum": ["first", "shared"]},
        "unclaimed": {"enum": ["stays", "added"]},
        "decks": _decks(most=1),
    }
    return _kind("The best hand of a period", fields, ["kind", "floor", "period_minutes"])


def _kind(title: str, fields: _Schema, required: list[str]) -> _Schema:
    """An object with its own fields and those about the round."""
    about_the_round = {
        "players_dealt_min": _or_none(_whole(2, 10)),
        "pot_min_minor": _or_none(_whole(1, 10**12)),
        "games": {
            "type": "array",
            "items": {"enum": list(JACKPOT_GAMES)},
            "minItems": 1,
            "uniqueItems": True,
        },
        "decks": _decks(most=len(DECKS)),
        "flop_seen": {"type": "boolean"},
        "showdown_needed": {"type": "boolean"},
        "by_category": {"$ref": "#/$defs/by_category"},
    }
    return {
        "type": "object",
        "title": title,
        "properties": about_the_round | fields,
        "required": required,
        "additionalProperties": False,
    }


def _decks(most: int) -> _Schema:
    """The sizes of the decks that may be played with (4.1)."""
    sizes = {"enum": list(DECKS)}
    return {"type": "array", "items": sizes, "minItems": 1, "maxItems": most, "uniqueItems": True}


def _whole(least: int, most: int) -> _Schema:
    """A whole number within limits."""
    return {"type": "integer", "minimum": least, "maximum": most}


def _or_none(schema: _Schema) -> _Schema:
    """What a schema describes, or null."""
    return {"anyOf": [schema, {"type": "null"}]}
