"""Hands that people enter on the console, what the unit sends of them, and how they pair."""

from typing import Any

import pytest

from jackpot.domain.state.books import Hit
from jackpot.domain.state.entries import Outcome
from tables.protocol import messages
from tests.support.play.books import Floor, royal_terms

BOARD = "Qs Js Ts 2d 3c"


def report_of(hole: str = "As Ks", board: str = BOARD, seat: int = 3) -> dict[str, Any]:
    hand = {"seat": seat, "hole": hole.split(), "exposed": "yes", "folded": False}
    hand |= {"participating": True, "won_pot": True}
    return {"boards": [board.split()], "hands": [hand]}


def enter(floor: Floor, table: str = "t3", **fields: Any) -> Outcome:
    body: dict[str, Any] = {
        "game": "holdem",
        "deck": 52,
        "seats": [3],
        "tier": "royal",
        "note": "unit dark",
    }
    body |= {"seen": max([0, *(h.number for h in at(floor, table))])}
    return floor.decide("enter_hand", second=None, table=table, **(body | fields))


def at(floor: Floor, table: str) -> list[Hit]:
    return [hit for hit in floor.books.hits.values() if hit.table == table]


def unit_calls(floor: Floor, round_: int, *, tier: str | None = "royal", seat: int = 3) -> Outcome:
    return floor.say("t3", messages.HandCalled, round=round_, tier=tier, seats=[seat])


def unit_reports(floor: Floor, round_: int, **fields: Any) -> Outcome:
    report = report_of(**fields)
    hands = [messages.ReportedHand(**hand) for hand in report["hands"]]
    return floor.say(
        "t3", messages.HandReported, round=round_, boards=report["boards"], hands=hands
    )


@pytest.fixture
def floor() -> Floor:
    """Two tables; table 3 has played three rounds and is cut off. The pool is 1,002.00."""
    gaming_floor = Floor(royal_terms())
    for table, rounds in (("t3", 3), ("t7", 1)):
        gaming_floor.open(table)
        for _ in range(rounds):
            gaming_floor.press(table)
    return gaming_floor


def name(floor: Floor, round_: int | None, hit: int = 1) -> Outcome:
    return floor.decide("name_round", second=None, hit=hit, table="t3", round=round_, note="seen")


def separate(floor: Floor, hit: int) -> Outcome:
    return floor.decide("separate_hand", second=None, hit=hit, note="two hands")
