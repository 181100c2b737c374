"""A restore from a backup: units send again what they kept, as if nothing had happened.

Real journalled units, intake, poster, broker; the backup is a copy of the database taken while
the console stands still, and the restored database takes the place of the lost one.
"""

import datetime as dt
import json
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings

from jackpot.models import Entry, Transfer
from settlement.audit.after_restore import flag_hands
from tables.intake import loop as intake
from tables.intake.boots import eras
from tables.models import Alarm, EraBegun, TableEvent
from tables.mqtt.client import Delivery
from tables.protocol import topics
from tables.protocol.inbound_message import InboundMessage
from tables.unit.unit import TableUnit, UnitSettings
from tests.support.play.books import royal_terms
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase, administer
from tests.support.suite.waiting import wait_until
from tests.support.units import cardroom
from tests.support.units.cardroom import CardRoom, money
from tests.support.units.running_intake import RunningIntake, new_instance

LISTENED_S = 1.5  # here heartbeats are sent more often
BOARD = ["Qs", "Js", "Ts", "2d", "3c"]


class Floor:
    """A card room whose console goes down and comes back, and units that keep journals."""

    def __init__(self, stack: ExitStack, folder: Path, database: str, tables: int) -> None:
        self.stack, self.folder, self.database = stack, folder, database
        self.instance = new_instance()  # a stable name: the broker keeps its session
        with ExitStack() as opening:
            self.room = CardRoom(opening, royal_terms(), tables=tables)
        self.units: dict[int, TableUnit] = {}

    @contextmanager
    def console(self) -> Iterator[None]:
        with RunningIntake(self.instance), cardroom.posting():
            yield

    def switch_on(self, number: int) -> TableUnit:
        unit = TableUnit(
            self.room.system.code,
            f"t{number}",
            UnitSettings(guard_s=0, presence_every_s=0.2),
            journal=self.folder / f"t{number}.db",
        )
        unit.start()
        self.stack.callback(unit.stop)
        assert unit.wait_ready(60)
        self.units[number] = unit
        return unit

    def back_up(self) -> None:
        self._copy(self.database, f"{self.database}_backup")

    def restore(self) -> None:
        self._copy(f"{self.database}_backup", self.database)

    def _copy(self, source: str, target: str) -> None:
        connection.close()
        administer("DROP DATABASE IF EXISTS {}", target)
        administer("CREATE DATABASE {} TEMPLATE {}", target, source)

    def begin_era(self) -> str:
        output = StringIO()
        code = self.room.system.code
        options = {"system": code, "by": "david", "reason": "disk lost", "stdout": output}
        call_command("begin_era", **options)
        return output.getvalue()

    # --- what there is ----------------------------------------------------------------------

    def entries(self) -> list[tuple[Any, ...]]:
        """Everything of the order but its times, which are those of the posting."""
        columns = ("seq", "kind", "type", "table__code", "boot", "event_seq", "command", "round")
        rows = Entry.objects.filter(system=self.room.system).order_by("seq")
        return [
            (*row, bytes(digest))
            for *row, digest in rows.values_list(*columns, "hit", "outcome", "body_hash")
        ]

    def transfers(self) -> list[tuple[Any, ...]]:
        columns = ("number", "entry_seq", "debit__code", "credit__code", "amount", "debit_after")
        rows = Transfer.objects.filter(system=self.room.system).order_by("number")
        return list(rows.values_list(*columns, "credit_after", "reason", "hit"))

    def journalled(self) -> list[tuple[str, int, int, bytes]]:
        return sorted(
            (unit.table, unit.boot, seq, bytes(payload))
            for unit in self.units.values()
            for seq, payload in unit.journal.events_from(unit.boot, 1, 10_000)
        )

    def inbox(self) -> list[tuple[str, int, int, bytes]]:
        rows = TableEvent.objects.filter(system=self.room.system)
        events = rows.values_list("table__code", "boot", "seq", "body")
        return sorted((table, boot, seq, bytes(body)) for table, boot, seq, body in events)

    def all_is_posted(self) -> bool:
        posted = Entry.objects.filter(system=self.room.system, kind="event").count()
        return posted == len(self.journalled())

    def is_in_order(self) -> None:
        """Gapless, each table in its own order, every journalled event exactly once."""
        assert self.inbox() == self.journalled()
        entries = self.entries()
        assert [row[0] for row in entries] == list(range(1, len(entries) + 1))
        for unit in self.units.values():
            of_unit = [row[5] for row in entries if row[3] == unit.table]
            assert of_unit == list(range(1, unit.last_seq + 1))


