"""Units, broker, console and people, all real; then the independent verifier looks."""

from collections.abc import Callable
from pathlib import Path

from django.db import connection

from settlement.claims import services as claims
from tables import keys
from tests.support.play.books import royal_terms
from tests.support.suite.databases import url_of
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import CardRoom
from verifier import UnitRecords, verify

OpenRoom = Callable[..., CardRoom]
ROYAL = {"seat": 3, "hole": ["As", "Ks"]}
BOARD = ["Qs", "Js", "Ts", "2d", "3c"]


def test_the_units_journals_and_the_database_tell_one_story(
    open_room: OpenRoom, tmp_path: Path
) -> None:
    room = open_room(royal_terms())
    key = "5e" * 32
    table = room.tables[3]
    keys.give(table, key)
    signing = room.unit(3, journal=tmp_path / "t3.sqlite3", mac_key=key)
    plain = room.unit(7, journal=tmp_path / "t7.sqlite3")
    room.play(signing, 5)
    room.play(plain, 5)
    room.display()
    room.posted(plain, plain.call_hand([1]))
    room.posted(signing, signing.report_hand([BOARD], [ROYAL]))
    room.reject(1, "R11")
    wait_until(lambda: room.hit(1).state == "rejected", what="the rejection")
    room.verify(2)
    room.confirm(2)
    room.pay(2)
    claims.catch_up(room.system)
    lost = plain.last_seq + 1
    plain.journal.remember(seq=lost)  # a part of the disk cannot be read any more
    room.posted(plain, plain.declare_lost(lost, lost))
    seqs = {3: signing.last_seq, 7: plain.last_seq}
    for unit in (signing, plain):
        assert unit.wait_recorded(unit.last_seq)
    covered = {
        (room.system.code, room.tables[number].code, unit.boot): seqs[number]
        for number, unit in ((3, signing), (7, plain))
    }
    report = verify(url_of(connection.settings_dict["NAME"]), UnitRecords(tmp_path, covered))
    assert report.ok, report.lines()
    assert report.counts["journalled"] == sum(seqs.values()) - 1
