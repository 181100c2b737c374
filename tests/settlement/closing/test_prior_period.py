"""Decided on Saturday for a Friday that was closed: void, cancelled, held and missed rounds.

Each round gives 0.50 of the operator to the royal flush, and 0.20 of a pot of 20.00. A second
jackpot at the same tables, "open", holds nothing: it has 0.10 of each press and no pot.
"""

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from jackpot.models import Entry
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.closing import closes
from settlement.closing.movements import keep_closed_days
from settlement.closing.prior_period import LaterDecision, later_decisions
from settlement.reports.catalogue import quarterly, reports
from settlement.reports.definitions.definition import Filters
from tables.models import JackpotSystem
from tables.protocol import messages
from tests.support.pages.page_ledger import Clock
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

FRIDAY, SATURDAY = dt.date(2026, 10, 30), dt.date(2026, 10, 31)
CENT = MICROS // 100
LIMIT = 6  # presses a minute


def documents() -> list[dict[str, Any]]:
    """The jackpot that holds presses beyond its pace, and the one that holds none."""
    per_round = {"source": "per_round", "amount": 50 * CENT}
    held = royal_terms(increments=[per_round, {"source": "pot", "basis_points": 100}])
    free = royal_terms(
        code="second",
        name="Second",
        increments=[{"source": "per_round", "amount": 10 * CENT}],
        qualifying={"weakest": {"category": "four_of_a_kind"}, "games": ["holdem"]},
    )
    return [
        {**held, "funding": "players", "presses_a_minute": LIMIT},
        {**free, "code": "open", "name": "Open Jackpot"},
    ]


class FridayHouse(ClaimHouse):
    """Friday: eight presses in one minute, of which 7 and 8 are held; pots of 1, 7 and 8; of round
    10 only the completion came; round 12 was pressed. Round 14 is Saturday's. Friday is closed."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(*documents())
        self.clock = clock
        casino = self.system.casino
        casino.timezone = "Pacific/Auckland"
        casino.save()
        self.system = JackpotSystem.objects.select_related("casino").get()
        self.open("t3")
        for _ in range(8):
            self.press("t3")
        for number in (1, 7, 8, 10):
            self.say("t3", messages.RoundCompleted, round=number, pot=2000)
        self.say("t3", messages.RoundsMissed, count=2)
        self.post()
        self.started(12)
        self.clock.on(days=1)
        self.figures = self.close(FRIDAY)
        self.started(14)

    def started(self, number: int) -> None:
        """A press two minutes later: it is within the pace."""
        self.clock.on(minutes=2)
        self.rounds["t3"] = number - 1
        self.press("t3")
        self.post()

    def close(self, day: dt.date) -> dict[str, int]:
        """Two people close it, while rounds are held: the database takes no such close any more,
        and houses may have some of before. Its balances."""
        body = {"day": str(day), **closes.figures(self.system, day).body}
        self.guard("DISABLE")
        assert not self.decide("close_day", first="ines", second="mere", **body).refused
        self.guard("ENABLE ALWAYS")
        keep_closed_days(self.system)
        figures: dict[str, int] = body["figures"]
        return figures

    @staticmethod
    def guard(act: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE jackpot_command {act} TRIGGER close_has_its_figures")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")

    def recorded_at(self) -> dt.datetime:
        return timezone.now()

    def rule(self, kind: str, second: str | None = None, **body: Any) -> int:
        """A decision at t3; the number of its entry."""
        number = commands.queue(
            self.system, kind, {"table": "t3", **body}, first="sione", second=second
        )
        self.post()
        answer = commands.answer(self.system, number)
        assert not answer.refused, answer.refused
        return Entry.objects.get(system=self.system, command=number).seq

    def missed(self, count: int = 1, **body: Any) -> int:
        return self.rule("missed_rounds", count=count, evidence="camera 4", **body)

    def later(self) -> list[LaterDecision]:
        """What was decided on Saturday for Friday."""
        assert later_decisions(self.system, FRIDAY, FRIDAY) == []
        rows = later_decisions(self.system, FRIDAY, SATURDAY)
        assert {(each.day, each.concerns, each.table) for each in rows} <= {
            (SATURDAY, FRIDAY, "t3")
        }
        return rows

    def only_one(self) -> tuple[int, int | None, int, int]:
        """Of the only one: entry, round, and what it moved of both pools, in cents."""
        (each,) = self.later()
        royal, second = (each.moved(f"{tier}:pool") // CENT for tier in ("royal", "second"))
        return each.seq, each.round, royal, second


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> FridayHouse:
    return FridayHouse(Clock(monkeypatch))


def test_friday_as_it_was_closed(house: FridayHouse) -> None:
    """Presses 1 to 6 and 12, and the pots of 1 and 10; of the other jackpot 7 and 8 as well."""
    assert house.figures["royal:pool"] == 1000 * MICROS + 7 * 50 * CENT + 2 * 20 * CENT
    assert house.figures["second:pool"] == 1000 * MICROS + 9 * 10 * CENT
    assert house.later() == []


def test_a_void_round_gives_its_pot_back(house: FridayHouse) -> None:
    seq = house.rule("void_round", round=1, reason="wrong_count", note="camera 3")
    assert house.only_one() == (seq, 1, -20, 0)


def test_a_cancelled_round_gives_the_operators_part_back(house: FridayHouse) -> None:
    seq = house.rule("cancel_round", round=2, reason="double_press", note="camera 3")
    assert house.only_one() == (seq, 2, -50, -10)


def test_accepted_rounds_are_credited_with_their_pots(house: FridayHouse) -> None:
    """Two rounds of 0.50 and 0.20 each; the other jackpot has had its part."""
    seq = house.rule("accept_rounds", rounds=[7, 8], note="played")
    assert house.only_one() == (seq, None, 140, 0)


def test_refused_rounds_take_back_what_others_had(house: FridayHouse) -> None:
    house.rule("accept_rounds", rounds=[7], note="played")
    seq = house.rule("refuse_rounds", second="mere", rounds=[8], note="nobody there")
    accepted, refused = house.later()
    assert (accepted.round, accepted.moved("royal:pool")) == (7, 70 * CENT)
    assert (refused.seq, refused.kind, refused.round) == (seq, "refuse_rounds", 8)
    assert (refused.moved("royal:pool"), refused.moved("second:pool")) == (0, -10 * CENT)


def test_a_missed_completion_is_of_the_day_of_its_press(house: FridayHouse) -> None:
    seq = house.missed(rounds=[3], completion=True, pot=20 * MICROS)
    assert house.only_one() == (seq, 3, 20, 0)


def test_a_missed_round_is_of_the_day_of_its_completion(house: FridayHouse) -> None:
    seq = house.missed(rounds=[10])
    assert house.only_one() == (seq, 10, 50, 10)


def test_a_missed_round_that_nothing_shows_lies_before_the_next_press(house: FridayHouse) -> None:
    """Nothing is known of 11, pressed was 12 on Friday; behind 13 came 14 on Saturday."""
    seq = house.missed(rounds=[11])
    house.missed(rounds=[13])
    house.missed(rounds=[15])
    assert house.only_one() == (seq, 11, 50, 10)


def test_the_last_round_of_a_closed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was pressed since: 15 lies behind 14, of the Saturday that is closed by now. What is
    pressed afterwards changes nothing of that."""
    house = FridayHouse(Clock(monkeypatch))
    house.clock.on(days=1)
    house.close(SATURDAY)
    seq = house.missed(rounds=[15])
    for number in (15, 16):
        (each,) = later_decisions(house.system, FRIDAY, SATURDAY + dt.timedelta(days=1))
        assert (each.seq, each.concerns, each.moved("royal:pool")) == (seq, SATURDAY, 50 * CENT)
        house.started(number)


