"""Who was beaten by whom, where a prize is for a strong hand that lost (19.5, decision 0026)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verifier.fold.terms import cards
from verifier.fold.terms.card_requirements import hole_cards_do
from verifier.fold.terms.terms import Tier

_BOTH = 2  # hole cards that play in either hand, where the terms name no other number


@dataclass(frozen=True, slots=True)
class _OpenHand:
    """A hand that was shown down."""

    seat: int
    hand: cards.Hand
    held: list[str]  # hole cards among the five
    participates: bool

    def worth(self, deck: int) -> tuple[int, list[int]]:
        return cards.place(self.hand[0], deck), self.hand[1]


def settle(report: dict[str, Any], game: str, deck: int, tier: Tier) -> tuple[list[int], list[int]]:
    """The seats beaten as asked for, and those that beat them and take part; cards speak."""
    qualifying = tier.qualifying
    board = report["boards"][0][: 3 if report.get("flop_on_request") else 5]
    hands = []
    for hand in report["hands"]:
        is_live = not hand["folded"] and not hand.get("dead")
        if hand["hole"] and is_live and hand["exposed"] != "refused":
            strength, _, held = cards.best(game, hand["hole"], board, deck)
            hands.append(_OpenHand(hand["seat"], strength, held, hand["participating"]))
    if not hands:
        return [], []
    top = max(each.worth(deck) for each in hands)
    able = [each for each in hands if hole_cards_do(qualifying, each.hand, each.held, _BOTH)]
    over = [each for each in able if each.worth(deck) == top]
    if not over or not _reaches(over[0].hand, qualifying["beaten_by"], deck):
        return [], []
    beaten = [
        each
        for each in able
        if each.worth(deck) < top
        and each.participates
        and _reaches(each.hand, qualifying["losing"], deck)
    ]
    if len(beaten) < qualifying.get("losers_min", 1):
        return [], []
    if not qualifying.get("every_loser", False):
        most = max(each.worth(deck) for each in beaten)
        beaten = [each for each in beaten if each.worth(deck) == most]
    return [each.seat for each in beaten], [each.seat for each in over if each.participates]


def _reaches(hand: cards.Hand, lowest: dict[str, Any], deck: int) -> bool:
    ranks = [cards.RANKS.index(each) + 2 for each in lowest.get("ranks", [])]
    return cards.reaches(hand, lowest["category"], ranks, deck)
