"""What the rules say of a hand, sorted for people; and the cards of a report that are cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from jackpot.models import Hit
from jackpot.terms.awards import plan_of
from jackpot.terms.document import TierTerms
from rules.cards import CardError, parse_card
from rules.reasons import Reason


def reasons_by_side(
    hit: Hit,
    reasons: Iterable[Reason],
    names: Mapping[str, str],
    tier: TierTerms | None = None,
) -> dict[str, list[Reason]]:
    """Reasons about this claim's prize, for and against; those about other prizes separately.

    `tier`: the prize's terms; a seat that folded may have part in its table share (19.17).
    """
    prize = hit.tier.code if hit.tier else None
    sides: dict[str, list[Reason]] = {"against": [], "in_favour": [], "elsewhere": []}
    for reason in reasons:
        where, shown = "against" if reason.against else "in_favour", reason
        if reason.tier is not None:
            if prize is not None and reason.tier != prize:
                where = "elsewhere"
            # People know a prize by its name, the rules by its code.
            name = names.get(reason.tier, reason.tier)
            text = reason.text.replace(f"tier {reason.tier}:", f"{name}:")
            shown = replace(reason, text=text)
        if reason.code == "folded" and tier is not None and "table" in plan_of(tier):
            takes_part = hit.report is not None and any(
                hand["seat"] == reason.seat and hand["participating"]
                for hand in hit.report["hands"]
            )
            part = "shares" if tier.folded_share and takes_part else "has no part"
            text = (
                f"Seat {reason.seat} folded: cannot qualify; {part} in the table share as posted."
            )
            shown = replace(shown, text=text)
        sides[where].append(shown)
    return sides


def readable_cards(report: dict[str, Any]) -> set[str]:
    """Every card of the report that is one."""
    cards = set()
    for text in [
        *(text for board in report["boards"] for text in board),
        *(text for hand in report["hands"] for text in hand["hole"]),
    ]:
        try:
            cards.add(str(parse_card(text)))
        except CardError:
            continue
    return cards
