"""Every command under every role of the database: docs/roles.md says under which it works.

Commands are those of the installed apps, so that none is forgotten. The page's tables are written
again as those of the role matrix are. Programs beside the house ask nothing of its people.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import psycopg
import pytest
from django.conf import settings as project
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import Settings

from settlement.database_roles.grants import ROLES
from tests.support.pages.walks import command_house, command_walk
from tests.support.pages.walks.roles_page import compare, section
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from verifier.check import look

ROOT = Path(project.BASE_DIR)
# Programs that are typed without manage.py, and read files and lines alone.
OFFLINE = (
    *(f"verifier.{name}" for name in ("archive", "bundle", "export", "proof", "witness.server")),
    "conformance.__main__",
)
DRIVERS = re.compile(r"^\s*(?:from|import) (?:psycopg|django|sqlalchemy)\b", re.MULTILINE)


@pytest.fixture
def house(settings: Settings) -> ClaimHouse:
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse()
    house.hit_royal()
    return house


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer")
def test_what_commands_may_is_what_the_page_says(
    house: ClaimHouse, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command_house.no_server_is_copied(monkeypatch, settings)
    command_house.no_broker_is_heard(monkeypatch, house)
    names = command_house.prepare(house, settings, tmp_path)
    calls = command_walk.by_database_role(names)
    nothing = [call for call, roles in calls.items() if not roles[command_walk.OWNER]]
    assert not nothing, "calls that show nothing"
    compare("Commands", calls)
    compare("People whom commands name", command_walk.by_person())


@pytest.mark.django_db
def test_set_up_is_begun_by_the_owner_of_an_empty_installation() -> None:
    """The rows of archives are tried with archives: tests/settlement/archives/test_roles.py."""
    began = {
        role: command_walk.works("setup", None if role == command_walk.OWNER else role)
        for role in command_walk.roles()
    }
    compare("Commands with a database of their own", {"setup": began}, among=("setup",))


@pytest.mark.parametrize("call", command_walk.WITHOUT_DATABASE.values())
def test_it_opens_no_database(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """Whoever runs it needs no role there."""
    if call.startswith("makemessages") and shutil.which("xgettext") is None:
        pytest.skip("NO GETTEXT: texts cannot be collected")
    (tmp_path / "locale" / "de" / "LC_MESSAGES").mkdir(parents=True)
    (tmp_path / "words.py").write_text('gettext("A word")')
    monkeypatch.chdir(tmp_path)
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    command_house.no_server_is_copied(monkeypatch, settings)

    def opened(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError("it opens a database")

    monkeypatch.setattr(psycopg.Connection, "connect", opened)
    monkeypatch.setattr(BaseDatabaseWrapper, "connect", opened)
    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", opened)
    command_walk.typed(call.format(new=tmp_path / "new"))


def test_every_command_is_on_the_page() -> None:
    apart, offline = (
        command_walk.names_of(
            call
            for cell in re.findall(r"^\| (`[^|]+`) \|", section(heading), re.MULTILINE)
            for call in re.findall(r"`([^`]+)`", cell)
        )
        for heading in ("Commands with a database of their own", "Commands without a database")
    )
    assert apart == command_walk.names_of(command_walk.APART)
    assert offline == command_walk.WITHOUT_DATABASE.keys()
    called = command_walk.names_of((*command_walk.CALLS, *command_walk.NAMING))
    assert not called & apart
    assert command_walk.commands() == called | apart | offline


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer")
def test_who_may_look_with_the_verifier(house: ClaimHouse) -> None:
    """It has no account here: what it may read is what the role that it is given may."""
    may = {}
    for role in command_walk.roles():
        try:
            with acting_as(None if role == command_walk.OWNER else role), transaction.atomic():
                assert look(connection.connection, with_actions=False).ok
                may[role] = True
        except psycopg.errors.InsufficientPrivilege:
            may[role] = False
    compare("Programs", {"python -m verifier": may})
    assert may["reporting"]
    assert set(may) == {command_walk.OWNER, *ROLES}


@pytest.mark.parametrize("program", OFFLINE)
def test_a_program_that_reads_files_cannot_open_a_database(program: str) -> None:
    """Nothing that it loads knows how to: neither now nor within a function."""
    listing = (
        f"import sys, {program}\n"
        "print(*filter(None, (getattr(each, '__file__', None) for each in sys.modules.values())))"
    )
    run = subprocess.run(
        [sys.executable, "-c", listing], cwd=ROOT, capture_output=True, text=True, check=True
    )
    own = [Path(file) for file in run.stdout.split() if Path(file).parent.is_relative_to(ROOT)]
    own = [file for file in own if ".venv" not in file.parts]
    assert any(file.stem == program.split(".")[-1] for file in own)
    assert not [file for file in own if DRIVERS.search(file.read_text())]
    assert "/psycopg/" not in run.stdout
    assert "/django/" not in run.stdout
