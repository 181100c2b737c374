"""A display goes dark in the middle of play: its table is suspended by itself (19.7(c)), no hand is
void, and a person resumes it. Reset 1,000.00, payable unit 1.00, 0.50 a round, five minutes."""

import datetime as dt
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from jackpot.display.tasks import watch_for_dark
from jackpot.display.values import is_suspended
from jackpot.models import Entry
from settlement.audit import file_keys
from settlement.bundles import bundle
from settlement.core.errors import WrongState
from settlement.floor.suspensions import suspensions
from settlement.terms import lifecycle
from tables.models import DisplayReading, UnitPresence
from tables.protocol import topics
from tables.unit.display_panel import DisplayPanel
from tables.unit.unit import TableUnit
from tests.support.houses.button_to_paid import BOARD, ROYAL
from tests.support.houses.dark_displays import patient_terms
from tests.support.people.roles import acting_as
from tests.support.suite.clock import Clock
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
LOOK = dt.timedelta(seconds=20)


class Evening:
    """A card room whose console hears the time from the test; two tables with their displays."""

    def __init__(self, open_room: OpenRoom, patch: pytest.MonkeyPatch) -> None:
        self.clock = Clock(patch, timezone.now())
        for reader in (
            "tables.intake.loop",
            "settlement.floor.suspensions",
            "settlement.terms.lifecycle",
        ):
            patch.setattr(f"{reader}.timezone", self.clock)
        self.room = open_room(patient_terms())
        self.units = {n: self.room.unit(n, display=f"d-{n}") for n in (3, 7)}
        self.room.display()
        for number in self.units:
            self._lights_up(number)

    def _lights_up(self, number: int) -> None:
        panel = self.panel(number)
        wait_until(lambda: panel.reading(self.clock.at), what="values to show")

    def panel(self, number: int) -> DisplayPanel:
        panel = self.units[number].panel
        assert panel is not None
        return panel

    def pass_by(self, looks: int, heard: tuple[int, ...] = (3, 7)) -> None:
        """Time passes: units speak, displays that are lit read back, Celery looks."""
        for _ in range(looks):
            self.clock.at += LOOK
            for number in heard:
                self._speaks(number, self.units[number])
            with acting_as("worker"):
                watch_for_dark()

    def _speaks(self, number: int, unit: TableUnit) -> None:
        table = self.room.tables[number]
        if unit.panel is not None:
            unit.link.publish(
                topics.readings(unit.system, unit.table), unit.panel.reading(self.clock.at) or b""
            )
            read = DisplayReading.objects.filter(table=table, received_at=self.clock.at)
            wait_until(read.exists, what="the reading")
        unit.say_present()
        heard = UnitPresence.objects.filter(table=table, heard_at=self.clock.at)
        wait_until(heard.exists, what="the unit's presence")

    def suspended(self) -> Entry:
        entries = Entry.objects.filter(system=self.room.system, type="display_dark")
        wait_until(lambda: entries.filter(outcome__has_key="terms").exists(), what="the suspension")
        return entries.get()


@pytest.fixture
def evening(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> Evening:
    return Evening(open_room, monkeypatch)


def test_a_dark_display_suspends_its_table_and_a_person_resumes_it(evening: Evening) -> None:
    room, (three, seven) = evening.room, evening.units.values()
    evening.pass_by(3)
    panel, three.panel = three.panel, None  # somebody pulled its plug
    room.play(three, 1)
    evening.pass_by(14)  # 4:40
    room.play(three, 1)
    assert room.pool() == money(1001)
    evening.pass_by(1)
    entry = evening.suspended()
    assert entry.outcome == {"terms": 2, "jackpots": ["house"]}
    # The round in play finishes as it began, and its hand wins; the next one does not take part.
    room.posted(three, three.report_hand([BOARD], [ROYAL]))
    assert room.hit(1).held == money(1001)
    room.play(three, 5)
    assert room.pool() == money(1000)
    room.posted(three, three.call_hand([5], "royal"))
    flags = Entry.objects.get(system=room.system, seq=room.hit(2).place).outcome["flags"]
    assert flags == ["suspended"]
    room.play(seven, 4)
    assert room.pool() == money(1002)
    assert is_suspended(room.tables[3])
    assert not is_suspended(room.tables[7])
    (row,) = suspensions([room.system])
    assert (row.table.code, row.by, row.is_lit) == ("t3", "", False)
    mere, part = room.people["mere"], lifecycle.JackpotPart(room.system, "house", table="t3")
    with acting_as("web"), pytest.raises(WrongState, match=r"reads nothing back \(19.7\)"):
        lifecycle.suspend(part, mere, reason="Try", again=True)
    three.panel = panel
    evening.pass_by(1)
    assert suspensions([room.system])[0].is_lit
    room.play(three, 1)
    assert room.pool() == money(1002)  # not before somebody says so
    with acting_as("web"):
        lifecycle.suspend(part, mere, reason="Plugged in", again=True)
    room.play(three, 1)
    assert room.pool() == money(1002.5)
    room.reject(2, "R03")
    room.verify(1)
    room.confirm(1)
    room.pay(1)
    assert room.balance("paid_cash") == money(1001)
    evening.pass_by(20)
    assert suspensions([room.system]) == []
    room.balanced()


def test_an_hour_in_which_nobody_could_hear_the_displays_suspends_nothing(
    evening: Evening,
) -> None:
    """The network to the tables is away: rounds are journalled, and count when they come."""
    room = evening.room
    evening.pass_by(3)
    evening.pass_by(180, heard=())
    room.play(evening.units[3], 2)
    evening.pass_by(5)
    assert suspensions([room.system]) == []
    assert not Entry.objects.filter(system=room.system, type="display_dark").exists()
    assert room.pool() == money(1001)
    room.balanced()


def test_a_browser_at_the_table_reads_back_and_stands_in_the_dispute_bundle(
    open_room: OpenRoom, settings: Any
) -> None:
    settings.BUNDLE_SIGNING_KEY = "11" * 32
    file_keys.begin()
    room = open_room(patient_terms())
    three = room.unit(3)
    address = f"/display/{room.tables[3].display_key}/reading"

    def reads_back() -> None:
        display = room.display()
        reading = {
            "v": 1,
            "display": "d-browser",
            "at": timezone.now().isoformat(),
            "terms": display["terms"],
            "shown": [{"tier": t["tier"], "value": t["value"]} for t in display["tiers"]],
            "system_seq": display["system_seq"],
        }
        with acting_as("web"):
            answer = Client().post(address, json.dumps(reading), content_type="text/plain")
        assert answer.status_code == 204, answer.content

    room.play(three, 3)
    reads_back()
    room.posted(three, three.call_hand([3], "royal"))
    reads_back()
    archive = io.BytesIO()
    with acting_as("web"):
        bundle.export(room.claim(), room.people["priya"], archive)
    with zipfile.ZipFile(archive) as opened:
        name = next(name for name in opened.namelist() if "display" in name)
        readings = json.loads(opened.read(name))["readings"]
    place = room.hit(1).place
    assert [(each["display"], each["entry"] < place) for each in readings] == [
        ("d-browser", True),
        ("d-browser", False),
    ]
    assert [each["shown"]["royal"] for each in readings] == [100_150, 100_000]
    room.balanced()
