"""Hands whose clocks speak against the order: nothing is paid before a manager and compliance have
settled it, and every amount is that of the order. 19.14(b).

A unit is cut off while its dealer calls a hand: it is there, journals, and is not connected.
"""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F, Max, Min

from settlement.claims.decisions import stops
from settlement.claims.status import stopped_hits
from settlement.core.errors import NotPermitted, Stopped
from settlement.floor import entered_hands
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable, TableEvent
from tables.unit.unit import TableUnit, UnitSettings
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.cases.hands.high_hand import Evening
from tests.support.cases.hands.worked_example import BOARD
from tests.support.houses.moved_table import agree, here, other_system, propose, proven
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.high_hands import HOUSE, high_terms
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
HAND = {"seat": 3, "hole": ["As", "Ks"]}
WARM = 12  # rounds: by so many events a clock is measured


def cut_off(room: CardRoom, unit: TableUnit, journal: Path) -> TableUnit:
    """The same unit from its journal, without a connection until it is started."""
    unit.stop()
    return TableUnit(room.system.code, unit.table, UnitSettings(guard_s=0), journal=journal)


def is_back(room: CardRoom, unit: TableUnit, *seqs: int) -> None:
    """It connects and sends what it journalled."""
    unit.start()
    room._stack.callback(unit.stop)
    for seq in seqs:
        room.posted(unit, seq)


def clearly_later(room: CardRoom, earlier: dt.datetime) -> None:
    """The clock that both hands are measured by has moved on by more than both may err: by more
    where messages took unequal times, as on a busy machine."""
    took = F("received_at") - F("recorded_at")
    by_table = TableEvent.objects.filter(system=room.system).values("table")
    errors = by_table.annotate(error=Max(took) - Min(took)).values_list("error", flat=True)
    apart = sum(errors, dt.timedelta(seconds=1.5))
    wait_until(lambda: dt.datetime.now(dt.UTC) - earlier > apart, what="the clock to move on")


def settle(room: CardRoom, number: int) -> None:
    stop = room.hit(number).stops[-1]["entry"]
    with acting_as("web"):
        proposal = stops.propose_end(room.claim(number), room.people["anna"], stop, "Camera 4: so")
        for name in ("david", "mere"):
            with pytest.raises(NotPermitted):
                stops.agree_end(proposal, Reauthenticated(room.people[name]))
        stops.agree_end(proposal, Reauthenticated(room.people["priya"]))


def paid(room: CardRoom, number: int) -> None:
    room.verify(number)
    room.confirm(number)
    room.pay(number)


