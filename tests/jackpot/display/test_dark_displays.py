"""A display that is dark suspends its table by itself (19.7(c)); it never voids a hand.

Reset 1,000.00, payable unit 1.00, 0.50 a round from the operator, five minutes of patience.
"""

import datetime as dt
import uuid
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection

from jackpot.display.dark_displays import watch_displays
from jackpot.display.values import is_suspended
from jackpot.domain.fold import apply
from jackpot.domain.state.entries import FactEntry, Outcome
from jackpot.models import DarkCall, Entry
from jackpot.terms.document import to_json
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import notices, parse
from jackpot.writer import commands
from jackpot.writer.poster import Poster
from settlement.audit.reconciliation import reconcile
from tables.models import DisplayReading, GamingTable, UnitPresence
from tables.protocol.messages import SessionClosed
from tests.support.houses.dark_displays import patient_terms
from tests.support.people.roles import acting_as
from tests.support.play.books import AT, Floor, royal_terms
from tests.support.play.house import House
from tests.support.play.leases import dies
from tests.support.play.replay import replayed
from tests.support.suite.clock import Clock
from tests.support.suite.databases import FreshDatabase, administer, url_of
from verifier import verify

MINUTE = dt.timedelta(minutes=1)
START = dt.datetime(2026, 11, 21, 10, 0, tzinfo=dt.UTC)


def go_dark(floor: Floor, table: str = "t3", minutes: float = 5) -> Outcome:
    seq, since = floor.books.seq + 1, AT - minutes * MINUTE
    body = {"table": table, "since": since.isoformat(), "until": AT.isoformat()}
    return apply(floor.books, FactEntry(seq, AT, "display_dark", body))


# --- the fold -----------------------------------------------------------------------------


