"""Short ways to write down what happened at a table."""

from collections.abc import Sequence
from typing import Any

from rules.cards import Card, parse_cards
from rules.hands import Category
from rules.report import HandReport, ReportedSeat
from rules.terms import Qualifying, Weakest
from rules.verdict import Verdict

ROYAL = Qualifying(Weakest(Category.ROYAL_FLUSH))
FOURS = Qualifying(Weakest(Category.FOUR_OF_A_KIND, ("T",)))
HOUSE = Qualifying(Weakest(Category.FULL_HOUSE, ("A", "T")))

ROYAL_BOARD = "As Ks Qs 2d 2c"


def cards(text: str) -> tuple[Card, ...]:
    """Cards from a text such as "As Td"."""
    return parse_cards(text)


def seat(number: int, hole: str, **changes: Any) -> ReportedSeat:
    """A player who exposed his hand, takes part, and won unless he folded."""
    fields: dict[str, Any] = {
        "exposed": "yes",
        "folded": False,
        "participating": True,
        "won_pot": not changes.get("folded", False),
    }
    return ReportedSeat(number, tuple(hole.split()), **(fields | changes))


def report(*seats: ReportedSeat, board: str = ROYAL_BOARD, **changes: Any) -> HandReport:
    """A Hold-em hand with six players that went to the showdown; `boards` replaces `board`."""
    boards = changes.pop("boards", (board,))
    fields: dict[str, Any] = {
        "game": "holdem",
        "deck": 52,
        "flop_on_request": False,
        "players_dealt": 6,
        "pot_minor": 5000,
    }
    return HandReport(
        boards=tuple(tuple(each.split()) for each in boards), seats=seats, **(fields | changes)
    )


def best_tier(verdict: Verdict, order: Sequence[str]) -> str | None:
    """The first tier of the order for which a seat qualifies, if there is one (19.6)."""
    return next((tier for tier in order if verdict.qualifying(tier)), None)
