"""A posted limit: where contributions stop, what becomes of the rest, and the notice of it."""

import pytest

from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import notices, parse
from rules.terms import TermsError
from tests.support.play.books import Floor, royal_terms

LIMIT = 1001 * MICROS


def test_what_is_above_the_limit_is_the_next_prize() -> None:
    floor = Floor(royal_terms(limit=LIMIT))
    floor.open("t3")
    for _ in range(5):  # 0.50 each: two reach the limit, three are above
        floor.press("t3")
    assert floor.pool() == LIMIT
    assert floor.books.balances["royal:overflow"] == 3 * MICROS // 2
    floor.call("t3")
    assert floor.held(1) == LIMIT
    assert floor.pool() == 1000 * MICROS  # topped up from the overflow first
    assert floor.books.balances["royal:overflow"] == 0
    paid_in = 1000 * MICROS + 5 * MICROS // 2  # the opening and five rounds
    topped = 1000 * MICROS - 3 * MICROS // 2
    assert floor.books.balances["operator"] == -(paid_in + topped)


def test_a_limit_that_comes_later_cuts_no_pool() -> None:
    floor = Floor(royal_terms())
    floor.open("t3")
    for _ in range(6):
        floor.press("t3")
    floor.decide("put_terms", terms=royal_terms(limit=LIMIT))
    floor.press("t3")
    assert floor.pool() == 1003 * MICROS
    assert floor.books.balances["royal:overflow"] == MICROS // 2


def test_a_rejection_meets_the_limit_that_stood_meanwhile() -> None:
    """Had the hit not been, the pool would have reached its limit: the rest is overflow."""
    floor = Floor(royal_terms(limit=LIMIT))
    floor.open("t3")
    floor.press("t3")
    floor.call("t3")
    for _ in range(2):
        floor.press("t3")
    assert (floor.pool(), floor.books.balances["royal:overflow"]) == (LIMIT, 0)
    floor.decide("reject_claim", hit=1, reason="R04", evidence="camera 12", affected=True)
    assert (floor.pool(), floor.books.balances["royal:overflow"]) == (LIMIT, MICROS // 2)


def test_a_limit_below_the_reset_is_refused() -> None:
    with pytest.raises(TermsError, match="below its reset"):
        parse(royal_terms(limit=999 * MICROS))


def test_the_notice_tells_of_the_limit() -> None:
    lines = notices(parse(royal_terms(limit=LIMIT)), 2, "NZD")
    assert any("contributions stop at NZD 1,001.00" in line for line in lines)