def test_rounds_without_numbers_are_of_the_day_of_their_signals(house: FridayHouse) -> None:
    request = Entry.objects.get(type="rounds_missed").seq
    own = Entry.objects.filter(type="round_started").latest("seq").seq
    seq = house.missed(2, signals=[request])
    house.missed(2, signals=[own])
    house.missed(2)  # nothing says of which day
    assert house.only_one() == (seq, None, 100, 20)


def test_rounds_of_two_days_are_shown_with_the_first(house: FridayHouse) -> None:
    seq = house.missed(2, rounds=[13, 11])
    assert house.only_one() == (seq, None, 100, 20)


def test_what_is_decided_for_an_open_day_is_none(house: FridayHouse) -> None:
    house.rule("cancel_round", round=14, reason="double_press", note="camera 3")
    house.missed(rounds=[13])
    assert house.later() == []


def test_reports_count_all_of_them(house: FridayHouse) -> None:
    """1.40 - 0.50 + 0.50 of the royal flush, -0.10 + 0.10 of the other."""
    house.rule("accept_rounds", rounds=[7, 8], note="played")
    house.rule("cancel_round", round=2, reason="double_press", note="camera 3")
    house.missed(rounds=[11])
    filters = Filters(house.system.casino, FRIDAY, SATURDAY, {})
    rows = reports()["roll-forward"].report(filters).rows(100)
    assert {(row["tier"], row["prior"]) for row in rows if row["day"] == SATURDAY} == {
        ("royal", 140 * CENT),
        ("second", 0),
    }
    lines = reports()[quarterly.REPORT.code].report(filters).rows(100)
    assert [(row["number"], row["amount"]) for row in lines if row["what"] == "prior"] == [
        (3, 140 * CENT)
    ]
    page = logged_in("ines").get("/roll-forward/?pool=main/royal&month=2026-10").content.decode()
    assert "Held rounds accepted" in page
    assert "Table t3, 2 rounds" in page
    assert "Table t3, round 11" in page