def test_a_round_behind_the_entry_does_not_contribute_and_one_in_play_finishes() -> None:
    floor = Floor(patient_terms(increments=[
        {"source": "per_round", "amount": MICROS // 2},
        {"source": "pot", "basis_points": 100},
    ]) | {"funding": "players"})  # fmt: skip
    for table in ("t3", "t7"):
        floor.open(table)
    floor.press("t3")
    assert go_dark(floor) == {"terms": 2, "jackpots": ["house"]}
    assert floor.pool() == 1000 * MICROS + MICROS // 2
    assert "flags" not in floor.complete("t3", pot=10_000)  # 100.00, it began before
    assert floor.pool() == 1001 * MICROS + MICROS // 2
    assert floor.press("t3") == {"flags": ["not_participating"]}
    assert floor.complete("t3", pot=10_000) == {"flags": ["not_participating"]}
    assert floor.pool() == 1001 * MICROS + MICROS // 2
    assert floor.press("t7") == {}
    assert floor.pool() == 1002 * MICROS


def test_no_hand_is_void_the_one_in_play_wins_and_a_later_one_waits_for_people() -> None:
    floor = Floor(patient_terms())
    floor.open("t3")
    floor.press("t3")
    go_dark(floor)
    called = floor.call("t3")
    assert "flags" not in called
    assert floor.held(called["hit"]) == 1001 * MICROS  # 1,000.50 rounded up
    floor.press("t3")
    later = floor.call("t3")
    assert later["flags"] == ["suspended"]  # R03 is for two people to decide
    assert floor.held(later["hit"]) == 1000 * MICROS


def test_a_person_resumes_it_and_new_terms_leave_it_suspended() -> None:
    floor = Floor(patient_terms())
    floor.open("t3")
    go_dark(floor)
    assert floor.decide("put_terms", terms=patient_terms(10)) == {"terms": 3}
    assert floor.press("t3") == {"flags": ["not_participating"]}
    resume = {"jackpot": "house", "table": "t3", "reason": "a new cable"}
    assert floor.decide("resume", second=None, **resume) == {"terms": 4}
    assert floor.press("t3") == {}
    assert floor.pool() == 1000 * MICROS + MICROS // 2


@pytest.mark.parametrize("why", ["suspended", "closed", "too soon", "never posted", "other"])
def test_what_somebody_was_faster_with_moves_nothing(why: str) -> None:
    patience = {"never posted": None, "too soon": 6}.get(why, 5)
    document = patient_terms(patience)
    floor = Floor(document | ({"tables": ["t7"]} if why == "other" else {}))
    floor.open("t3")
    if why == "suspended":
        floor.decide("suspend", second=None, jackpot="house", table="t3", reason="a leak")
    if why == "closed":
        floor.say("t3", SessionClosed)
    before = floor.books.terms_number
    assert go_dark(floor) == {"flags": ["moot"]}
    assert floor.books.terms_number == before


def test_each_jackpot_has_a_patience_of_its_own() -> None:
    floor = Floor(
        patient_terms(),
        patient_terms(10, code="second", name="Second") | {"code": "other", "name": "Other"},
    )
    floor.open("t3")
    assert go_dark(floor, minutes=7)["jackpots"] == ["house"]
    floor.press("t3")
    assert (floor.pool(), floor.pool("second")) == (1000 * MICROS, 1000 * MICROS + MICROS // 2)
    assert go_dark(floor, minutes=12) == {"terms": 4, "jackpots": ["other"]}
    assert floor.press("t3") == {"flags": ["not_participating"]}


def test_the_patience_is_posted_and_terms_without_it_stay_as_they_are() -> None:
    terms = parse(patient_terms())
    sentences = [line for line in notices(terms, 2, "NZD") if "dark for 5 minutes" in line]
    assert len(sentences) == 1
    assert parse(to_json(terms)) == terms
    assert "dark_minutes" not in to_json(parse(royal_terms()))


# --- the watch and the writer ---------------------------------------------------------------


class Lounge(House):
    """A house whose clock is the test's; displays read back and units are heard when asked to."""

    def __init__(self, clock: Clock, *terms: dict[str, Any]) -> None:
        self.clock = clock
        super().__init__(*terms or (patient_terms(),))
        for table in ("t3", "t7"):
            self.open(table)
        self.post()
        self.keys = dict(GamingTable.objects.values_list("code", "pk"))

    def table(self, code: str) -> GamingTable:
        return GamingTable.objects.get(system=self.system, code=code)

    def read(self, code: str) -> None:
        DisplayReading.objects.create(
            table_id=self.keys[code],
            display="d-1",
            said_at=self.clock.at,
            received_at=self.clock.at,
            system_seq=1,
            terms=1,
            shown={},
        )

    def pass_by(
        self,
        minutes: float,
        lit: tuple[str, ...] = (),
        heard: tuple[str, ...] = ("t3", "t7"),
        *,
        beat: bool = True,
    ) -> int:
        """Time passes, with a look every 15 s; how many calls were made."""
        calls = 0
        for _ in range(round(minutes * 4)):
            self.clock.at += MINUTE / 4
            for code in lit:
                self.read(code)
            self.hear(heard)
            if beat:
                with acting_as("worker"):
                    calls += watch_displays()
        return calls

    def hear(self, codes: tuple[str, ...]) -> None:
        """In one statement: a test of ten hours does it a thousand times."""
        at = self.clock.at
        UnitPresence.objects.bulk_create(
            [UnitPresence(table_id=self.keys[code], online=True, heard_at=at) for code in codes],
            update_conflicts=True,
            unique_fields=["table"],
            update_fields=["online", "heard_at"],
        )

    def dark(self) -> list[tuple[int, str, Any]]:
        rows = Entry.objects.filter(system=self.system, type="display_dark").order_by("seq")
        return list(rows.values_list("seq", "table__code", "outcome"))

    def whole(self) -> None:
        """The rows are what the order says, by the product and by the verifier."""
        assert reconcile(self.system).differences == []
        report = verify(url_of(connection.settings_dict["NAME"]), settled=False, with_actions=False)
        assert report.ok, report.lines()


@pytest.fixture
def lounge(monkeypatch: pytest.MonkeyPatch, fresh_database: FreshDatabase) -> Lounge:
    return Lounge(Clock(monkeypatch, START))


def test_a_table_is_suspended_when_its_display_was_dark_for_as_long_as_posted(
    lounge: Lounge,
) -> None:
    lounge.pass_by(1, lit=("t3", "t7"))
    assert lounge.pass_by(4.75, lit=("t7",)) == 0  # 4:45 since the last reading
    assert lounge.pass_by(0.25, lit=("t7",)) == 1
    with acting_as("worker"):
        watch_displays()  # twice is once
    assert DarkCall.objects.filter(entry=None).count() == 1
    with acting_as("poster"):
        lounge.post()
    ((seq, table, outcome),) = lounge.dark()
    assert (table, outcome) == ("t3", {"terms": 2, "jackpots": ["house"]})
    assert DarkCall.objects.get().entry == seq
    body = Entry.objects.get(system=lounge.system, seq=seq).body
    assert body is not None
    assert (body["since"][11:19], body["until"][11:19]) == ("10:01:00", "10:06:00")
    lounge.press("t3")
    lounge.press("t7")
    lounge.post()
    assert lounge.balance("royal:pool") == 1000 * MICROS + MICROS // 2
    assert is_suspended(lounge.table("t3"))
    assert not is_suspended(lounge.table("t7"))
    assert lounge.pass_by(10, lit=("t7",)) == 0  # once is enough
    lounge.whole()


def test_a_display_that_never_read_back_is_dark_from_the_opening_on(lounge: Lounge) -> None:
    """A table that never had a display; the first look is a quarter of a minute behind."""
    assert lounge.pass_by(5, lit=("t7",)) == 0
    assert lounge.pass_by(0.25, lit=("t7",)) == 1
    lounge.post()
    assert [table for _, table, _ in lounge.dark()] == ["t3"]


def test_terms_that_post_no_patience_suspend_nothing(
    monkeypatch: pytest.MonkeyPatch, fresh_database: FreshDatabase
) -> None:
    lounge = Lounge(Clock(monkeypatch, START), royal_terms())
    lounge.pass_by(1, lit=("t3", "t7"))
    assert lounge.pass_by(30) == 0


@pytest.mark.parametrize("outage", ["unit", "beat"])
def test_silence_is_counted_only_while_somebody_could_have_heard_the_display(
    lounge: Lounge, outage: str
) -> None:
    """An outage of intake, broker, network or beat is not the display's."""
    lounge.pass_by(1, lit=("t3", "t7"))
    lounge.pass_by(4)
    heard: tuple[str, ...] = () if outage == "unit" else ("t3", "t7")
    assert lounge.pass_by(60, heard=heard, beat=outage == "unit") == 0
    assert lounge.pass_by(4.75, lit=("t7",)) == 0
    assert lounge.pass_by(1.5, lit=("t7",)) > 0
    lounge.post()
    assert [table for _, table, _ in lounge.dark()] == ["t3"]
    lounge.whole()


def test_a_closed_table_is_not_dark(lounge: Lounge) -> None:
    lounge.pass_by(1, lit=("t3", "t7"))
    for table in ("t3", "t7"):
        lounge.say(table, SessionClosed)
    lounge.post()
    assert lounge.pass_by(600) == 0
    lounge.open("t3")
    lounge.post()
    assert lounge.pass_by(4.75) == 0  # counted from its opening
    assert lounge.pass_by(1) > 0


def test_a_writer_that_was_away_puts_it_where_it_was_found(lounge: Lounge) -> None:
    """The writer was down while the display was dark; intake took in what tables sent."""
    lounge.pass_by(1, lit=("t3", "t7"))
    lounge.pass_by(4.75, lit=("t7",))
    lounge.press("t3")  # before it was called: it takes part
    assert lounge.pass_by(0.25, lit=("t7",)) == 1
    lounge.clock.at += MINUTE
    lounge.press("t3")
    lounge.pass_by(2, lit=("t3", "t7"))  # it is lit again, and stays suspended
    lounge.clock.at += 90 * MINUTE
    lounge.post()
    assert [table for _, table, _ in lounge.dark()] == ["t3"]
    assert lounge.balance("royal:pool") == 1000 * MICROS + MICROS // 2
    assert is_suspended(lounge.table("t3"))
    lounge.whole()


@pytest.mark.parametrize("first", ["a person", "the watch"])
def test_one_of_both_who_suspend_at_once_changes_nothing(lounge: Lounge, first: str) -> None:
    body: dict[str, Any] = {"jackpot": "house", "table": "t3", "reason": "it is dark"}
    lounge.pass_by(1, lit=("t3", "t7"))
    if first == "a person":
        lounge.pass_by(4.75, lit=("t7",))
        lounge.clock.at += MINUTE / 8
        number = commands.queue(lounge.system, "suspend", body, first="mere")
        lounge.clock.at -= MINUTE / 8
        assert lounge.pass_by(0.25, lit=("t7",)) == 1  # it does not know of it
        lounge.post()
        assert not commands.answer(lounge.system, number).refused
        assert [outcome for *_, outcome in lounge.dark()] == [{"flags": ["moot"]}]
    else:
        assert lounge.pass_by(5, lit=("t7",)) == 1
        answer = lounge.decide("suspend", second=None, **body)
        assert "stands so already" in (answer.refused or "")
    assert lounge.head.terms_number == 2
    lounge.whole()


def test_of_two_writers_one_takes_the_call(lounge: Lounge) -> None:
    """The first one read its books before the other took over; its epoch is gone."""
    lounge.pass_by(1, lit=("t3", "t7"))
    lounge.pass_by(5, lit=("t7",))
    dies(lounge.poster)
    with acting_as("poster"):
        other = Poster("other")
        while other.step():
            pass
        lounge.poster.epochs = {lounge.system.pk: 1}
        lounge.post()
    assert len(lounge.dark()) == 1
    lounge.whole()


def test_it_is_replayed_as_it_was(lounge: Lounge) -> None:
    lounge.pass_by(1, lit=("t3", "t7"))
    lounge.pass_by(6, lit=("t7",))
    lounge.press("t3")
    lounge.post()
    lounge.call("t3")
    lounge.post()
    target = url_of(f"replay_{uuid.uuid4().hex}")
    try:
        assert "replayed, the same hashes and rows" in replayed("--into", target)
    finally:
        administer("DROP DATABASE IF EXISTS {}", urlsplit(target).path.removeprefix("/"))


def test_the_verifier_finds_a_table_taken_out_while_its_display_was_read(lounge: Lounge) -> None:
    lounge.pass_by(1, lit=("t3", "t7"))
    lounge.pass_by(5, lit=("t7",))
    lounge.post()
    lounge.clock.at -= 2 * MINUTE
    lounge.read("t3")
    report = verify(url_of(connection.settings_dict["NAME"]), settled=False, with_actions=False)
    assert set(report.counts_by_kind) == {"displays"}, report.lines()
