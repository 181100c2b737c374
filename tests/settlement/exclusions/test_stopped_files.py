"""Long lists of excluded persons that somebody stops, and has go on; ends behind new entries."""

import datetime as dt
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from settlement.core.errors import NotPermitted, WrongState
from settlement.core.gaming_day import today
from settlement.exclusions import entries, imports, long_files
from settlement.exclusions.entries import ExclusionList
from settlement.models import (
    Exclusion,
    ExclusionEnd,
    ExclusionFile,
    ExclusionImport,
    ExclusionLine,
    ExclusionStop,
    Record,
)
from settlement.people.rights.roles import grant, revoke
from settlement.tasks import prune_exports
from tables.models import Alarm, Casino
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.exclusions import REGISTER, WIREMU
from tests.support.cases.long_lists import (
    at_the_worker,
    confirm,
    findings,
    read,
    references,
    register,
)
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase


@pytest.fixture
def house(fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch) -> ConfirmedHouse:
    """A file of more than five lines is long, and a step is of ten."""
    monkeypatch.setattr(imports, "MOST_LINES", 5)
    monkeypatch.setattr(long_files, "AT_ONCE", 10)
    return ConfirmedHouse()


def step(file: ExclusionFile) -> None:
    with acting_as("worker"):
        long_files._step(file.pk)


def stop(file: ExclusionFile, by: str = "ines") -> None:
    with acting_as("web"):
        long_files.stop(file, person(by))


def go_on(file: ExclusionFile, by: str = "ines") -> None:
    with acting_as("web"):
        long_files.go_on(file, person(by))


def state_of(file: ExclusionFile) -> tuple[Any, ...]:
    file.refresh_from_db()
    return file.state, file.lines_done, file.ends_done


def begin_import(count: int = 25, *, is_whole: bool = False) -> ExclusionFile:
    """A file of which one step was taken in."""
    file = read(register(count))
    confirm(file, is_whole=is_whole)
    step(file)
    return file


def test_a_stopped_file_keeps_what_it_wrote_and_goes_on(house: ConfirmedHouse) -> None:
    file = begin_import()
    grant(person("david"), "Compliance")
    for _ in range(2):  # a late click changes nothing
        stop(file, by="david")
    at_the_worker()
    assert state_of(file) == ("stopped", 10, 0)
    assert references() == [f"R-{number}" for number in range(10)]
    for _ in range(2):
        go_on(file)
    at_the_worker()
    assert state_of(file) == ("done", 25, 0)
    go_on(file)
    assert references() == [f"R-{number}" for number in range(25)]
    rows = ExclusionStop.objects.order_by("pk")
    assert [(row.kind, row.person.username, row.lines_done) for row in rows] == [
        ("stop", "david", 10),
        ("continue", "ines", 10),
    ]
    with pytest.raises(WrongState, match="there is nothing to stop"):
        stop(file)
    assert findings() == []


def test_what_a_stopped_list_lacks_stays_in_force(house: ConfirmedHouse) -> None:
    """A register that gives every entry a new number: new entries first, and nobody is on none."""
    confirm(read(register(25)))
    at_the_worker()
    file = read(register(25, start=100))
    confirm(file, is_whole=True)
    for entries_written, ends in ((35, 0), (45, 0), (50, 5)):
        step(file)
        assert (Exclusion.objects.count(), ExclusionEnd.objects.count()) == (entries_written, ends)
    stop(file)
    at_the_worker()
    assert state_of(file) == ("stopped", 25, 5)
    assert Exclusion.objects.filter(end=None).count() == 45
    ended = Exclusion.objects.filter(end=None, origin__added=25).earliest("pk")
    with acting_as("web"):  # somebody ends one that waits for its end
        entries.end(ended, person("ines"), "Lifted by letter")
    go_on(file)
    revoke(person("ines"), "Compliance")  # who confirmed it was there then
    at_the_worker()
    assert state_of(file) == ("done", 25, 25)
    assert set(Exclusion.objects.filter(end=None).values_list("reference", flat=True)) == {
        f"R-{number}" for number in range(100, 125)
    }
    casino = file.casino
    assert {each.last_day for each in ExclusionEnd.objects.all()} == {today(casino)}
    assert findings() == []


def test_who_is_entered_at_the_desk_meanwhile_stays_and_is_not_entered_twice(
    house: ConfirmedHouse,
) -> None:
    file = begin_import(12, is_whole=True)
    stop(file)
    line = imports.line_of(13, _cells(register(12), 11))
    assert line.person is not None
    with acting_as("web"):
        for one in (WIREMU, line.person):
            entries.take_in(file.casino, person("ines"), ExclusionList(REGISTER, [one]))
    go_on(file)
    at_the_worker()
    assert state_of(file) == ("done", 12, 0)
    assert sorted(references()) == sorted([*(f"R-{number}" for number in range(12)), "SE-118"])
    assert not ExclusionEnd.objects.exists()


