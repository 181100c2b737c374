"""Periods of high hands: where they end, and how they are closed in the order."""

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection

from jackpot.display.period_calls import call_periods
from jackpot.models import Hit, Tier
from jackpot.terms.money import MICROS
from jackpot.terms.periods import GamingDay
from settlement.audit.reconciliation import reconcile
from tables.protocol import messages
from tests.support.cases.hands.periods import AUCKLAND, Night, ends, utc
from tests.support.play.fixed_high_hands import ADDED, fixed_terms
from tests.support.play.high_hands import HOUSE, NINES, STEEL, high_terms
from tests.support.suite.clock import Clock
from tests.support.suite.databases import url_of
from verifier import verify
from verifier.fold.terms.calendar import Calendar

MINUTE = dt.timedelta(minutes=1)


def test_periods_are_cut_from_the_start_of_the_gaming_day() -> None:
    utc_day = GamingDay(ZoneInfo("UTC"), dt.time(6))
    start = utc("2026-11-21 06:00")
    cut = ends(utc_day, start, utc("2026-11-22 06:00"), 50)
    assert cut[0] == utc("2026-11-21 06:50")
    # 28 periods of 50 minutes are 23:20 h: the last of the day is one of 40 minutes.
    assert len(cut) == 29
    assert cut[-2:] == [utc("2026-11-22 05:20"), utc("2026-11-22 06:00")]
    assert utc_day.next_end(start - MINUTE, 50) == start


@pytest.mark.parametrize(
    ("day", "hours"),
    [
        (dt.date(2026, 9, 26), 23),  # clocks go forward in the night to the 27th
        (dt.date(2026, 4, 4), 25),  # and back in the night to the 5th
        (dt.date(2026, 11, 21), 24),
    ],
)
def test_a_day_of_23_or_25_hours_has_fewer_or_more_periods(day: dt.date, hours: int) -> None:
    start, end = AUCKLAND.start_of(day), AUCKLAND.start_of(day + dt.timedelta(days=1))
    cut = ends(AUCKLAND, start, end, 30)
    assert len(cut) == 2 * hours
    assert cut[-1] == end
    assert {b - a for a, b in zip([start, *cut], cut, strict=False)} == {30 * MINUTE}


@pytest.mark.parametrize("minutes", [1, 7, 30, 50, 600, 1440])
def test_the_verifier_cuts_the_same_periods(minutes: int) -> None:
    calendar = Calendar("Pacific/Auckland", "06:00:00")
    for start in ("2026-04-04 11:13:07.5", "2026-09-26 13:59", "2026-09-26 17:59:59", "2026-11-21"):
        at = utc(start)
        for _ in range(60):
            text = at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            at = AUCKLAND.next_end(at, minutes)
            assert calendar.next_end(text, minutes) == at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@pytest.fixture
def night(monkeypatch: pytest.MonkeyPatch, fresh_database: Any) -> Night:
    return Night(Clock(monkeypatch, utc("2026-11-21 10:10")))


def test_a_period_ends_by_itself_when_celery_calls(night: Night) -> None:
    night.show("t3", HOUSE)
    night.post()
    assert call_periods() == 0  # not yet
    night.set("10:30")
    night.post()
    assert night.closed() == []  # nobody played and nobody called
    assert call_periods() == 1
    assert call_periods() == 1  # the same again
    night.post()
    assert call_periods() == 0
    assert night.closed() == [("10:30", [[1, 101 * MICROS]])]
    assert Tier.objects.get(code="high").period_from == utc("2026-11-21 10:30")
    night.whole()


def test_the_writer_closes_a_period_before_what_came_after_its_end(night: Night) -> None:
    """Celery is away: a press after the boundary is enough, and its money is of the next period."""
    night.show("t3", HOUSE)
    night.set("10:31")
    night.press("t3")
    night.show("t7", NINES)
    night.post()
    assert night.closed() == [("10:30", [[1, 101 * MICROS]])]
    assert night.balance("high:pool") == 101 * MICROS  # 100.00 and two rounds
    night.set("11:00")
    call_periods()
    night.post()
    assert night.closed()[1] == ("11:00", [[2, 101 * MICROS]])
    night.whole()


def test_after_an_outage_every_period_is_closed_at_its_own_boundary(night: Night) -> None:
    """The writer was away from 10:10 to 12:05; intake took in what tables sent."""
    for at, table, cards in (
        ("10:29", "t3", HOUSE),
        ("10:31", "t7", NINES),
        ("11:29", "t3", STEEL),
        ("12:01", "t7", NINES),
    ):
        night.set(at)
        night.show(table, cards)
    night.set("12:05")
    night.post()
    assert night.closed() == [
        ("10:30", [[1, 101 * MICROS]]),
        ("11:00", [[2, 101 * MICROS]]),
        ("11:30", [[3, 101 * MICROS]]),
        ("12:00", []),
    ]
    assert Hit.objects.get(system=night.system, number=4).closing is None
    night.whole()