def with_numbers(room: CardRoom, *numbers: int) -> list[tuple[int, list[int]]]:
    """What each claim comes to, and with which others it is in question."""
    hits = [room.hit(number) for number in numbers]
    return [(hit.held // money(1), hit.in_question_with) for hit in hits]


def test_a_hand_of_a_unit_that_was_cut_off(open_room: OpenRoom, tmp_path: Path) -> None:
    """Table 7 calls first and is heard last: by the order it is the second, and stays so."""
    room = open_room(royal_terms())
    journal = tmp_path / "t7.db"
    three, seven = room.unit(3), room.unit(7, journal=journal)
    room.play(three, WARM)
    room.play(seven, WARM)  # 24 rounds of 0.50: 1,012.00

    seven = cut_off(room, seven, journal)
    seven.press()
    called = seven.call_hand([3], "royal")
    clearly_later(room, dt.datetime.now(dt.UTC))
    room.posted(three, three.call_hand([3], "royal"))
    assert room.hit(1).stops == []
    is_back(room, seven, called)

    # 1,012.00 for table 3 as recorded; 1,000.50 for table 7, its last round included, rounded up.
    assert with_numbers(room, 1, 2) == [(1012, [2]), (1001, [1])]
    assert [hit.number for hit in stopped_hits()] == [1, 2]
    for unit in (three, seven):
        seq = unit.report_hand([BOARD], [HAND], round_number=unit.round)
        room.posted(unit, seq)
    for number in (1, 2):
        room.verify(number)
        with pytest.raises(Stopped, match="order in question"):
            room.confirm(number)
        settle(room, number)
        room.confirm(number)
        room.pay(number)
    assert with_numbers(room, 1, 2) == [(1012, []), (1001, [])]
    assert room.balance("paid_cash") == money(2013)
    room.balanced()


def test_a_clock_that_is_wrong_and_steady_puts_nothing_in_question(open_room: OpenRoom) -> None:
    """Table 7's clock runs an hour behind: its hand is an hour before table 3's by that alone."""
    room = open_room(royal_terms())
    hour = dt.timedelta(hours=1)
    three = room.unit(3)
    seven = room.unit(7, clock=lambda: dt.datetime.now(dt.UTC) - hour)
    for unit in (three, seven):
        room.play(unit, WARM)
        room.posted(unit, unit.call_hand([3], "royal"))
        room.posted(unit, unit.report_hand([BOARD], [HAND], round_number=unit.round))
    assert with_numbers(room, 1, 2) == [(1006, []), (1006, [])]
    for number in (1, 2):
        assert room.hit(number).clock is not None
        paid(room, number)
    room.balanced()


def test_a_hand_entered_on_the_console_and_its_units_word(
    open_room: OpenRoom, tmp_path: Path
) -> None:
    """Table 7 is dark. Its hand is entered after table 3's; its unit had written it down before."""
    room = open_room(royal_terms())
    journal = tmp_path / "t7.db"
    three, seven = room.unit(3), room.unit(7, journal=journal)
    room.play(three, WARM)
    room.play(seven, WARM)
    seven = cut_off(room, seven, journal)
    pressed = seven.press()
    called = seven.call_hand([3], "royal")
    assert pressed is not None
    clearly_later(room, dt.datetime.now(dt.UTC))
    room.posted(three, three.call_hand([3], "royal"))

    table = GamingTable.objects.select_related("system__casino").get(pk=room.tables[7].pk)
    with acting_as("web"):
        body: dict[str, Any] = {"game": "holdem", "seats": [3], "tier": "royal", "note": "dark"}
        newest = entered_hands.newest_claim(table)
        hand = entered_hands.EnteredHand(round=seven.round, **body)
        entered_hands.enter(table, room.people["tom"], hand, newest=newest)
    assert with_numbers(room, 1, 2) == [(1012, []), (1000, [])]  # nobody's clock was at the table
    is_back(room, seven, pressed, called)
    assert with_numbers(room, 1, 2) == [(1012, [2]), (1000, [1])]
    assert room.head().hit_number == 2
    settle(room, 1)
    settle(room, 2)
    room.posted(seven, seven.report_hand([BOARD], [HAND], round_number=seven.round))
    paid(room, 2)
    assert with_numbers(room, 1, 2) == [(1012, []), (1000, [])]
    room.balanced()


def test_each_prize_of_a_hand_for_itself(open_room: OpenRoom, tmp_path: Path) -> None:
    """Table 3 wins both prizes; table 7's hand is for the lower one: there alone they meet."""
    room = open_room(each_terms())
    journal = tmp_path / "t7.db"
    three, seven = room.unit(3), room.unit(7, journal=journal)
    room.play(three, WARM)
    room.play(seven, WARM)
    seven = cut_off(room, seven, journal)
    queen_high = {"seat": 3, "hole": ["9s", "8s"]}
    late = seven.report_hand([BOARD], [queen_high], round_number=seven.round)
    clearly_later(room, dt.datetime.now(dt.UTC))
    room.posted(three, three.report_hand([BOARD], [HAND], round_number=three.round))
    is_back(room, seven, late)
    # 24 rounds of 0.50 and of 5.00.
    assert with_numbers(room, 1, 2, 3) == [(1012, []), (320, [3]), (200, [2])]
    paid(room, 1)
    room.verify(2)
    with pytest.raises(Stopped):
        room.confirm(2)
    settle(room, 2)
    room.confirm(2)
    room.pay(2)
    settle(room, 3)
    paid(room, 3)
    assert room.balance("paid_cash") == money(1532)
    room.balanced()


def test_the_other_table_has_moved_to_another_system_meanwhile(
    open_room: OpenRoom, tmp_path: Path
) -> None:
    """Table 3's claim is paid and its table gone: the order that it left knows both hands."""
    room = open_room(royal_terms())
    high = other_system(room)
    journal = tmp_path / "t7.db"
    three, seven = room.unit(3), room.unit(7, journal=journal)
    room.play(three, WARM)
    room.play(seven, WARM)
    seven = cut_off(room, seven, journal)
    late = seven.call_hand([3], "royal")
    clearly_later(room, dt.datetime.now(dt.UTC))
    room.posted(three, three.report_hand([BOARD], [HAND], round_number=three.round))
    paid(room, 1)
    room.posted(three, three.close_session())
    agree(room, propose(room, high))
    assert here(room).moved_to is not None

    is_back(room, seven, late)
    assert with_numbers(room, 1, 2) == [(1012, [2]), (1000, [1])]
    assert [hit.number for hit in stopped_hits()] == [1, 2]
    assert room.hit(1).standing == "closed"
    room.posted(seven, seven.report_hand([BOARD], [HAND], round_number=seven.round))
    settle(room, 1)
    settle(room, 2)
    paid(room, 2)
    proven(room, room.system, high)


def test_equal_high_hands_of_which_the_first_has_it_all(
    open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clocks table 7's aces full came first: in question once the half hour has ended."""
    evening = Evening(open_room, monkeypatch)
    room = evening.room
    queued = room.agree_on_terms(high_terms(requirements={"ties": "first"}))
    answer = wait_until(lambda: room.answer(queued), what="the terms")
    assert answer is not None
    assert not answer.refused
    for number in (3, 7):
        room.play(evening.units[number], WARM)
    seven = evening.units[7]
    now = seven._clock
    call_time = now()
    clearly_later(room, call_time)
    evening.show(3, HOUSE)
    monkeypatch.setattr(
        seven, "_clock", lambda: call_time
    )  # it was said then, and held up on its way
    hand = {"seat": 3, "hole": HOUSE[0].split()}
    room.posted(seven, seven.report_hand([HOUSE[1].split()], [hand], round_number=seven.round))
    monkeypatch.setattr(seven, "_clock", now)
    assert with_numbers(room, 1, 2) == [(0, []), (0, [])]
    closed = evening.half_hour()
    assert closed.outcome["in_question"] == [[1, 2]]
    # 25 rounds of 0.50: 112.50, rounded up; the second of equal hands has nothing.
    assert with_numbers(room, 1, 2) == [(113, [2]), (0, [1])]
    room.verify(1)
    with pytest.raises(Stopped):
        room.confirm(1)
    settle(room, 1)
    settle(room, 2)
    room.confirm(1)
    room.pay(1)
    assert room.hit(2).standing == "outranked"
    room.balanced()
