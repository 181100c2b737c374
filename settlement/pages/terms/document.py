"""From a document of terms to its form, and back.

What the form has no field for stays as the document has it: nothing is lost by opening it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jackpot.labels.figures import write_exact, write_percent
from jackpot.terms.awards import ROLES
from jackpot.terms.money import BASIS_POINTS, micros_to_minor, minor_to_micros
from jackpot.terms.required_evidence import WORDS
from rules.bad_beat import BadBeat
from rules.hands import Category
from rules.high_hand import HighHand
from rules.reading import write_weakest
from rules.tiers import TierTerms, read_terms
from rules.weakest import TermsError, Weakest
from settlement.core.errors import BadTerms
from settlement.core.words.translation import translated
from settlement.pages.terms.commission_form import posted_commission, typed_commission
from settlement.pages.terms.fed_by_form import posted_fed_by, typed_fed_by
from settlement.pages.terms.forms import JackpotForm
from settlement.pages.terms.hole_cards_form import asked_by_kind, typed_by_kind
from settlement.pages.terms.prize_form import HANDS, INTO, NEW_PRIZE, SOURCES
from settlement.terms.drafts import posted_form, read_text

OPTIONAL = ("dark_minutes", "presses_a_minute")  # left out of a document where nothing is posted


def percent(points: int) -> str:
    """Basis points as a share is typed."""
    return write_percent(points)


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
            # As it is typed, in every language.
            f"{write_exact(step['take'], digits)} from {write_exact(step['pot_from'], digits)}"
            for step in document.get("drop_steps", ())
        ),
    }
    return jackpot, [_typed_prize(tier, digits) for tier in document["tiers"]]


def typed_evidence(evidence: Mapping[Any, int], digits: int) -> dict[str, str]:
    """The amounts above which things are asked for, as the form's fields."""
    return {f"evidence_{thing}": write_exact(above, digits) for thing, above in evidence.items()}


def _typed_prize(tier: Mapping[str, Any], digits: int) -> dict[str, Any]:
    typed = NEW_PRIZE | {
        "code": tier["code"],
        "name": tier["name"],
        "rank": tier["rank"],
        "share": percent(tier.get("share", BASIS_POINTS)),
        "reset": write_exact(tier["reset"], digits),
        "payable_unit": write_exact(tier["payable_unit"], digits),
        "limit": "" if tier.get("limit") is None else write_exact(tier["limit"], digits),
    }
    typed |= typed_fed_by(tier)
    typed["folded_out"] = not tier.get("folded_share", True)
    if tier.get("prize") is not None:
        typed["prize"] = write_exact(tier["prize"], digits)
    for role, part in (tier.get("plan") or {}).items():
        typed[f"plan_{role}"] = percent(part)
    typed |= _typed_terms(read_terms(tier["qualifying"]), digits)
    if fits_the_rows(tier):
        for part in tier["increments"]:
            source, into = part["source"], part.get("into", "pool")
            typed[f"{source}_{into}"] = (
                write_exact(part["amount"], digits)
                if source == "per_round"
                else percent(part["basis_points"])
            )
            if part.get("cap") is not None:
                typed[f"{source}_cap"] = write_exact(part["cap"], digits)
            if part.get("players_min"):
                typed["players_min"] = part["players_min"]
    return typed


