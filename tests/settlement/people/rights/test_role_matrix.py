"""Every role, and none, against every page, API operation and command: docs/roles.md says who may.

Addresses, operations and commands are those of the address list, the API's schema and the installed
apps, so that none is forgotten. Who changes a permission writes the page's tables again and shows
the difference: WRITE_ROLES=1 with this file.
"""

import logging
import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from drf_spectacular.generators import SchemaGenerator
from pytest_django import Settings

from settlement.audit import file_keys
from tables.intake.boots import eras
from tests.support.pages.entrances import OPEN
from tests.support.pages.page_staff import logged_in
from tests.support.pages.walks import command_walk
from tests.support.pages.walks.role_walk import PARTS, part_of, path_of, walk
from tests.support.people.cast import ClaimHouse

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

PAGE = Path(__file__).resolve().parents[4] / "docs" / "roles.md"
API = "/api/"
UNDOCUMENTED = {
    "api-schema",
    "api-docs",
    "api-operation",
    "api-problems",
    "api-nothing",
}  # no operations
_ROW = re.compile(r"^\| `(.+?)` \|(.*)\|$", re.MULTILINE)

Table = dict[str, dict[str, bool]]  # what is done -> who -> whether they may


@pytest.fixture
def house(settings: Settings, caplog: pytest.LogCaptureFixture) -> ClaimHouse:
    settings.API_PER_MINUTE = 0
    caplog.set_level(logging.CRITICAL, "django.request")  # most are refused: no trace of each
    house = ClaimHouse()
    house.hit_royal()
    return house


def section(heading: str) -> str:
    """The page from this heading to the next one."""
    return PAGE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]


def table_of(heading: str) -> Table:
    """The table below a heading."""
    text = section(heading)
    head = next(line for line in text.splitlines() if line.startswith("| "))
    columns = [cell.strip() for cell in head.strip("|").split("|")][1:]
    return {
        row: dict(zip(columns, (cell.strip() == "yes" for cell in cells.split("|")), strict=True))
        for row, cells in _ROW.findall(text)
    }


def write(heading: str, table: Table) -> None:
    """Put it on the page in place of the table there."""
    columns = list(next(iter(table.values())))
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    lines += [
        f"| `{row}` | {' | '.join('yes' if may else '' for may in cells.values())} |"
        for row, cells in table.items()
    ]
    above, below = PAGE.read_text().split(f"\n## {heading}\n")
    intro, _, after = re.split(r"((?:\|.*\n)+)", below, maxsplit=1)
    text = [f"{above}\n## {heading}", f"{intro}{lines[0]}", *lines[1:], after]
    PAGE.write_text("\n".join(text))


def compare(heading: str, table: Table, part: int | None = None) -> None:
    """Hold a table against the page, or the rows of one part of the walk; with WRITE_ROLES they
    are written there first."""
    if os.environ.get("WRITE_ROLES"):
        elsewhere = {row: who for row, who in table_of(heading).items() if not is_of(row, part)}
        rows = elsewhere | table
        write(heading, {row: rows[row] for row in sorted(rows, key=by_path)} if part else table)
    expected = {row: who for row, who in table_of(heading).items() if is_of(row, part)}
    wrong = {row: cells for row, cells in table.items() if expected.get(row) != cells}
    assert not wrong, "docs/roles.md says otherwise: see the top of this file"
    assert set(expected) == set(table), "docs/roles.md names what is no longer there"


def is_of(row: str, part: int | None) -> bool:
    """Whether a row of the page is of this part of the walk; without one, of all."""
    return part is None or part_of(row.split()[-1]) == part


def by_path(row: str) -> list[str]:
    """In which order `GET /claims/` and the like stand on the page."""
    return row.split()[::-1]


@pytest.mark.parametrize("part", range(1, PARTS + 1))
def test_who_is_let_in_where_is_what_the_page_says(house: ClaimHouse, part: int) -> None:
    matrix, faults = walk(part)
    assert not faults
    rows = {f"{each.method} {each.path}": matrix[each] for each in sorted(matrix)}
    compare("Pages", {row: who for row, who in rows.items() if f" {API}" not in row}, part)
    compare("API", {row: who for row, who in rows.items() if f" {API}" in row}, part)


def test_every_operation_of_the_api_is_on_the_page() -> None:
    document: Any = SchemaGenerator().get_schema(request=None, public=True)
    operations = {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method in methods
        if method != "parameters"
    }
    beside = {path_of(name) for name in UNDOCUMENTED}
    assert {row for row in table_of("API") if row.split()[1] not in beside} == operations


def test_who_is_not_logged_in_reaches_what_is_open_alone() -> None:
    tables = {**table_of("Pages"), **table_of("API")}
    reached = {row.split()[1] for row, who in tables.items() if who["not logged in"]}
    assert reached == {path_of(name) for name in OPEN}


def test_what_commands_may_is_what_the_page_says(
    house: ClaimHouse, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BUNDLE_SIGNING_KEY = "00" * 32
    file_keys.begin()
    monkeypatch.setattr(eras, "hear", lambda _codes: eras.RetainedMessages())  # no intake is there
    command_walk.prepare()
    calls = command_walk.by_database_role(tmp_path)
    assert all(roles["owner"] for roles in calls.values()), "a call that shows nothing"
    compare("Commands", calls)
    compare("People whom commands name", command_walk.by_person())


def test_every_command_is_on_the_page() -> None:
    called = {call.split()[0] for call in (*command_walk.CALLS, *command_walk.NAMING)}
    assert not called & set(command_walk.ELSEWHERE)
    assert command_walk.commands() == called | set(command_walk.ELSEWHERE)
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", section("Other commands"), re.MULTILINE)
    assert dict(rows) == command_walk.ELSEWHERE


def test_a_log_in_without_a_role_reads_no_number_beside_a_refusal(house: ClaimHouse) -> None:
    assert User.objects.get(username="nobody").groups.count() == 0
    page = logged_in("nobody").get("/").content.decode()
    assert "Your role does not allow this" in page
    assert "data-open-claims" not in page
