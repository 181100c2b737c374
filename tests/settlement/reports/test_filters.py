"""Every report filters by what its rows have: system, jackpot, prize, table and person.

Held against the rows themselves: with a filter there are those rows, and no other, whose columns
show what was chosen.
"""

from typing import Any

import pytest

from settlement.core.errors import WrongState
from settlement.reports import schedules
from settlement.reports.catalogue import reports
from settlement.reports.definition import Definition, Filters
from settlement.reports.schedules import Plan
from tests.support.confirmed import person
from tests.support.office_month import FRIDAY, SUNDAY, OfficeMonth
from tests.support.page_staff import logged_in, words

OF_COLUMNS = {"system": "system", "jackpot": "jackpot", "tier": "tier", "table_code": "table"}
PEOPLE = ("person", "who", "login", "cashier", "owner")
NOBODY = {"given_by"}  # the owner of the database, who is nobody of the console
# Which find the cashier, or the owner of a finding, too.
WITH_MORE = {"hit-register", "liability"}
LOGINS = ("sione", "mere", "aroha", "anahera", "david", "ines", "tane")


def people_of(definition: Definition) -> list[str]:
    """The columns that show somebody."""
    sources = {each.source for each in definition.columns} - NOBODY
    return [each for each in sources if each in PEOPLE or each.endswith("_by")]


def test_a_report_filters_by_what_its_columns_show() -> None:
    missing = [
        (definition.code, column.source)
        for definition in reports().values()
        for column in definition.columns
        if (name := OF_COLUMNS.get(column.source)) is not None and name not in definition.filters
    ]
    assert missing == []
    silent = [each.code for each in reports().values() if people_of(each)]
    assert [code for code in silent if "person" not in reports()[code].filters] == []


@pytest.mark.parametrize("code", [each for each in reports() if each != "audit-trail"])
def test_with_a_filter_there_are_the_rows_that_show_it(month: OfficeMonth, code: str) -> None:
    definition, casino = reports()[code], month.system.casino

    def rows(**codes: str) -> list[dict[str, Any]]:
        return definition.report(Filters(casino, FRIDAY, SUNDAY, codes)).rows(10_000)

    everything = rows()
    for source, name in OF_COLUMNS.items():
        values = {row[source] for row in everything if row.get(source)}
        for value in values if source in {each.source for each in definition.columns} else ():
            assert rows(**{name: value}) == [row for row in everything if row[source] == value]
    if people := people_of(definition):
        for login in LOGINS:
            wanted = [
                row
                for row in everything
                if login in [text for each in people for text in str(row[each]).split(" and ")]
            ]
            of_person = rows(person=login)
            if code in WITH_MORE:
                of_person = [row for row in of_person if row in wanted]
            assert of_person == wanted, login


def test_the_ledger_of_a_prize_has_what_went_in_and_out(month: OfficeMonth) -> None:
    casino = month.system.casino
    whole = reports()["ledger"].report(Filters(casino, FRIDAY, SUNDAY)).rows(10_000)
    filters = Filters(casino, FRIDAY, SUNDAY, {"tier": "quads"})
    of_quads = reports()["ledger"].report(filters).rows(10_000)
    assert of_quads
    assert of_quads == [row for row in whole if "quads:" in f"{row['debit']} {row['credit']}"]


@pytest.mark.usefixtures("quick_passwords")
def test_a_long_report_is_added_up_where_somebody_asks(month: OfficeMonth) -> None:
    ines, query = logged_in("ines"), f"?from={FRIDAY}&to={SUNDAY}&system=main&tier=quads"
    page = words(ines.get(f"/reports/ledger/{query}"))
    assert "Add up all rows" in page
    page = words(ines.get(f"/reports/ledger/{query}&totals=1"))
    assert "Add up all rows" not in page
    filters = Filters(month.system.casino, FRIDAY, SUNDAY, {"system": "main", "tier": "quads"})
    rows = reports()["ledger"].report(filters).rows(10_000)
    assert f"{len(rows)} rows" in page
    assert f"{sum(row['amount'] for row in rows) / 1_000_000:.2f}" in page


@pytest.mark.usefixtures("quick_passwords")
def test_a_schedule_keeps_its_filters(month: OfficeMonth) -> None:
    ines = logged_in("ines")
    form = {"report": "hit-register", "moment": "day", "format": ["csv"]}
    filters = {"system": "main", "table": "t3", "tier": "royal", "person": "mere"}
    page = words(ines.post("/reports/schedules/", {**form, **filters}, follow=True))
    assert "It is made from the next close on." in page
    assert "System: main Prize: royal Table: t3 Person: mere" in page
    wrong = {**form, "report": "player-fund", "table": "t3"}
    page = words(ines.post("/reports/schedules/", wrong, follow=True))
    assert "This report has no such filter" in page
    plan = Plan("day", ["csv"])
    with pytest.raises(WrongState, match="no such system"):
        schedules.add(
            reports()["hit-register"],
            Filters.from_codes(month.system.casino, {"system": "elsewhere"}),
            plan,
            person("ines"),
        )