def _typed_terms(terms: TierTerms, digits: int) -> dict[str, Any]:
    pot = terms.pot_min_minor
    typed = {
        "players_dealt_min": terms.players_dealt_min,
        "pot_min": "" if pot is None else write_exact(minor_to_micros(pot, digits), digits),
        "games": list(terms.games),
        "decks": [str(size) for size in terms.decks],
        "flop_seen": terms.flop_seen,
        "showdown_needed": terms.showdown_needed,
        **typed_by_kind(terms),
    }
    if isinstance(terms, BadBeat):
        return typed | {
            "kind": "bad_beat",
            **_typed_hand(terms.losing, "losing_"),
            **_typed_hand(terms.beaten_by, "beaten_"),
            "beat_hole_cards": str(terms.hole_cards_playing),
            "losers_min": terms.losers_min,
            "every_loser": "every" if terms.every_loser else "",
        }
    if isinstance(terms, HighHand):
        return typed | {
            "kind": "high_hand",
            **_typed_hand(terms.floor, "floor_"),
            "period_minutes": terms.period_minutes,
            "floor_hole_cards": str(terms.hole_cards_playing),
            "ties": terms.ties,
            "unclaimed": terms.unclaimed,
        }
    return typed | {
        "kind": "hand",
        **_typed_hand(terms.weakest, ""),
        "suit": terms.suit or "",
        "hole_cards_playing": "pair" if terms.pair_in_hole else str(terms.hole_cards_playing),
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
    values = form.cleaned_data
    base = base_of(values["base"])
    for name in OPTIONAL:
        base.pop(name, None)
        if values[name] is not None:
            base[name] = values[name]
    base.pop("commission", None)
    tiers = {tier["code"]: tier for tier in base.get("tiers", ())}
    return {
        **base,
        **posted_commission(values),
        "code": values["code"],
        "name": values["name"],
        "funding": values["funding"],
        "hand_wins": values["hand_wins"] or "highest",
        "games": values["games"],
        "tables": values["tables"] or None,
        "drop_steps": values["drop_steps"],
        "evidence": {
            thing: values[f"evidence_{thing}"]
            for thing in WORDS
            if values[f"evidence_{thing}"] is not None
        },
        "tiers": [
            _prize(each, tiers.get(each["code"], {}), values["games"], digits)
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
    values: Mapping[str, Any], before: Mapping[str, Any], games: list[str], digits: int
) -> dict[str, Any]:
    tier = {
        **before,
        "code": values["code"],
        "name": values["name"],
        "rank": values["rank"],
        "reset": values["reset"],
        "payable_unit": values["payable_unit"],
        "share": values["share"],
        "limit": values["limit"],
        "prize": values["prize"],
        "plan": {role: values[f"plan_{role}"] for role in ROLES if values[f"plan_{role}"]} or None,
    }
    tier.pop("fed_by", None)
    tier |= posted_fed_by(values)
    tier.pop("folded_share", None)
    if values["folded_out"]:
        tier["folded_share"] = False
    conditions = _conditions(values, games, digits)
    try:
        terms = read_terms(conditions)
    except TermsError as fault:  # each field is right, and together nothing can meet them
        raise BadTerms(f"{values['name']}: {translated(fault.phrase)}") from fault
    # What asks for the same is the same: a prize changes only where somebody changed it.
    if not before or terms != read_terms(before["qualifying"]):
        tier["qualifying"] = conditions
    if not before or fits_the_rows(before):
        # In the order that they had; what is new comes last.
        sides = [
            (part["source"], part.get("into", "pool")) for part in before.get("increments", ())
        ]
        order = {side: place for place, side in enumerate(sides)}
        tier["increments"] = sorted(
            _increments(values),
            key=lambda part: order.get((part["source"], part["into"]), len(order)),
        )
    return tier


def _conditions(values: Mapping[str, Any], games: list[str], digits: int) -> dict[str, Any]:
    pot = values["pot_min"]
    conditions = {
        "players_dealt_min": values["players_dealt_min"],
        "pot_min_minor": None if pot is None else micros_to_minor(pot, digits),
        "games": values["games"] or games,
        "decks": [int(size) for size in values["decks"]] or [52],
        "flop_seen": values["flop_seen"],
        "showdown_needed": values["showdown_needed"],
        **asked_by_kind(values),
    }
    first, *others = (
        write_weakest(Weakest(Category[values[category].upper()], tuple(values[ranks])))
        for category, ranks in HANDS[values["kind"]]
    )
    if values["kind"] == "bad_beat":
        return conditions | {
            "kind": "bad_beat",
            "losing": first,
            "beaten_by": others[0],
            "hole_cards_playing": int(values["beat_hole_cards"]),
            "losers_min": values["losers_min"],
            "every_loser": values["every_loser"] == "every",
        }
    if values["kind"] == "high_hand":
        return conditions | {
            "kind": "high_hand",
            "floor": first,
            "period_minutes": values["period_minutes"],
            "hole_cards_playing": int(values["floor_hole_cards"] or 0),
            "ties": values["ties"] or "first",
            **({"unclaimed": "added"} if values["unclaimed"] == "added" else {}),
        }
    playing = values["hole_cards_playing"]
    return conditions | {
        "weakest": first,
        "suit": values["suit"] or None,
        "hole_cards_playing": 0 if playing == "pair" else int(playing or 0),
        "pair_in_hole": playing == "pair",
    }


def _increments(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    increments = []
    for source in SOURCES:
        for into in INTO:
            figure = values[f"{source}_{into}"]
            if not figure:
                continue
            part: dict[str, Any] = {"source": source, "into": into}
            if source == "per_round":
                part |= {"amount": figure, "players_min": values["players_min"] or 0}
            else:
                part["basis_points"] = figure
            if source in ("pot", "commission"):
                part["cap"] = values[f"{source}_cap"]
            increments.append(part)
    return increments


def what_stays(document: Mapping[str, Any]) -> dict[str, bool]:
    """By prize, whether it grows in a way that the form has no rows for."""
    return {tier["code"]: not fits_the_rows(tier) for tier in document.get("tiers", ())}
