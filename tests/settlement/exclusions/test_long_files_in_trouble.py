"""Long lists of excluded persons: processes at once, steps that fail, late confirmations."""

import datetime as dt
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone, translation

from settlement.core.errors import WrongState
from settlement.exclusions import imports, long_files
from settlement.models import Exclusion, ExclusionEnd, ExclusionFile, ExclusionLine
from settlement.tasks import prune_exports
from tables.models import Alarm, JackpotSystem
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.exclusions import REGISTER
from tests.support.cases.long_lists import at_the_worker, confirm, read, references, register
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.roles import act_as, acting_as
from tests.support.suite.databases import FreshDatabase

OPERATIONS = Path(__file__).resolve().parents[3] / "docs" / "operations.md"
_LOCK = "SELECT pg_advisory_xact_lock(hashtext('exclusions'))"
# An entry that the database does not take.
_FAULT = """
    CREATE FUNCTION no_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '{words}' USING ERRCODE = '{code}';
    END
    $$;
    CREATE TRIGGER no_entry BEFORE INSERT ON settlement_exclusion FOR EACH ROW
    WHEN (NEW.reference = 'R-12') EXECUTE FUNCTION no_entry();
"""


@pytest.fixture
def house(fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch) -> ConfirmedHouse:
    """A file of more than five lines is long, and a step is of ten."""
    monkeypatch.setattr(imports, "MOST_LINES", 5)
    monkeypatch.setattr(long_files, "AT_ONCE", 10)
    return ConfirmedHouse()


@contextmanager
def uncommitted(role: str | None, act: Callable[[], Any]) -> Iterator[None]:
    """Another process that did this, and whose transaction stays open."""
    is_done, may_end = threading.Event(), threading.Event()

    def work() -> None:
        try:
            act_as(role)
            with transaction.atomic():
                act()
                is_done.set()
                may_end.wait(60)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert is_done.wait(60)
        yield
    finally:
        may_end.set()
        thread.join()


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def state_of(file: ExclusionFile) -> tuple[str, int]:
    file.refresh_from_db()
    return file.state, file.lines_done


# --- one process at a time --------------------------------------------------------------------


def test_while_a_process_takes_one_in_others_come_back_at_once(house: ConfirmedHouse) -> None:
    file, other = read(register(25)), read(register(9), "Letters")
    confirm(file)
    confirm(other)
    with uncommitted("worker", lambda: long_files._step(file.pk)):
        execute("SET lock_timeout = '1s'")  # whoever waits fails
        at_the_worker()
        execute("RESET lock_timeout")
        assert (state_of(file), state_of(other)) == (("running", 0), ("running", 0))
    assert state_of(file) == ("running", 10)
    at_the_worker()
    assert Exclusion.objects.count() == 34


def test_a_process_ends_after_its_time_and_the_next_one_goes_on(
    house: ConfirmedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_files, "LONGEST_S", 0.0)
    file = read(register(25))
    confirm(file)
    for expected in (("running", 10), ("running", 20), ("done", 25)):
        at_the_worker()
        assert state_of(file) == expected