def _cells(content: bytes, at: int) -> dict[str, str]:
    heading, *lines = content.decode().splitlines()
    return dict(zip(heading.split(","), lines[at].split(","), strict=True))


def import_short(content: bytes, *, is_whole: bool = False) -> ExclusionImport:
    with acting_as("web"):
        ines = person("ines")
        preview = imports.preview(Casino.objects.get(), ines, REGISTER, content)
        choice = imports.Choice(REGISTER, content, preview.sha256, is_whole=is_whole)
        return imports.confirm(Casino.objects.get(), ines, choice)


def import_long(content: bytes, *, is_whole: bool = False) -> None:
    confirm(read(content), is_whole=is_whole)
    at_the_worker()


@pytest.mark.parametrize("count", [1, 3, 12])
def test_who_waits_for_an_end_and_is_entered_again_stays(house: ConfirmedHouse, count: int) -> None:
    """At the desk, by a short file, by a long one: "known", so not by an entry of its own."""
    import_long(register(25))
    file = read(register(25, start=100))
    confirm(file, is_whole=True)
    step(file)
    stop(file)
    if count == 1:
        line = imports.line_of(2, _cells(register(1), 0))
        assert line.person is not None
        with acting_as("web"):
            row = entries.take_in(
                file.casino, person("ines"), ExclusionList(REGISTER, [line.person])
            )
        assert (row.added, row.known) == (0, 1)
    elif count <= imports.MOST_LINES:
        assert import_short(register(count)).known == count
    else:
        import_long(register(count))
    file.refresh_from_db()
    assert file.to_end == 25 - count
    go_on(file)
    at_the_worker()
    assert state_of(file) == ("done", 25, 25 - count)
    assert file.percent == 100
    standing = Exclusion.objects.filter(end=None).values_list("reference", flat=True)
    assert set(standing) == {f"R-{number}" for number in (*range(count), *range(100, 125))}
    assert findings() == []


@pytest.mark.parametrize("is_long", [True, False])
def test_a_later_whole_list_takes_the_place_of_one_that_was_stopped(
    house: ConfirmedHouse, *, is_long: bool
) -> None:
    file = begin_import()
    stop(file)
    if is_long:
        later = read(register(15))
        assert (later.added, later.standing) == (5, 10)
        confirm(later, is_whole=True)
    else:
        import_short(register(4), is_whole=True)
    at_the_worker()
    assert state_of(file)[0] == "failed"
    assert file.fault == ExclusionFile.Fault.OVERTAKEN
    assert not ExclusionLine.objects.exists()
    with pytest.raises(WrongState, match="choose it again"):
        go_on(file)
    assert Exclusion.objects.filter(end=None).count() == (15 if is_long else 4)


@pytest.mark.parametrize("count", [3, 12])
def test_a_file_that_adds_goes_in_beside_one_that_was_stopped(
    house: ConfirmedHouse, count: int
) -> None:
    """Else the rest of a register would be on no list for three lines of a colleague."""
    file = begin_import(is_whole=True)
    stop(file)
    content = register(count, start=100)
    if count <= imports.MOST_LINES:
        import_short(content)
    else:
        import_long(content)
    assert state_of(file) == ("stopped", 10, 0)
    assert "a file that adds to the list goes in beside it" in words(
        logged_in("ines").get(f"/exclusions/files/{file.pk}/")
    )
    go_on(file)
    at_the_worker()
    assert state_of(file) == ("done", 25, 0)
    assert Exclusion.objects.filter(end=None).count() == 25 + count
    assert findings() == []


