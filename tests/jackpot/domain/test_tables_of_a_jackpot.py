"""Two jackpots at two tables: a round, a missed one, a completion feed that of their own table."""

from typing import Any

import pytest

from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms

UNIT = MICROS
CENTS = 50 * 100  # as a unit says it
OTHER = {"t3": "quads", "t7": "royal"}
OWN = {"t3": "royal", "t7": "quads"}


def terms(code: str, table: str) -> dict[str, Any]:
    """0.50 from the operator with each round, a hundredth of each pot from the players."""
    increments = [
        {"source": "per_round", "amount": MICROS // 2},
        {"source": "pot", "basis_points": 100},
    ]
    document = royal_terms(code=code, name=code, increments=increments)
    document["tiers"][0]["qualifying"]["weakest"] = {"category": "four_of_a_kind"}
    return document | {"code": f"at-{table}", "funding": "players", "tables": [table]}


@pytest.fixture
def floor() -> Floor:
    floor = Floor(terms("royal", "t3"), terms("quads", "t7"))
    for table in OWN:
        floor.open(table)
    return floor


def added(floor: Floor, before: dict[str, int]) -> dict[str, int]:
    """To the pools, by tier."""
    return {
        tier: now - before[f"{tier}:pool"]
        for tier in OTHER.values()
        if (now := floor.pool(tier)) != before[f"{tier}:pool"]
    }


@pytest.mark.parametrize("table", OWN)
def test_a_round_feeds_the_jackpot_of_its_table(floor: Floor, table: str) -> None:
    before = dict(floor.books.balances)
    floor.press(table)
    assert added(floor, before) == {OWN[table]: UNIT // 2}
    floor.complete(table, pot=CENTS)
    assert added(floor, before) == {OWN[table]: UNIT}


@pytest.mark.parametrize("table", OWN)
def test_missed_rounds_do_too(floor: Floor, table: str) -> None:
    before = dict(floor.books.balances)
    outcome = floor.decide("missed_rounds", table=table, count=3, evidence="camera 7")
    assert outcome["credited"] == {OWN[table]: 3 * UNIT // 2}
    assert added(floor, before) == {OWN[table]: 3 * UNIT // 2}


@pytest.mark.parametrize("table", OWN)
def test_a_missed_round_with_its_figures_does_too(floor: Floor, table: str) -> None:
    before = dict(floor.books.balances)
    body: dict[str, Any] = {
        "table": table,
        "count": 1,
        "rounds": [1],
        "evidence": "camera 7",
        "pot": 50 * UNIT,
    }
    floor.decide("missed_rounds", **body)
    assert added(floor, before) == {OWN[table]: UNIT}


@pytest.mark.parametrize("table", OWN)
def test_a_missed_completion_does_too(floor: Floor, table: str) -> None:
    floor.press(table)
    before = dict(floor.books.balances)
    body: dict[str, Any] = {
        "table": table,
        "count": 1,
        "rounds": [1],
        "evidence": "camera 7",
        "pot": 50 * UNIT,
    }
    floor.decide("missed_rounds", completion=True, **body)
    assert added(floor, before) == {OWN[table]: UNIT // 2}


@pytest.mark.parametrize("table", OWN)
def test_what_a_void_round_gave_is_taken_from_the_same(floor: Floor, table: str) -> None:
    floor.press(table)
    before = dict(floor.books.balances)
    floor.complete(table, pot=CENTS)
    body: dict[str, Any] = {
        "table": table,
        "round": 1,
        "reason": "cards_exposed",
        "note": "camera 7",
    }
    assert floor.decide("void_round", **body)["taken_back"] == {OWN[table]: UNIT // 2}
    assert added(floor, before) == {}


@pytest.mark.parametrize("table", OWN)
def test_a_table_of_no_jackpot_feeds_none(floor: Floor, table: str) -> None:
    """It is named in neither notice."""
    floor.open("t9")
    before = dict(floor.books.balances)
    floor.press("t9")
    floor.complete("t9", pot=CENTS)
    missed = floor.decide("missed_rounds", table="t9", count=1, evidence="camera 7")
    assert "took no part in a jackpot" in missed["refused"]
    assert added(floor, before) == {}
