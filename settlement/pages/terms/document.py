"""From a document of terms to its form, and back.

What the form has no field for stays as the document has it: nothing is lost by opening it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jackpot.terms.awards import ROLES
from jackpot.terms.money import BASIS_POINTS, format_exact, micros_to_minor, minor_to_micros
from jackpot.terms.required_evidence import WORDS
from rules.bad_beat import BadBeat
from rules.hands import Category
from rules.high_hand import HighHand
from rules.reading import write_weakest
from rules.tiers import TierTerms, read_terms
from rules.weakest import TermsError, Weakest
from settlement.core.errors import BadTerms
from settlement.pages.terms.commission_form import posted_commission, typed_commission
from settlement.pages.terms.fed_by_form import posted_fed_by, typed_fed_by
from settlement.pages.terms.forms import JackpotForm
from settlement.pages.terms.hole_cards_form import asked_by_kind, typed_by_kind
from settlement.pages.terms.prize_form import HANDS, INTO, NEW_PRIZE, SOURCES
from settlement.terms.drafts import posted_form, read_text

OPTIONAL = ("dark_minutes", "presses_a_minute")  # left out of a document where nothing is posted


def percent(points: int) -> str:
    """Basis points as a share is typed."""
    return f"{points / 100:g}"


def typed_from(document: Mapping[str, Any], digits: int) -> tuple[dict[str, Any], list[Any]]:
    """What the form begins with: the jackpot's fields, and each prize's."""
    jackpot = {
        "base": json.dumps(document),
        "code": document["code"],
        "name": document["name"],
        "funding": document["funding"],
        "hand_wins": document.get("hand_wins", "highest"),
        **{name: document.get(name, "") for name in OPTIONAL},
        **typed_evidence(document["evidence"], digits),
        **typed_commission(document, digits),
        "games": list(document["games"]),
        "tables": list(document.get("tables") or ()),
        "drop_steps": ", ".join(
            f"{format_exact(step['take'], digits)} from {format_exact(step['pot_from'], digits)}"
            for step in document.get("drop_steps", ())
        ),
    }
    return jackpot, [_typed_prize(tier, digits) for tier in document["tiers"]]


def typed_evidence(evidence: Mapping[Any, int], digits: int) -> dict[str, str]:
    """The amounts above which things are asked for, as the form's fields."""
    return {f"evidence_{thing}": format_exact(above, digits) for thing, above in evidence.items()}


def _typed_prize(tier: Mapping[str, Any], digits: int) -> dict[str, Any]:
    typed = NEW_PRIZE | {
        "code": tier["code"],
        "name": tier["name"],
        "rank": tier["rank"],
        "share": percent(tier.get("share", BASIS_POINTS)),
        "reset": format_exact(tier["reset"], digits),
        "payable_unit": format_exact(tier["payable_unit"], digits),
        "limit": "" if tier.get("limit") is None else format_exact(tier["limit"], digits),
    }
    typed |= typed_fed_by(tier)
    typed["folded_out"] = not tier.get("folded_share", True)
    if tier.get("prize") is not None:
        typed["prize"] = format_exact(tier["prize"], digits)
    for role, part in (tier.get("plan") or {}).items():
        typed[f"plan_{role}"] = percent(part)
    typed |= _typed_terms(read_terms(tier["qualifying"]), digits)
    if fits_the_rows(tier):
        for part in tier["increments"]:
            source, into = part["source"], part.get("into", "pool")
            typed[f"{source}_{into}"] = (
                format_exact(part["amount"], digits)
                if source == "per_round"
                else percent(part["basis_points"])
            )
            if part.get("cap") is not None:
                typed[f"{source}_cap"] = format_exact(part["cap"], digits)
            if part.get("players_min"):
                typed["players_min"] = part["players_min"]
    return typed


def _typed_terms(asked: TierTerms, digits: int) -> dict[str, Any]:
    pot = asked.pot_min_minor
    typed = {
        "players_dealt_min": asked.players_dealt_min,
        "pot_min": "" if pot is None else format_exact(minor_to_micros(pot, digits), digits),
        "games": list(asked.games),
        "decks": [str(size) for size in asked.decks],
        "flop_seen": asked.flop_seen,
        "showdown_needed": asked.showdown_needed,
        **typed_by_kind(asked),
    }
    if isinstance(asked, BadBeat):
        return typed | {
            "kind": "bad_beat",
            **_typed_hand(asked.losing, "losing_"),
            **_typed_hand(asked.beaten_by, "beaten_"),
            "beat_hole_cards": str(asked.hole_cards_playing),
            "losers_min": asked.losers_min,
            "every_loser": "every" if asked.every_loser else "",
        }
    if isinstance(asked, HighHand):
        return typed | {
            "kind": "high_hand",
            **_typed_hand(asked.floor, "floor_"),
            "period_minutes": asked.period_minutes,
            "floor_hole_cards": str(asked.hole_cards_playing),
            "ties": asked.ties,
            "unclaimed": asked.unclaimed,
        }
    return typed | {
        "kind": "hand",
        **_typed_hand(asked.weakest, ""),
        "suit": asked.suit or "",
        "hole_cards_playing": "pair" if asked.pair_in_hole else str(asked.hole_cards_playing),
    }


def _typed_hand(weakest: Weakest, prefix: str) -> dict[str, Any]:
    return {
        f"{prefix}category": weakest.category.name.lower(),
        f"{prefix}ranks": " ".join(weakest.ranks),
    }


