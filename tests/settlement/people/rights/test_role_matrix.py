"""Every role, and none, against every page, API operation and command: docs/roles.md says who may.

Addresses and operations are those of the address list and the API's schema, so that none is
forgotten; commands are tried in test_commands.py. Who changes a permission writes the page's tables
again and shows the difference: WRITE_ROLES=1 with these files.
"""

import logging
from typing import Any

import pytest
from django.contrib.auth.models import User
from drf_spectacular.generators import SchemaGenerator
from pytest_django import Settings

from tests.support.pages.entrances import OPEN
from tests.support.pages.page_staff import logged_in
from tests.support.pages.walks.role_walk import PARTS, path_of, walk
from tests.support.pages.walks.roles_page import compare, table_of
from tests.support.people.cast import ClaimHouse

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

API = "/api/"
UNDOCUMENTED = {
    "api-schema",
    "api-docs",
    "api-operation",
    "api-problems",
    "api-nothing",
}  # no operations


@pytest.fixture
def house(settings: Settings, caplog: pytest.LogCaptureFixture) -> ClaimHouse:
    settings.API_PER_MINUTE = 0
    caplog.set_level(logging.CRITICAL, "django.request")  # most are refused: no trace of each
    house = ClaimHouse()
    house.hit_royal()
    return house


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


def test_a_log_in_without_a_role_reads_no_number_beside_a_refusal(house: ClaimHouse) -> None:
    assert User.objects.get(username="nobody").groups.count() == 0
    page = logged_in("nobody").get("/").content.decode()
    assert "Your role does not allow this" in page
    assert "data-open-claims" not in page