def test_a_step_has_fewer_lines_where_a_casino_has_more_systems(
    house: ConfirmedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each entry is a record of each of them, and the cage waits for a step."""
    monkeypatch.setattr(long_files, "LEAST_AT_ONCE", 4)
    file = read(register(25))
    confirm(file)
    for total in (10, 15, 19):
        with acting_as("worker"):
            long_files._step(file.pk)
        assert state_of(file) == ("running", total)
        JackpotSystem.objects.create(casino=file.casino, code=f"more{total}", name=f"{total}")


def lines_read() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables"
            " WHERE relname = 'settlement_exclusionline'"
        )
        (count,) = cursor.fetchone()
    return int(count)


def test_a_step_reads_its_own_lines(house: ConfirmedHouse) -> None:
    file = read(register(3_000))
    confirm(file)
    before = lines_read()  # by reading the file, in the transaction of the test
    with transaction.atomic(), acting_as("worker"):
        long_files._step(file.pk)
    assert lines_read() - before < 100


def test_whoever_adds_to_a_list_does_not_wait_for_payments(house: ConfirmedHouse) -> None:
    """Nor do payments wait while the file is compared."""
    confirm(read(register(9)))
    at_the_worker()
    file = read(register(12))
    with uncommitted(None, lambda: execute(_LOCK)):
        execute("SET lock_timeout = '1s'")
        confirm(file)
        execute("RESET lock_timeout")
    at_the_worker()
    assert references() == [f"R-{number}" for number in range(12)]


def test_of_two_files_of_a_list_the_second_waits_for_the_first(house: ConfirmedHouse) -> None:
    """It is refused then: what it lacks was counted before."""
    confirm(read(register(9)))
    at_the_worker()
    file = read(register(12))
    other = read(register(9), "Letters")
    ExclusionFile.objects.filter(pk=other.pk).update(name=REGISTER)
    ines = person("ines")
    refusals: list[Exception] = []

    def late() -> None:
        try:
            act_as("web")
            long_files.confirm(other, ines, is_whole=True)
        except WrongState as refusal:
            refusals.append(refusal)
        finally:
            connection.close()

    thread = threading.Thread(target=late)
    with uncommitted("web", lambda: long_files.confirm(file, ines, is_whole=True)):
        thread.start()
        thread.join(0.5)
        assert thread.is_alive()
    thread.join(60)
    assert [str(each) for each in refusals] == [
        "A file of this list is being imported: wait until it is ready."
    ]
    assert not ExclusionEnd.objects.exists()


# --- what goes --------------------------------------------------------------------------------


def test_a_file_that_is_confirmed_while_old_ones_are_dropped_stays(
    house: ConfirmedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = read(register(9))
    ExclusionFile.objects.update(at=timezone.now() - dt.timedelta(hours=25))
    drop = long_files._drop

    def late(*values: Any) -> Any:
        confirm(file)
        return drop(*values)

    monkeypatch.setattr(long_files, "_drop", late)
    with acting_as("worker"):
        prune_exports()
    at_the_worker()
    assert state_of(file) == ("done", 9)
    assert Exclusion.objects.count() == 9


def test_of_files_that_a_person_chooses_for_a_list_the_last_one_waits(
    house: ConfirmedHouse,
) -> None:
    elsewhere, first = read(register(9), "Letters"), read(register(9))
    bad = read(register(9) + b",1980-02-29,self,2025-01-01,,SE-2,,\n")
    last = read(register(12))
    states = [state_of(file)[0] for file in (elsewhere, first, bad, last)]
    assert states == ["preview", "failed", "failed", "preview"]
    assert set(ExclusionLine.objects.values_list("file", flat=True)) == {elsewhere.pk, last.pk}
    page = words(logged_in("ines").get(f"/exclusions/files/{first.pk}/"))
    assert "You chose another file of this list." in page
    confirm(last)
    again = read(register(15))
    assert (state_of(last)[0], state_of(again)[0]) == ("running", "preview")


# --- steps that fail --------------------------------------------------------------------------


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize(
    ("message", "code"), [("no such day", "22007"), ("exclusions: not now", "42501")]
)
def test_an_import_that_fails_is_an_alarm_and_holds_no_other_one_up(
    house: ConfirmedHouse, message: str, code: str
) -> None:
    file, other = read(register(25)), read(register(9, start=50), "Letters")
    confirm(file)
    confirm(other)
    execute(_FAULT.format(words=message, code=code))
    with translation.override("de"):  # of the process that happens to do it
        at_the_worker()
    assert (state_of(file), state_of(other)) == (("failed", 10), ("done", 9))
    assert file.fault == ExclusionFile.Fault.BROKEN
    assert set(ExclusionLine.objects.values_list("file", flat=True)) == set()
    alarm = Alarm.objects.get(kind="exclusion_file_failed")
    assert f"the list {REGISTER} of excluded persons failed: 10 of 25 lines" in alarm.message
    assert alarm.system == house.system
    ines = logged_in("ines")
    page = words(ines.get("/exclusions/"))
    assert "10 of 25" in page
    address = f"/exclusions/files/{file.pk}/"
    assert "10 of 25 lines The import stopped. Choose the same file again" in words(
        ines.get(address)
    )
    german = words(ines.get(address, headers={"accept-language": "de"}))
    assert "Der Import wurde abgebrochen." in german
    execute("DROP TRIGGER no_entry ON settlement_exclusion")
    again = read(register(25))
    assert (again.added, again.standing) == (15, 10)
    confirm(again)
    at_the_worker()
    assert Exclusion.objects.filter(origin__name=REGISTER).count() == 25
    assert "10 of 15" not in words(ines.get("/exclusions/"))


def test_a_file_whose_steps_never_end_fails_and_holds_no_other_one_up(
    house: ConfirmedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_files, "MOST_FAULTS", 3)
    file, other = read(register(25)), read(register(9, start=50), "Letters")
    confirm(file)
    confirm(other)
    execute(_FAULT.format(words="canceling statement", code="57014"))
    at_the_worker()
    assert (state_of(file), state_of(other)) == (("running", 10), ("done", 9))
    at_the_worker()
    assert (state_of(file), file.faults) == (("running", 10), 2)
    assert not Alarm.objects.filter(kind="exclusion_file_failed").exists()
    at_the_worker()
    assert state_of(file) == ("failed", 10)
    assert Alarm.objects.filter(kind="exclusion_file_failed").count() == 1


def test_faults_count_that_come_one_after_the_other(
    house: ConfirmedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_files, "MOST_FAULTS", 2)
    file = read(register(25))
    confirm(file)
    execute(_FAULT.format(words="canceling statement", code="57014"))
    at_the_worker()
    assert (state_of(file), file.faults) == (("running", 10), 1)
    execute("DROP TRIGGER no_entry ON settlement_exclusion")
    with acting_as("worker"):
        long_files._step(file.pk)
    assert (state_of(file), file.faults) == (("running", 20), 0)


# --- what a proxy lets through ----------------------------------------------------------------


def test_operations_say_how_large_a_list_may_be() -> None:
    text = OPERATIONS.read_text()
    megabytes = long_files.MOST_BYTES // 1024**2
    assert f"a list of excluded persons {megabytes} MB" in text
    assert f"client_max_body_size {megabytes + 1}m" in text
