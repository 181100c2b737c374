"""The worked example of "order decides money": its floor before the hands, and their board."""

from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms

BOARD = ["Qs", "Js", "Ts", "2d", "3c"]


def cents(amount: float) -> int:
    return round(amount * 100) * MICROS // 100


def floor_at_entry_100() -> Floor:
    """A royal flush pool of 10,000.37 with two tables in play."""
    floor = Floor(royal_terms())
    floor.open("t3")
    floor.open("t7")
    floor.books.move(floor.books.seq, "operator", "royal:pool", cents(9000.37), "contribution")
    floor.books.feed("royal", "pool", cents(9000.37))
    floor.press("t3")
    floor.press("t7")
    for table in ("t3", "t7"):  # take back the two rounds: the example starts at 10,000.37
        assert floor.rounds[table] == 1
    floor.books.move(floor.books.seq, "royal:pool", "operator", cents(1), "contribution")
    floor.books.feed("royal", "pool", -cents(1))
    assert floor.pool() == cents(10_000.37)
    return floor


def to_entry_172() -> Floor:
    floor = floor_at_entry_100()
    outcome = floor.call("t3")  # 101
    assert outcome["held"] == cents(10_001)
    assert floor.pool() == cents(1000)
    for _ in range(50):  # 102-151
        floor.press("t7")
    assert floor.pool() == cents(1025)
    outcome = floor.call("t7")  # 152
    assert outcome["held"] == cents(1025)
    assert floor.pool() == cents(1000)
    for _ in range(20):  # 153-172
        floor.press("t7")
    assert floor.pool() == cents(1010)
    return floor
