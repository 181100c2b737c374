"""A unit whose journal is lost goes on with one that is made of what the console holds."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tables.models import GamingTable, TableEvent, UnitPresence
from tests.support.play.books import royal_terms
from tests.support.suite.databases import url_of
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import CardRoom
from verifier import UnitRecords, verify

OpenRoom = Callable[..., CardRoom]


def test_a_lost_journal_is_made_anew(open_room: OpenRoom, tmp_path: Path) -> None:
    room = open_room(royal_terms())
    journals = tmp_path / "journals"
    journals.mkdir()
    file = journals / "t3.sqlite3"
    unit = room.unit(3, journal=tmp_path / "lost.sqlite3", presence_every_s=0.2)
    room.play(unit, 4)
    boot, last = unit.boot, unit.last_seq
    unit.journal.remember(seq=last + 2)  # written on its disk, and sent by nobody
    table = room.tables[3]
    wait_until(lambda: _last_seq(table) == last + 2, what="what the unit had")
    unit.stop()
    output = StringIO()
    names = (room.system.code, table.code)
    call_command("restore_journal", *names, "--to", str(file), stdout=output)
    assert f"goes on with boot {boot + 1}." in output.getvalue()
    assert f"nobody holds {last + 1} to {last + 2} without a gap" in output.getvalue()
    with pytest.raises(CommandError, match="is there already"):
        call_command("restore_journal", *names, "--to", str(file))
    with pytest.raises(CommandError, match="no table t99"):
        call_command("restore_journal", room.system.code, "t99", "--to", str(tmp_path / "x"))

    again = room.unit(3, journal=file)
    room.play(again, 3)
    assert (again.boot, again.last_seq) == (boot + 1, 4)
    events = TableEvent.objects.filter(table=table, boot=boot).order_by("seq")
    assert [(each.seq, bytes(each.body)) for each in events] == again.journal.events_from(
        boot, 1, 100
    )
    again.stop()
    report = verify(url_of(connection.settings_dict["NAME"]), UnitRecords(journals))
    assert report.ok, report.lines()
    room.balanced()


def _last_seq(table: GamingTable) -> int:
    return UnitPresence.objects.get(table=table).last_seq
