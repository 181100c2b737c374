"""A hand on a pool that holds nothing is confirmed for nothing, by two people, and closed."""

from typing import Any

from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms

HAND = ("As Ks", "Qs Js Ts 2d 3c")


def floor_of(**changes: Any) -> Floor:
    """A pool that starts again at nothing, and to which only pots add."""
    increments = [{"source": "pot", "basis_points": 100}]
    terms = royal_terms(reset=0, increments=increments, **changes) | {"funding": "players"}
    floor = Floor(terms)
    for table in ("t3", "t7"):
        floor.open(table)
    return floor


def hit(floor: Floor, table: str = "t3") -> int:
    floor.press(table)
    number: int = floor.report(table, *HAND)["hit"]
    return number


def confirm(floor: Floor, number: int, amount: int, **fields: Any) -> dict[str, Any]:
    payees = [{"seat": 3, "amount": amount}] if amount else []
    return floor.decide("confirm_claim", hit=number, amount=amount, payees=payees, **fields)


def test_it_is_confirmed_for_nothing_and_closed() -> None:
    floor = floor_of()
    number = hit(floor)
    placed_hit = floor.books.hits[number]
    assert (placed_hit.held, bounds_of(floor.books, placed_hit).is_nothing) == (0, True)
    assert "two different people" in confirm(floor, number, 0, second=None)["refused"]
    assert "amount changed" in confirm(floor, number, MICROS)["refused"]
    balances = dict(floor.books.balances)
    assert confirm(floor, number, 0) == {"hit": number, "tier": "royal", "confirmed": 0}
    assert (placed_hit.state, placed_hit.payees, placed_hit.confirmed) == ("paid", [], 0)
    assert floor.books.balances == balances
    assert not bounds_of(floor.books, placed_hit).is_nothing
    assert "confirmed already" in confirm(floor, number, 0)["refused"]


def test_nobody_is_confirmed_for_nothing_who_does_not_win() -> None:
    floor = floor_of()
    floor.press("t3")
    number = floor.call("t3")["hit"]
    floor.report("t3", "As Kd", HAND[1])
    placed_hit = floor.books.hits[number]
    assert placed_hit.tier == "royal"  # as it was called; people decide
    assert "no seat that wins" in confirm(floor, number, 0)["refused"]
    assert placed_hit.state == "held"


def test_it_waits_for_an_earlier_claim_and_may_get_a_supplement() -> None:
    floor = floor_of()
    floor.press("t3")
    floor.complete("t3", pot=70_000)  # 7.00
    first, second = hit(floor, "t7"), hit(floor, "t3")
    assert [floor.held(first), floor.held(second)] == [7 * MICROS, 0]
    assert "Nothing is safe" in confirm(floor, second, 0)["refused"]
    body: dict[str, Any] = {"reason": "R04", "evidence": "camera 4", "affected": True}
    floor.decide("reject_claim", hit=first, **body)
    assert confirm(floor, second, 7 * MICROS)["confirmed"] == 7 * MICROS


def test_what_was_closed_with_nothing_opens_again_by_an_amendment() -> None:
    """A withdrawn hand before it comes back and is rejected: what it leaves is a supplement."""
    floor = floor_of()
    floor.press("t3")
    floor.complete("t3", pot=70_000)
    number = hit(floor, "t7")
    confirm(floor, number, 7 * MICROS)
    later = hit(floor, "t3")
    assert confirm(floor, later, 0)["confirmed"] == 0
    body = {"reason": "R13", "evidence": "camera 4"}
    assert floor.decide("reverse_claim", hit=number, **body)["reversed"] == 7 * MICROS
    placed_hit = floor.books.hits[later]
    assert (placed_hit.state, placed_hit.held) == ("paid", 0)  # a reversal changes no later hit
    assert floor.decide("reverse_claim", hit=later, **body)["reversed"] == 0