def fits_the_rows(tier: Mapping[str, Any]) -> bool:
    """Whether the form's rows can say how the tier grows: one figure of a source to each side."""
    sides = [(part["source"], part.get("into", "pool")) for part in tier["increments"]]
    limits: dict[str, set[Any]] = {}
    for part in tier["increments"]:
        limit = (part.get("cap"), part.get("players_min", 0))
        limits.setdefault(part["source"], set()).add(limit)
    return len(set(sides)) == len(sides) and all(len(each) == 1 for each in limits.values())


def document_of(form: JackpotForm, prizes: Any, digits: int) -> dict[str, Any]:
    """The document that the form says. Both must be valid; `digits`: of the currency."""
    given = form.cleaned_data
    base = base_of(given["base"])
    for name in OPTIONAL:
        base.pop(name, None)
        if given[name] is not None:
            base[name] = given[name]
    base.pop("commission", None)
    known = {tier["code"]: tier for tier in base.get("tiers", ())}
    return {
        **base,
        **posted_commission(given),
        "code": given["code"],
        "name": given["name"],
        "funding": given["funding"],
        "hand_wins": given["hand_wins"] or "highest",
        "games": given["games"],
        "tables": given["tables"] or None,
        "drop_steps": given["drop_steps"],
        "evidence": {
            thing: given[f"evidence_{thing}"]
            for thing in WORDS
            if given[f"evidence_{thing}"] is not None
        },
        "tiers": [
            _prize(each, known.get(each["code"], {}), given["games"], digits)
            for each in (row.cleaned_data for row in prizes.forms)
            if not each.get("DELETE")
        ],
    }


def base_of(text: str) -> dict[str, Any]:
    """The document that the form began with, as the form brings it back."""
    try:
        return posted_form(read_text(text)) if text else {}
    except BadTerms:
        return {}  # it came back changed: the form stands for itself


def _prize(
    given: Mapping[str, Any], known: Mapping[str, Any], games: list[str], digits: int
) -> dict[str, Any]:
    tier = {
        **known,
        "code": given["code"],
        "name": given["name"],
        "rank": given["rank"],
        "reset": given["reset"],
        "payable_unit": given["payable_unit"],
        "share": given["share"],
        "limit": given["limit"],
        "prize": given["prize"],
        "plan": {role: given[f"plan_{role}"] for role in ROLES if given[f"plan_{role}"]} or None,
    }
    tier.pop("fed_by", None)
    tier |= posted_fed_by(given)
    tier.pop("folded_share", None)
    if given["folded_out"]:
        tier["folded_share"] = False
    asked = _asked(given, games, digits)
    try:
        said = read_terms(asked)
    except TermsError as fault:  # each field is right, and together nothing can meet them
        raise BadTerms(f"{given['name']}: {fault}") from fault
    # What asks for the same is the same: a prize changes only where somebody changed it.
    if not known or said != read_terms(known["qualifying"]):
        tier["qualifying"] = asked
    if not known or fits_the_rows(known):
        # In the order that they had; what is new comes last.
        sides = [(part["source"], part.get("into", "pool")) for part in known.get("increments", ())]
        order = {side: place for place, side in enumerate(sides)}
        tier["increments"] = sorted(
            _increments(given),
            key=lambda part: order.get((part["source"], part["into"]), len(order)),
        )
    return tier


def _asked(given: Mapping[str, Any], games: list[str], digits: int) -> dict[str, Any]:
    pot = given["pot_min"]
    asked = {
        "players_dealt_min": given["players_dealt_min"],
        "pot_min_minor": None if pot is None else micros_to_minor(pot, digits),
        "games": given["games"] or games,
        "decks": [int(size) for size in given["decks"]] or [52],
        "flop_seen": given["flop_seen"],
        "showdown_needed": given["showdown_needed"],
        **asked_by_kind(given),
    }
    first, *others = (
        write_weakest(Weakest(Category[given[category].upper()], tuple(given[ranks])))
        for category, ranks in HANDS[given["kind"]]
    )
    if given["kind"] == "bad_beat":
        return asked | {
            "kind": "bad_beat",
            "losing": first,
            "beaten_by": others[0],
            "hole_cards_playing": int(given["beat_hole_cards"]),
            "losers_min": given["losers_min"],
            "every_loser": given["every_loser"] == "every",
        }
    if given["kind"] == "high_hand":
        return asked | {
            "kind": "high_hand",
            "floor": first,
            "period_minutes": given["period_minutes"],
            "hole_cards_playing": int(given["floor_hole_cards"] or 0),
            "ties": given["ties"] or "first",
            **({"unclaimed": "added"} if given["unclaimed"] == "added" else {}),
        }
    playing = given["hole_cards_playing"]
    return asked | {
        "weakest": first,
        "suit": given["suit"] or None,
        "hole_cards_playing": 0 if playing == "pair" else int(playing or 0),
        "pair_in_hole": playing == "pair",
    }


def _increments(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = []
    for source in SOURCES:
        for into in INTO:
            figure = given[f"{source}_{into}"]
            if not figure:
                continue
            part: dict[str, Any] = {"source": source, "into": into}
            if source == "per_round":
                part |= {"amount": figure, "players_min": given["players_min"] or 0}
            else:
                part["basis_points"] = figure
            if source in ("pot", "commission"):
                part["cap"] = given[f"{source}_cap"]
            found.append(part)
    return found


def what_stays(document: Mapping[str, Any]) -> dict[str, bool]:
    """By prize, whether it grows in a way that the form has no rows for."""
    return {tier["code"]: not fits_the_rows(tier) for tier in document.get("tiers", ())}