@pytest.fixture
def make_floor(
    fresh_database: FreshDatabase,
    broker: Broker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Generator[Callable[..., Floor]]:
    monkeypatch.setattr(eras, "LISTENED_S", LISTENED_S)
    monkeypatch.setattr(intake, "HEARTBEATS_EVERY_S", 0.2)
    with ExitStack() as stack, override_settings(GAP_WAIT_S=30.0):

        def make(tables: int) -> Floor:
            return Floor(stack, tmp_path, fresh_database.name, tables)

        yield make
    administer("DROP DATABASE IF EXISTS {}", f"{fresh_database.name}_backup")


def test_with_one_table_the_restored_run_equals_the_lost_one(
    make_floor: Callable[..., Floor],
) -> None:
    floor = make_floor(1)
    room = floor.room
    with floor.console():
        unit = floor.switch_on(3)
        room.posted(unit, unit.open_session())
        room.play(unit, 5)
    floor.back_up()
    with floor.console():
        room.play(unit, 250)  # more than a unit sends at once
        call = unit.call_hand([3], "royal")
        hand = {"seat": 3, "hole": ["As", "Ks"]}
        unit.report_hand([BOARD], [hand])
        room.play(unit, 4)
        room.posted(unit, unit.complete(pot=100))
        entries, transfers = floor.entries(), floor.transfers()
        handset_text = unit.handset_text(call)
    unit.press()  # while the console is away
    floor.restore()
    assert len(floor.entries()) < len(entries)
    output = floor.begin_era()
    assert " has begun. It knew last:" in output
    with floor.console():
        wait_until(floor.all_is_posted, what="all that the unit kept to be posted")
        room.play(unit, 1)
        assert unit.handset_text(call) == handset_text  # the number that was announced holds
    floor.is_in_order()
    assert floor.entries()[: len(entries)] == entries
    assert floor.transfers()[: len(transfers)] == transfers
    assert room.hit(1).held == money(1128)  # 1,000.00 and 255 rounds, rounded up
    room.balanced()


def test_a_backup_that_is_restored_twice_begins_two_eras(
    make_floor: Callable[..., Floor],
) -> None:
    floor = make_floor(1)
    room = floor.room
    with floor.console():
        unit = floor.switch_on(3)
        room.posted(unit, unit.open_session())
    floor.back_up()
    with floor.console():
        room.play(unit, 6)
    eras_begun = []
    for _ in range(2):
        floor.restore()
        assert len(floor.inbox()) == 1
        floor.begin_era()
        eras_begun.append(EraBegun.objects.get(system=room.system).era)
        with floor.console():
            wait_until(floor.all_is_posted, what="all that the unit kept to be posted")
            room.play(unit, 2)
    assert eras_begun[0] < eras_begun[1]
    floor.is_in_order()
    room.balanced()


def test_a_clock_that_stands_behind_the_displays_numbers_no_era_twice() -> None:
    now = dt.datetime(2026, 11, 21, 14, 0, tzinfo=dt.UTC)
    heard = eras.RetainedMessages()
    body = json.dumps({"system_seq": 7, "at": "2026-11-21T16:00:00+01:00"}).encode()
    message = InboundMessage.of(topics.display("main"), body, retained=True)
    eras._note(heard, Delivery(message, 1, 1, 1), ["main"])
    assert heard.shown_at == dt.datetime(2026, 11, 21, 15, 0, tzinfo=dt.UTC)
    assert eras._number(5, now) < eras._number(5, heard.shown_at)
    assert eras._number(2_000_000_000, now) == 2_000_000_001


def test_where_tables_interleaved_a_changed_order_is_shown(
    make_floor: Callable[..., Floor], monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = make_floor(2)
    room = floor.room
    with floor.console():
        three, seven = floor.switch_on(3), floor.switch_on(7)
        for unit in (three, seven):
            room.posted(unit, unit.open_session())
            room.play(unit, 1)
        monkeypatch.setattr(eras, "LISTENED_S", 5.0)  # a heartbeat may be late
        with pytest.raises(CommandError, match="An intake is connected"):
            floor.begin_era()
        monkeypatch.setattr(eras, "LISTENED_S", LISTENED_S)
    assert not EraBegun.objects.exists()
    floor.back_up()
    with floor.console():
        first = room.posted(seven, seven.call_hand([3], "royal"))
        call = three.call_hand([3], "royal")
        second = room.posted(three, call)
        assert first.system_seq < second.system_seq
    seven.stop()
    floor.restore()
    floor.begin_era()
    with floor.console():
        wait_until(lambda: floor.entries()[-1][3] == "t3", what="table 3 to have its place")
        floor.switch_on(7)
        wait_until(floor.all_is_posted, what="all that the units kept to be posted")
        wait_until(lambda: "before the restore" in three.handset_text(call))
    assert three.handset_text(call) == (
        f"RECORDED no. {first.system_seq}, before the restore no. {second.system_seq}"
    )
    floor.is_in_order()
    assert flag_hands(room.system) == 0  # the row at hand is of before the restore
    room.system.refresh_from_db()
    assert flag_hands(room.system) == 2
    assert flag_hands(room.system) == 0
    alarms = Alarm.objects.filter(kind="order_after_restore").order_by("id")
    assert [alarm.subject for alarm in alarms] == [f"{room.system.code}-{n}" for n in (1, 2)]
    assert "at Table 3 was recorded before the restore and has its place again, as no." in (
        alarms[0].message
    )
    room.balanced()


def test_what_people_did_is_named_as_gone(make_floor: Callable[..., Floor]) -> None:
    floor = make_floor(1)
    with floor.console():
        unit = floor.switch_on(3)
        floor.room.posted(unit, unit.open_session())
        last = floor.room.head().seq
    output = floor.begin_era()
    assert f"last entry {last} of " in output
    assert "last command 1, put_terms by anna" in output
    assert "no payout" in output
    era = EraBegun.objects.get(system=floor.room.system)
    assert (era.begun_by, era.reason) == ("david", "disk lost")
    alarm = Alarm.objects.get(kind="era_begun")
    assert "pay nobody twice" in alarm.message
    assert "last command 1, put_terms by anna" in alarm.message
