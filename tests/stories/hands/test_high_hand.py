"""High hands from the report to the cage: the best hand of half an hour wins, and what nobody wins
stays for the next. Reset 100.00, payable unit 1.00, 0.50 a round, floor a full house."""

import datetime as dt
import itertools

import pytest

from jackpot.display.values import tiers_in_effect
from jackpot.models import Entry, Hit
from jackpot.queries.payout_bounds import bounds_of_claim
from jackpot.queries.period_standing import ended_periods, running
from settlement.core.errors import WrongState
from tests.support.cases.hands.high_hand import HALF_HOUR, Evening, OpenRoom
from tests.support.play.fixed_high_hands import ADDED, SAME_NINES, fixed_terms
from tests.support.play.high_hands import HOUSE, NINES, STEEL
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import money


@pytest.fixture
def evening(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> Evening:
    return Evening(open_room, monkeypatch)


def test_the_best_hand_of_the_half_hour_is_verified_confirmed_and_paid(evening: Evening) -> None:
    room = evening.room
    evening.show(3, HOUSE)
    evening.show(7, NINES)
    tier = Hit.objects.get(system=room.system, number=1).tier
    assert tier is not None
    now = room.display()["tiers"][0]
    assert (now["value"], now["period"]["best"]) == (10_100, "four of a kind, nines")
    assert now["period"]["tables"] == ["Table 7"]
    assert room.display()["messages"] == []  # nobody has won anything yet
    room.verify(2)  # at the table, before the half hour is over
    with pytest.raises(WrongState):
        room.confirm(2, amount=money(101))
    entry = evening.half_hour()
    assert entry.outcome["candidates"] == [[1, 0], [2, money(101)]]
    assert evening.stands() == [(1, "reported", 0), (2, "verified", 101)]
    messages = [message["text"] for message in room.display()["messages"]]
    assert messages == ["HIGH HAND, TABLE 7, AWAITING CONFIRMATION"]
    room.confirm(2)
    assert evening.stands() == [(1, "outranked", 0), (2, "confirmed", 101)]
    room.pay(2)
    assert evening.stands()[1] == (2, "closed", 101)
    assert (room.balance("paid_cash"), room.pool("high")) == (money(101), money(100))
    (ended,) = ended_periods(tier, 5)
    assert (ended.value, [hit.number for hit in ended.winners]) == (money(101), [2])
    room.balanced()


def test_what_nobody_wins_rolls_over_and_a_rejected_best_hand_passes_it_on(
    evening: Evening,
) -> None:
    room = evening.room
    room.play(evening.units[3], 20)
    assert evening.half_hour().outcome["candidates"] == []
    assert room.pool("high") == money(110)
    evening.show(3, HOUSE)
    evening.show(7, STEEL)
    evening.half_hour()
    assert evening.stands() == [(1, "reported", 0), (2, "reported", 111)]
    evening.show(7, NINES)
    evening.half_hour()
    # Safe for the third: 101.00 (100.50 rounded up), whatever becomes of the two before.
    coming = bounds_of_claim(room.system, 3)
    assert coming is not None
    assert (coming.safe, coming.most) == (money(101), money(112))
    room.reject(2, "R05")
    assert evening.stands() == [(1, "reported", 111), (2, "rejected", 0), (3, "reported", 101)]
    for number in (1, 3):
        room.verify(number)
        room.confirm(number)
        room.pay(number)
    assert room.balance("paid_cash") == money(212)
    (terms,) = tiers_in_effect(room.system.pk, room.head().terms_number)
    now = running(room.hit(1).tier, terms)
    assert now is not None
    assert now.contenders == []
    room.balanced()


def test_equal_hands_share_and_a_rejection_leaves_the_other_all_of_it(evening: Evening) -> None:
    """101.00 by two hands: the odd unit is the first's. The second is paid before anything else."""
    room = evening.room
    evening.show(3, NINES)
    evening.show(7, SAME_NINES)
    assert room.display()["tiers"][0]["period"]["tables"] == ["Table 3", "Table 7"]
    evening.half_hour()
    assert evening.stands() == [(1, "reported", 51), (2, "reported", 50)]
    coming = bounds_of_claim(room.system, 2)
    assert coming is not None
    assert (coming.safe, coming.most, coming.waits_for) == (money(50), money(101), (1,))
    room.verify(2)
    room.confirm(2)
    room.pay(2)
    room.balanced()
    room.reject(1, "R05")
    assert evening.stands() == [(1, "rejected", 0), (2, "confirmed", 101)]
    room.confirm(2)
    room.pay(2)
    assert evening.stands()[1] == (2, "closed", 101)
    assert (room.balance("paid_cash"), room.pool("high")) == (money(101), money(100))
    room.balanced()


def test_a_fixed_prize_that_nobody_won_is_added_to_the_next_through_an_outage(
    open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """500.00 a period, 10.00 a round, reset 600.00. One period without a hand, then four without
    Celery: two equal hands share 3,000.00, of which the pool has 620.00."""
    evening = Evening(open_room, monkeypatch, fixed_terms(requirements=ADDED))
    room = evening.room
    assert room.display()["tiers"][0]["value"] == 50_000
    evening.half_hour()
    assert room.display()["tiers"][0]["value"] == 100_000
    evening.clock.at += 3 * HALF_HOUR
    evening.half_hour()
    closed = Entry.objects.filter(system=room.system, type="period_closed").order_by("seq")
    wait_until(lambda: closed.count() == 5, what="all five periods")
    worth = [entry.outcome["value"] // money(1) for entry in closed]
    assert worth == [500, 1000, 1500, 2000, 2500]
    evening.show(3, NINES)
    evening.show(7, SAME_NINES)
    assert room.display()["tiers"][0]["value"] == 300_000
    room.balanced()
    evening.half_hour()
    assert evening.stands() == [(1, "reported", 1500), (2, "reported", 1500)]
    assert room.pool("high") == money(600)
    # The reset at the start, two rounds, what the pool was short of, and the reset again.
    assert room.balance("operator") == -money(600 + 20 + 2380 + 600)
    for number in (1, 2):
        room.verify(number)
        room.confirm(number)
        room.pay(number)
    room.balanced()
    evening.show(7, HOUSE)
    evening.half_hour()
    assert evening.stands()[2] == (3, "reported", 500)
    room.reject(3, "R05")
    assert room.display()["tiers"][0]["value"] == 100_000
    room.balanced()


def test_after_an_outage_of_the_beat_every_period_is_closed_at_its_own_end(
    evening: Evening,
) -> None:
    """Two hours without Celery and without a hand: one call, four entries."""
    room = evening.room
    evening.show(3, HOUSE)
    evening.clock.at += 3 * HALF_HOUR
    last = evening.half_hour()
    closed = Entry.objects.filter(system=room.system, type="period_closed").order_by("seq")
    wait_until(lambda: closed.count() == 4, what="all four periods")
    ends = [dt.datetime.fromisoformat(end) for end in closed.values_list("body__ends", flat=True)]
    assert [b - a for a, b in itertools.pairwise(ends)] == [HALF_HOUR] * 3
    assert [len(entry.outcome["candidates"]) for entry in closed] == [1, 0, 0, 0]
    assert last.at >= ends[-1]
    room.balanced()