def test_the_rest_goes_after_seven_days_with_an_alarm(
    house: ConfirmedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = begin_import()
    stop(file)
    with acting_as("worker"):
        prune_exports()
    assert state_of(file)[0] == "stopped"
    monkeypatch.setattr(long_files, "STOP_LIMIT", dt.timedelta(0))
    with acting_as("worker"):
        prune_exports()
    assert (state_of(file)[0], file.fault) == ("failed", ExclusionFile.Fault.LEFT)
    assert not ExclusionLine.objects.exists()
    assert "10 of 25 lines" in Alarm.objects.get(kind="exclusion_file_failed").message
    again = read(register(25))
    assert (again.added, again.standing) == (15, 10)


def leave(file: ExclusionFile, by: str = "ines") -> None:
    with acting_as("web"):
        long_files.leave(file, person(by))


def test_the_rest_of_a_wrong_file_is_left_out_at_once(house: ConfirmedHouse) -> None:
    file = begin_import()
    with pytest.raises(WrongState, match="there is nothing to leave out"):
        leave(file)
    stop(file)
    grant(person("david"), "Compliance")
    for _ in range(2):  # a late click changes nothing
        leave(file, by="david")
    assert (*state_of(file), file.fault) == ("failed", 10, 0, ExclusionFile.Fault.GIVEN_UP)
    assert not ExclusionLine.objects.exists()
    assert references() == [f"R-{number}" for number in range(10)]
    with pytest.raises(WrongState, match="choose it again"):
        go_on(file)
    rows = ExclusionStop.objects.order_by("pk")
    assert [(row.kind, row.person.username, row.lines_done) for row in rows] == [
        ("stop", "ines", 10),
        ("leave", "david", 10),
    ]
    assert not Alarm.objects.filter(kind="exclusion_file_failed").exists()  # somebody wanted it
    again = read(register(25))
    assert (again.added, again.standing) == (15, 10)
    assert findings() == []


def test_the_page_leaves_out_the_rest(house: ConfirmedHouse) -> None:
    file = begin_import()
    address = f"/exclusions/files/{file.pk}/"
    ines = logged_in("ines")
    assert "Leave out the rest" not in words(ines.get(address))
    stop(file)
    assert "Leave out the rest" in words(ines.get(address))
    page = words(ines.post(address, {"do": "leave"}, follow=True))
    assert "Left out. What is imported already stays in force." in page
    assert "Somebody left out the rest of this file" in page
    assert "Left out the rest of an import" in page
    assert "Continue the import" not in page
    acts = Record.objects.filter(source="settlement_exclusionstop").order_by("pk")
    assert [each.by for each in acts] == ["ines", "ines"]
    assert "Left out the rest of an import" in words(ines.get("/audit-trail/"))


def test_only_who_may_import_stops_and_continues(house: ConfirmedHouse) -> None:
    file = begin_import()
    for name in ("mere", "aroha", "hana"):
        with pytest.raises(NotPermitted):
            stop(file, by=name)
    stop(file)
    for name in ("mere", "aroha", "hana"):
        with pytest.raises(NotPermitted):
            go_on(file, by=name)
        with pytest.raises(NotPermitted):
            leave(file, by=name)
    preview = read(register(9), "Letters")
    with pytest.raises(WrongState):
        stop(preview)
    with pytest.raises(WrongState):
        go_on(preview)


def test_nobody_but_a_list_ends_an_entry_in_its_name(house: ConfirmedHouse) -> None:
    """So nobody ends one as who imported a list, who is not there."""
    begin_import()
    row = ExclusionEnd(
        exclusion=Exclusion.objects.earliest("pk"),
        last_day=dt.date(2026, 1, 1),
        origin=ExclusionImport.objects.get(),
        person=person("ines"),
    )
    with (
        acting_as("web"),
        pytest.raises(DatabaseError, match="ends entries where it is taken in"),
        transaction.atomic(),
    ):
        row.save(force_insert=True)


def test_the_page_stops_and_continues(house: ConfirmedHouse) -> None:
    confirm(read(register(25)))
    at_the_worker()
    file = read(register(30, start=10))
    confirm(file, is_whole=True)
    step(file)
    address = f"/exclusions/files/{file.pk}/"
    grant(person("david"), "Compliance")
    david = logged_in("david")  # not whose file it is
    page = words(david.get(address))
    assert "25 of 30 lines 0 of 10 entries ended" in page
    assert "Stop the import" in page
    assert "Lines of the file" not in page
    stopped_page = words(david.post(address, {"do": "stop"}, follow=True))
    assert "Stopped. What is imported already stays in force." in stopped_page
    assert "25 of 30 lines are in force" in stopped_page
    assert "not excluded" in stopped_page
    assert "Stopped an import" in stopped_page
    lists_page = words(david.get("/exclusions/"))
    assert "Stopped 25 of 30 lines 0 of 10 entries ended" in lists_page
    assert "0 of 10" in lists_page
    at_the_worker()
    assert state_of(file)[0] == "stopped"
    david.post(address, {"do": "continue"})
    at_the_worker()
    assert state_of(file) == ("done", 30, 10)
    page = words(david.get(address))
    assert "Continued an import" in page
    assert "there is nothing to stop" in words(david.post(address, {"do": "stop"}, follow=True))
    acts = Record.objects.filter(source="settlement_exclusionstop").order_by("pk")
    assert [each.by for each in acts] == ["david", "david"]