def test_a_batch_that_is_cut_closes_no_period_too_early(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table in ("t3", "t7", "t3"):
        for _ in range(40):
            night.press(table)
    night.show("t7", HOUSE)
    night.set("10:40")
    night.press("t3")
    monkeypatch.setattr("jackpot.writer.poster.BATCH", 7)
    night.post()
    assert night.closed() == [("10:30", [[1, 161 * MICROS]])]  # 121 rounds before: 160.50
    night.whole()


def test_new_terms_cut_the_periods_behind_them(night: Night) -> None:
    night.set("10:40")
    changed = high_terms(requirements={"period_minutes": 60})
    assert not night.decide("put_terms", with_actions=True, terms=changed).refused
    night.set("12:10")
    call_periods()
    night.post()
    assert [at for at, _ in night.closed()] == ["10:30", "11:00", "12:00"]
    night.whole()


def test_a_closed_prize_has_no_periods(night: Night) -> None:
    for table in ("t3", "t7"):
        night.say(table, messages.SessionClosed)
    night.post()
    closing = {"jackpot": "house", "tier": "high", "to_account": "adjustments", "reason": "ends"}
    assert not night.decide("close_tier", with_actions=True, **closing).refused
    night.set("12:10")
    assert call_periods() == 0
    night.press("t3")
    night.post()
    assert night.closed() == []
    night.whole()


def test_corrections_and_what_is_confirmed_survive_reading_the_books_anew(night: Night) -> None:
    """The writer forgets its hits after every batch: what it loads must be enough."""
    night.show("t3", HOUSE)
    night.show("t7", NINES)
    night.set("10:30")
    call_periods()
    night.post()
    night.show("t3", STEEL)
    night.set("11:00")
    call_periods()
    night.post()

    def stands() -> list[tuple[int, str, int]]:
        rows = Hit.objects.filter(system=night.system).order_by("number")
        return [(hit.number, hit.state, hit.held // MICROS) for hit in rows]

    assert stands() == [(1, "held", 0), (2, "held", 101), (3, "held", 101)]
    payee = {"seat": 3, "role": "winner", "amount": 101 * MICROS}
    confirmed = night.decide(
        "confirm_claim", with_actions=True, hit=3, amount=101 * MICROS, payees=[payee]
    )
    assert not confirmed.refused
    why: dict[str, Any] = {"reason": "R11", "evidence": "camera 1", "affected": True}
    assert not night.decide("reject_claim", with_actions=True, hit=2, **why).refused
    assert stands() == [(1, "held", 101), (2, "rejected", 0), (3, "confirmed", 101)]
    confirmed = night.decide(
        "confirm_claim", with_actions=True, hit=1, amount=101 * MICROS, payees=[payee]
    )
    assert not confirmed.refused
    night.set("11:30")
    call_periods()
    night.post()
    night.show("t7", NINES)
    night.set("12:00")
    call_periods()
    night.post()
    assert stands()[3] == (4, "held", 101)
    night.whole()


def test_candidates_stand_by_number_wherever_their_rows_lie(night: Night) -> None:
    """A row that was written again lies behind the others; a second fold of the order has none."""
    for cards in (HOUSE, NINES, HOUSE):
        night.show("t3", cards)
    night.post()
    with connection.cursor() as cursor:
        cursor.execute("SET enable_indexscan = off")  # as the planner does when it likes
        cursor.execute("UPDATE jackpot_hit SET round = round + 99 WHERE number = 1")
        cursor.execute("UPDATE jackpot_hit SET round = round - 99 WHERE number = 1")
    night.set("10:31")
    night.press("t7")
    night.post()
    assert night.closed() == [("10:30", [[1, 0], [2, 102 * MICROS], [3, 0]])]
    night.whole()


def test_what_rolled_over_is_held_against_the_order(
    monkeypatch: pytest.MonkeyPatch, fresh_database: Any
) -> None:
    """A fixed prize that nobody won stands in the tier's row."""
    night = Night(Clock(monkeypatch, utc("2026-11-21 10:10")), fixed_terms(requirements=ADDED))
    night.set("10:30")
    call_periods()
    night.post()
    tier = Tier.objects.get(code="high")
    assert tier.rolled == 500 * MICROS
    night.whole()
    Tier.objects.update(rolled=0)
    assert reconcile(night.system).differences == [
        "the counters of high are not what the order says"
    ]
    report = verify(url_of(connection.settings_dict["NAME"]), settled=False)
    assert not report.ok
    assert any("high" in line and "counters" in line for line in report.lines())
