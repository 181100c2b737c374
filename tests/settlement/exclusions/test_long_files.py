"""Long lists of excluded persons: each bad line is named, the worker takes them in step by step."""

import datetime as dt
import io
import uuid

import pytest
from django.utils import timezone

from settlement.core.errors import BadFile, NotPermitted, WrongState
from settlement.exclusions import entries, imports, long_files, stops
from settlement.exclusions.entries import ExclusionList
from settlement.models import (
    Exclusion,
    ExclusionEnd,
    ExclusionFile,
    ExclusionImport,
    ExclusionLine,
    ExclusionMatch,
)
from settlement.people.rights.roles import revoke
from settlement.tasks import prune_exports
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.exclusions import REGISTER, WIREMU, identified
from tests.support.cases.long_lists import (
    HEADING,
    WIREMUS,
    at_the_worker,
    confirm,
    findings,
    read,
    references,
    register,
)
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase


@pytest.fixture
def house(fresh_database: FreshDatabase) -> ConfirmedHouse:
    return ConfirmedHouse()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of more than five lines is long, and a step is of ten."""
    monkeypatch.setattr(imports, "MOST_LINES", 5)
    monkeypatch.setattr(long_files, "AT_ONCE", 10)


@pytest.mark.usefixtures("small")
def test_it_is_shown_confirmed_and_taken_in_once(house: ConfirmedHouse) -> None:
    content = register(25) + WIREMUS
    file = read(content)
    assert (file.state, file.lines, file.problems) == ("preview", 26, 0)
    assert (file.added, file.standing, file.missing) == (26, 0, 0)
    at_the_worker()
    assert not Exclusion.objects.exists()  # nobody confirmed it
    for _ in range(2):
        confirm(file)
    with pytest.raises(WrongState, match="choose it again"):
        confirm(file, is_whole=True)
    for _ in range(2):
        at_the_worker()
    assert references() == [*(f"R-{number}" for number in range(25)), "SE-118"]
    row = ExclusionImport.objects.get()
    assert (row.added, row.known, row.ended, row.file) == (26, 0, 0, file.digest)
    file.refresh_from_db()
    assert (file.state, file.lines_done, file.origin) == ("done", 26, row)
    confirm(file)  # a late click
    assert not ExclusionLine.objects.exists()
    again = read(content)
    assert (again.added, again.standing, again.missing) == (0, 26, 0)
    confirm(again)
    at_the_worker()
    assert (Exclusion.objects.count(), ExclusionImport.objects.count()) == (26, 2)
    assert findings() == []


@pytest.mark.usefixtures("small")
def test_a_whole_list_ends_what_it_lacks(house: ConfirmedHouse) -> None:
    confirm(read(register(25) + WIREMUS))
    at_the_worker()
    identified(house.claim)
    shorter = read(register(20) + register(12, start=30).partition(b"\n")[2])
    assert (shorter.added, shorter.standing, shorter.missing) == (12, 20, 6)
    confirm(shorter, is_whole=True)
    with acting_as("worker"):  # new entries first: nobody is on no list meanwhile
        long_files._step(shorter.pk)
        assert (Exclusion.objects.count(), ExclusionEnd.objects.count()) == (36, 0)
        long_files._step(shorter.pk)
        assert (Exclusion.objects.count(), ExclusionEnd.objects.count()) == (38, 6)
    ended = ExclusionEnd.objects.values_list("exclusion__reference", flat=True)
    assert set(ended) == {*(f"R-{number}" for number in range(20, 25)), "SE-118"}
    assert {each.person.username for each in ExclusionEnd.objects.all()} == {"ines"}
    # To the end of the day it stops what it stopped.
    assert stops.of_claim(house.claim)[3]
    row = ExclusionImport.objects.latest("pk")
    assert (row.added, row.known, row.ended, row.replaces) == (12, 20, 6, True)
    assert Exclusion.objects.filter(end=None).count() == 32
    assert findings() == []


def test_a_short_list_that_ends_more_than_5_000_entries_does_it_step_by_step(
    house: ConfirmedHouse,
) -> None:
    """Nobody is paid meanwhile, so they do not end at once."""
    confirm(read(register(5_003)))
    at_the_worker()
    casino = ExclusionFile.objects.get().casino
    whole = ExclusionList(REGISTER, [WIREMU], is_whole=True)
    key = uuid.uuid4()
    with acting_as("web"):
        row = entries.take_in(casino, person("ines"), whole, key=key)
        assert entries.take_in(casino, person("ines"), whole, key=key) == row
    assert (row.added, row.known, row.ended) == (1, 0, 5_003)
    assert (Exclusion.objects.count(), ExclusionEnd.objects.count()) == (5_004, 0)
    file = ExclusionFile.objects.get(origin=row)
    with acting_as("worker"):
        long_files._step(file.pk)
    file.refresh_from_db()
    assert (file.state, file.lines_done, file.ends_done, file.percent) == ("running", 1, 2_000, 39)
    assert long_files.in_part([row]) == {row.pk: (1, 2_000)}
    at_the_worker()
    assert ExclusionEnd.objects.filter(origin=row).count() == 5_003
    assert entries.in_force(casino)[0]["persons"] == 1


@pytest.mark.usefixtures("small")
def test_every_bad_line_says_what_is_wrong(house: ConfirmedHouse) -> None:
    good = register(8).decode()
    twice = good.splitlines(keepends=True)[3]
    file = read(f"{good},1980-02-29,self,2025-01-01,,SE-2,,\n{twice}".encode())
    assert (file.state, file.lines, file.problems) == ("preview", 10, 2)
    with acting_as("web"):
        first = long_files.first_lines(file, person("ines"))
    assert {line.number: line.problem for line in first} == {
        10: "A name has at least two letters.",
        11: "Line 4 has this already.",
    }
    assert first[0].cells["reference"] == "SE-2"
    assert first[1].cells["from"] == "2020-01-01"
    with pytest.raises(WrongState, match="choose it again"):
        confirm(file)
    at_the_worker()
    assert not Exclusion.objects.exists()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"name,born\nA B,1980-01-01\n", "first line names the columns"),
        (register(15) + b"Ana Li,1980-01-01\n", "Line 17 has 2 cells"),
        (register(15) + b"A\x00B,1980-01-01,self,2025-01-01,,1,,\n", "Line 17 cannot"),
        (register(15) + b"\xff,1980-01-01,self,2025-01-01,,1,,\n", "not text in UTF"),
        (HEADING.encode(), "1 to 200000 lines"),
        (b"", "first line names the columns"),
    ],
)
def test_of_a_file_that_cannot_be_read_nothing_is_kept(
    house: ConfirmedHouse, content: bytes, why: str
) -> None:
    with pytest.raises(BadFile, match=why):
        read(content)
    assert not ExclusionFile.objects.exists()
    assert not ExclusionLine.objects.exists()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_spreadsheets_write_is_read(house: ConfirmedHouse, encoding: str) -> None:
    text = register(7).decode().replace(",", ";")
    assert read(text.encode(encoding)).problems == 0


@pytest.mark.usefixtures("small")
def test_a_file_is_its_own_persons(house: ConfirmedHouse) -> None:
    file = read(register(9))
    for name in ("mere", "aroha", "hana"):
        who = person(name)
        with acting_as("web"), pytest.raises(NotPermitted):
            long_files.first_lines(file, who)
        with pytest.raises(NotPermitted):
            confirm(file, by=name)
        with acting_as("web"), pytest.raises(NotPermitted):
            long_files.read(file.casino, who, REGISTER, io.BytesIO(register(9)))
    revoke(person("ines"), "Compliance")
    with pytest.raises(NotPermitted):
        confirm(file)
    at_the_worker()
    assert not Exclusion.objects.exists()


@pytest.mark.usefixtures("small")
def test_while_a_list_is_taken_in_no_other_file_of_it_is(house: ConfirmedHouse) -> None:
    file, elsewhere = read(register(25)), read(register(9), "Letters")
    confirm(file)
    other = read(register(9))
    with acting_as("worker"):
        long_files._step(file.pk)
    casino = file.casino
    with pytest.raises(WrongState, match="is being imported"):
        confirm(other)
    with acting_as("web"), pytest.raises(WrongState, match="is being imported"):
        entries.take_in(casino, person("ines"), ExclusionList(REGISTER, [WIREMU]))
    with acting_as("web"):  # somebody at the desk does not wait
        entries.take_in(casino, person("ines"), ExclusionList("House list", [WIREMU]))
    confirm(elsewhere)
    at_the_worker()
    confirm(other)
    at_the_worker()
    assert Exclusion.objects.count() == 25 + 9 + 1
    assert Exclusion.objects.filter(origin__name=REGISTER).count() == 25


@pytest.mark.usefixtures("small")
def test_what_nobody_confirms_goes_after_a_day(house: ConfirmedHouse) -> None:
    old, young = read(register(9)), read(register(9), "Letters")
    ExclusionFile.objects.filter(pk=old.pk).update(at=timezone.now() - dt.timedelta(hours=25))
    with acting_as("worker"):
        prune_exports()
    assert set(ExclusionLine.objects.values_list("file", flat=True)) == {young.pk}
    with pytest.raises(WrongState, match="choose it again"):
        confirm(old)


@pytest.mark.usefixtures("small")
def test_a_player_is_stopped_by_the_step_that_has_their_line(house: ConfirmedHouse) -> None:
    identified(house.claim)
    file = read(register(15) + WIREMUS + register(15, start=50).partition(b"\n")[2])
    confirm(file)
    with acting_as("worker"):
        for expected in (0, 1):
            long_files._step(file.pk)
            assert ExclusionMatch.objects.count() == expected
