"""The pages for people who write programs: every operation, as the schema has it."""

import json

from drf_spectacular.generators import SchemaGenerator

from settlement.api import reference
from settlement.people.rights.scopes import SCOPES
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ClaimHouse
from tests.support.suite.kept_house import kept_house

house = kept_house(ClaimHouse)


def test_every_operation_has_its_line_and_its_page(house: ClaimHouse) -> None:
    document = SchemaGenerator().get_schema(request=None, public=True)
    rows = {
        (row["operationId"], method.upper(), path)
        for path, methods in document["paths"].items()
        for method, row in methods.items()
        if method != "parameters"
    }
    operations = reference.operations().values()
    assert {(each.name, each.method, each.path) for each in operations} == rows
    everything = page_of("ines", "/api/docs/")
    for each in operations:
        assert f"{each.method} {each.path}" in everything
        page = page_of("ines", f"/api/docs/{each.name}/")
        assert all(answer.status in page for answer in each.answers)


def test_what_paying_takes(house: ClaimHouse) -> None:
    operation = reference.operations()["pay_claim"]
    assert (operation.scope, operation.group) == ("", "Claims")
    needed = [field.name for field in operation.body if field.is_required]
    assert needed == ["line", "parts_micros", "password"]
    names = {field.name: field for field in operation.body}
    assert names["residence"].kind == "resident | foreign"
    assert names["password"].kind == "string, at most 1024 characters"
    assert "parts_micros.tax" in names
    assert [each.field.name for each in operation.parameters if each.field.is_required] == [
        "number",
        "system",
    ]
    page = page_of("ines", "/api/docs/pay_claim/")
    assert "no token is taken" in page
    assert "-u NAME" in page


def test_what_a_program_may_says_its_scope(house: ClaimHouse) -> None:
    operations = reference.operations()
    assert {each.scope for each in operations.values()} == {"", *SCOPES}
    page = page_of("ines", "/api/docs/count_drop/")
    assert "write:drop" in page
    assert "Bearer $TOKEN" in page


def test_examples_hold_what_is_required(house: ClaimHouse) -> None:
    for each in reference.operations().values():
        if each.body:
            body = json.loads(each.example)
            assert set(body) == {
                field.name
                for field in each.body
                if "." not in field.name and (field.is_required or not _asks_for_any(each))
            }, each.name


def _asks_for_any(operation: reference.Operation) -> bool:
    return any(field.is_required and "." not in field.name for field in operation.body)


def test_what_is_not_there_is_not_found(house: ClaimHouse) -> None:
    assert logged_in("ines").get("/api/docs/nothing/").status_code == 404
