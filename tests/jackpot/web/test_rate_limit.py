"""How often one address may ask: so many a minute, filled up evenly; others are not held up."""

from jackpot.web import rate_limit
from jackpot.web.rate_limit import Allowance, RateLimit


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_address_has_its_minute_and_no_more() -> None:
    clock = Clock()
    limit = RateLimit(clock)
    assert [limit.wait_s("192.0.2.1", 3) for _ in range(3)] == [0, 0, 0]
    assert limit.wait_s("192.0.2.1", 3) == 20
    assert limit.wait_s("192.0.2.2", 3) == 0  # somebody else
    clock.now += 19
    assert limit.wait_s("192.0.2.1", 3) == 1
    clock.now += 1
    assert [limit.wait_s("192.0.2.1", 3) for _ in range(2)] == [0, 20]
    clock.now += 3600  # however long it was away, a minute's worth
    assert [limit.wait_s("192.0.2.1", 3) for _ in range(4)] == [0, 0, 0, 20]


def test_a_line_of_ipv6_is_one_address() -> None:
    limit = RateLimit(Clock())
    assert limit.wait_s("2001:db8::1", 1) == 0
    assert limit.wait_s("2001:db8::2", 1) == 60
    assert limit.wait_s("2001:db8:0:1::1", 1) == 0


def test_it_forgets_who_was_away_longest() -> None:
    limit = RateLimit(Clock())
    for number in range(rate_limit.MOST_ADDRESSES + 1):
        assert limit.wait_s(f"a{number}", 1) == 0
    assert limit.wait_s("a1", 1) == 60
    assert limit.wait_s("a0", 1) == 0  # forgotten


def test_what_is_left_is_said() -> None:
    clock = Clock()
    limit = RateLimit(clock)
    assert [limit.take("token 7", 60) for _ in range(2)] == [
        Allowance(wait_s=0, left=59, full_s=1),
        Allowance(wait_s=0, left=58, full_s=2),
    ]
    for _ in range(58):
        limit.take("token 7", 60)
    assert limit.take("token 7", 60) == Allowance(wait_s=1, left=0, full_s=60)
