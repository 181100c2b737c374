"""What rounds and rulings move, on rows made by hand: of 52 cards, 0.30 a press, drops into a pool.

All amounts in micros.
"""

from typing import Any

import pytest

from simulation.checks.round_money import Row, read

TERMS = {
    "tiers": [
        {"increments": [{"source": "per_round", "amount": 200_000}, {"source": "drop"}]},
        {"increments": [{"source": "per_round", "amount": 100_000}]},
    ],
    "presses_a_minute": 4,
}
PRESS, DROP = 300_000, 2_000_000  # the drop: 200 cents


class Order:
    """An order that is written entry by entry."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.add("put_terms", table=None, body={"terms": TERMS})
        self.add("session_opened", event={"deck": 52})

    def add(
        self,
        type_: str,
        number: int | None = None,
        *,
        table: str | None = "n1",
        outcome: dict[str, Any] | None = None,
        event: dict[str, Any] | None = None,
        body: dict[str, Any] | None = None,
        **added: int,
    ) -> "Order":
        at = (1, len(self.rows) + 1)
        row = (number, outcome or {}, event or {}, body or {}, added)
        self.rows.append(Row("north", at[1], type_, table, at, *row))
        return self

    def press(self, number: int = 1, **added: Any) -> "Order":
        return self.add("round_started", number, **added)

    def complete(self, number: int = 1, **added: Any) -> "Order":
        return self.add("round_completed", number, event={"jackpot_drop": 200}, **added)

    def rule(self, type_: str, number: int = 1, **added: Any) -> "Order":
        return self.add(type_, None, body={"round": number, "rounds": [number]}, **added)

    @property
    def findings(self) -> list[str]:
        return read(self.rows)


@pytest.fixture
def order() -> Order:
    return Order()


def test_a_round_brings_what_is_posted_once(order: Order) -> None:
    order.press(operator=PRESS).complete(drop=DROP, commission=7)
    assert order.press().complete().findings == []  # repeats
    assert len(order.press(2).findings) == 1
    assert len(order.complete(2, drop=DROP - 1).findings) == 2
    assert len(order.add("amend_hand", body={"hit": 1}, operator=1).findings) == 3


def test_a_void_round_gives_the_players_part_back(order: Order) -> None:
    order.press(operator=PRESS).complete(drop=DROP, pot=3).rule("void_round", drop=-DROP, pot=-3)
    assert order.complete().findings == []
    assert len(Order().press(operator=PRESS).rule("void_round", operator=-PRESS).findings) == 1


def test_what_a_void_round_keeps_is_found(order: Order) -> None:
    order.press(operator=PRESS).complete(drop=DROP, pot=3)
    assert ["is void" in each for each in order.rule("void_round", drop=-DROP).findings] == [True]


def test_a_cancelled_round_gives_the_press_back(order: Order) -> None:
    order.press(operator=PRESS).rule("cancel_round", operator=-PRESS)
    assert order.complete(drop=DROP).findings == []  # it was dealt after all
    assert len(Order().press(operator=PRESS).rule("cancel_round").findings) == 1


def test_missed_rounds_are_credited_once(order: Order) -> None:
    unnamed = {"count": 3, "rounds": []}
    order.add("missed_rounds", body=unnamed, operator=3 * PRESS)
    order.add("missed_rounds", body={"count": 1, "rounds": [5], "drop": 1}, operator=PRESS, drop=1)
    assert order.press(5).complete(5, drop=DROP - 1).findings == []
    assert len(order.add("missed_rounds", body=unnamed, operator=2 * PRESS).findings) == 1
    assert len(order.press(5, operator=PRESS).findings) == 2


def test_held_rounds_bring_nothing_before_somebody_accepts_them(order: Order) -> None:
    held = {"flags": ["over_pace"]}
    order.add("round_started", 1, outcome=held).complete().rule(
        "accept_rounds", operator=PRESS, drop=DROP
    )
    order.add("round_started", 2, outcome=held).complete(2).rule("refuse_rounds", 2)
    assert order.findings == []
    assert len(order.add("round_started", 3, outcome=held, operator=PRESS).findings) == 1


def test_a_held_round_that_is_cancelled_waits_for_nobody(order: Order) -> None:
    order.add("round_started", 1, outcome={"flags": ["over_pace"]}).rule("cancel_round")
    assert order.complete(drop=DROP).findings == []  # it was dealt after all: its chips are there


def test_a_table_that_left_brings_nothing(order: Order) -> None:
    order.press(operator=PRESS).add("move_table", body={"table": "n1"})
    order.complete(drop=DROP)  # it began before
    assert order.press(2).findings == []
    assert len(order.press(3, operator=PRESS).findings) == 1


def test_what_was_refused_changes_nothing(order: Order) -> None:
    order.press(operator=PRESS).complete(drop=DROP)
    order.add("void_round", outcome={"refused": "no"}, body={"round": 1})
    assert order.findings == []
    assert len(order.add("void_round", outcome={"refused": "no"}, drop=-DROP).findings) == 1
