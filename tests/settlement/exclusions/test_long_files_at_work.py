"""Long lists of excluded persons at the worker: killed, several, 50,000 lines; their pages."""

import secrets
import signal
import subprocess
import sys
import threading
import tracemalloc
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction

from settlement.exclusions import entries, imports, long_files
from settlement.models import (
    Exclusion,
    ExclusionFile,
    ExclusionImport,
    ExclusionMatch,
)
from settlement.people.rights.roles import grant
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.exclusions import REGISTER, identified
from tests.support.cases.long_lists import (
    WIREMUS,
    at_the_worker,
    confirm,
    read,
    references,
    register,
)
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.identification import NAME
from tests.support.people.roles import act_as, acting_as
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

ADDRESS = "/exclusions/harbour/import/"
MANY = 50_000


@pytest.fixture
def house(fresh_database: FreshDatabase) -> ConfirmedHouse:
    return ConfirmedHouse()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of more than five lines is long, and a step is of ten."""
    monkeypatch.setattr(imports, "MOST_LINES", 5)
    monkeypatch.setattr(long_files, "AT_ONCE", 10)


# --- workers ----------------------------------------------------------------------------------

# A worker that stands within its second step when it is killed.
_HALF = """
import django
django.setup()
import threading
from django.db import transaction
from settlement.exclusions import long_files

long_files.AT_ONCE = 10
number = long_files.ExclusionFile.objects.get().pk
long_files._step(number)
with transaction.atomic():
    long_files._step(number)
    print("half", flush=True)
    threading.Event().wait()
"""


@pytest.mark.usefixtures("small")
def test_a_killed_worker_is_followed_by_another_one(
    house: ConfirmedHouse, fresh_database: FreshDatabase
) -> None:
    file = read(register(45))
    confirm(file)
    environment = {
        **fresh_database.environment(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    with subprocess.Popen(
        [sys.executable, "-c", _HALF], env=environment, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "half\n"
        worker.send_signal(signal.SIGKILL)
        assert worker.wait(60) == -signal.SIGKILL
    file.refresh_from_db()
    assert (file.state, file.lines_done, Exclusion.objects.count()) == ("running", 10, 10)

    def is_done() -> bool:
        at_the_worker()  # the database may not know yet that the other one is gone
        return ExclusionFile.objects.get().state == "done"

    wait_until(is_done)
    assert references() == [f"R-{number}" for number in range(45)]
    assert ExclusionImport.objects.get().added == 45


@pytest.mark.usefixtures("small")
def test_workers_that_work_at_once_take_each_line_once(house: ConfirmedHouse) -> None:
    confirm(read(register(95)))
    barrier = threading.Barrier(3)

    def work() -> None:
        try:
            act_as("worker")
            barrier.wait(60)
            long_files.take_in()
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert references() == [f"R-{number}" for number in range(95)]
    assert ExclusionFile.objects.get().state == "done"


# --- a register of 50,000 ---------------------------------------------------------------------


def peak_of(act: Any) -> int:
    """The most bytes that Python held meanwhile, beyond what it held before."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def rows_read() -> int:
    """Entries that this transaction has read, by any way."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables"
            " WHERE relname = 'settlement_exclusion'"
        )
        (count,) = cursor.fetchone()
    return int(count)


@pytest.mark.long
def test_a_register_of_50_000_is_taken_in_with_little_memory(house: ConfirmedHouse) -> None:
    seed = secrets.randbelow(10**6)
    sys.stdout.write(f"seed {seed}\n")
    content = register(MANY - 1, seed) + WIREMUS
    short = peak_of(lambda: read(register(5_000, seed), "Short"))
    whole = peak_of(lambda: read(content))
    assert whole < 2 * short
    file = ExclusionFile.objects.get(name=REGISTER)
    assert (file.lines, file.problems, file.added) == (MANY, 0, MANY)
    confirm(file)
    assert peak_of(at_the_worker) < short
    assert Exclusion.objects.count() == MANY
    assert set(references()) == {*(f"R-{number}" for number in range(MANY - 1)), "SE-118"}
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE settlement_exclusion")
    with transaction.atomic():
        before = rows_read()
        identified(house.claim)  # by the number of the document, and by the day of birth
        assert rows_read() - before < 100
    for sought in ("R-17", NAME, NAME.split()[0][:4]):
        with transaction.atomic(), acting_as("web"):
            before = rows_read()
            assert entries.look(file.casino, person("ines"), sought)[0], sought
            assert rows_read() - before < 300, sought
    assert ExclusionMatch.objects.count() == 1


# --- pages ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
def test_the_page_shows_a_long_file_and_how_far_it_is(house: ConfirmedHouse) -> None:
    ines = logged_in("ines")
    content = register(25) + WIREMUS

    def chosen(content: bytes) -> Any:
        upload = SimpleUploadedFile("list.csv", content)
        return ines.post(ADDRESS, {"list": REGISTER, "file": upload})

    answer = chosen(register(4))
    assert "4 lines, of which 4 are new" in words(answer)  # a short one is shown at once
    address = chosen(content)["Location"]
    page = words(ines.get(address))
    assert "26 lines, of which 26 are new and 0 are already listed" in page
    assert NAME in page
    assert "Not confirmed" in words(ines.get("/exclusions/"))
    assert not Exclusion.objects.exists()
    assert ines.post(address, {"whole": "yes"})["Location"] == address
    with acting_as("worker"):
        long_files._step(ExclusionFile.objects.get().pk)
    for place in (address, "/exclusions/"):
        assert "10 of 26 lines" in words(ines.get(place))
        assert "data-moves" in ines.get(place).content.decode()
    at_the_worker()
    assert "26 new, 0 known already, 0 end with the import" in words(ines.get(address))
    assert "data-moves" not in ines.get(address).content.decode()
    bad = chosen(content + b",1980-02-29,self,2025-01-01,,SE-2,,\n")["Location"]
    page = words(ines.get(bad))
    assert "1 line has a problem" in page
    assert "Import all lines" not in page
    assert words(ines.post(bad, {"whole": "no"}, follow=True)).count("choose it again")
    assert chosen(b"name,born\n" * 9).status_code == 422
    for name, status in (("david", 403), ("sione", 403)):
        assert logged_in(name).get(address).status_code == status
    assert ines.get("/exclusions/files/999/").status_code == 404


@pytest.mark.usefixtures("small")
def test_a_file_of_somebody_else_is_not_there(house: ConfirmedHouse) -> None:
    file = read(register(9))
    grant(person("david"), "Compliance")
    assert logged_in("david").get(f"/exclusions/files/{file.pk}/").status_code == 404
    assert "Not confirmed" not in words(logged_in("david").get("/exclusions/"))
