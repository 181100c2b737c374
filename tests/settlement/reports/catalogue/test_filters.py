"""Every report filters by what its rows have: system, jackpot, prize, table and person.

Held against the rows themselves: with a filter there are those rows, and no other, whose columns
show what was chosen.
"""

from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from settlement.core.errors import WrongState
from settlement.reports import schedules
from settlement.reports.catalogue import reports, round_ledger
from settlement.reports.definitions.definition import Definition, Filters, amount_code
from settlement.reports.schedules import Plan
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.office_month import FRIDAY, SUNDAY, OfficeMonth
from tests.support.pages.page_staff import logged_in, words

OF_COLUMNS = {"system": "system", "jackpot": "jackpot", "tier": "tier", "table_code": "table"}
PEOPLE = ("person", "who", "login", "cashier", "owner")
NOBODY = {"given_by"}  # the owner of the database, who is nobody of the console
# Which find the cashier, or the owner of a finding, too.
WITH_MORE = {"hit-register", "liability"}
LOGINS = ("sione", "mere", "aroha", "anahera", "david", "ines", "tane")


# Every filter of the page, report by report. What is left out has its reason.
FILTERS = {
    "roll-forward": "system jackpot tier",
    "round-ledger": "system jackpot tier table person",
    "meters": "system jackpot tier",
    "terms-changes": "system jackpot person",
    "hit-register": "system jackpot tier table person",
    "derivation": "system jackpot tier table person",
    "payouts": "system jackpot tier table person least most",
    "payments-by-method": "system person",
    "tax-and-cash-reports": "system player",
    "forms": "player person",
    "adjustments": "system jackpot tier table person",
    "drop": "system table person",
    "liability": "system person",
    "display-accuracy": "system table",
    "significant-events": "system jackpot tier table person",
    "unclaimed": "system jackpot tier person",
    "player-fund": "system",
    "quarterly-return": "system",
    "ledger": "system jackpot tier entry",
    "people-and-roles": "person",
    "prior-period": "system jackpot tier table person",
    "monthly-roll-forward": "system jackpot tier",
    "audit-trail": "system person",
}
POOL_ACCOUNTS = ("pool", "reserve", "overflow")
POOLS = "a pool belongs to no table and to nobody"
WITHOUT = {
    "roll-forward": {"table person": POOLS},
    "monthly-roll-forward": {"table person": POOLS},
    "meters": {"table person": POOLS},
    "terms-changes": {"tier": "a change is of the whole terms", "table": "so it is of all tables"},
    "payments-by-method": {"jackpot tier table": "a cashier's day: report 7 has each payment"},
    "tax-and-cash-reports": {
        "jackpot tier table": "the law adds up what a person is paid, for whatever prize",
        "person": "people are players, by their number",
    },
    "forms": {"system jackpot tier table": "a form is of a person, for what the whole casino paid"},
    "drop": {"jackpot tier": "a box is a table's"},
    "liability": {"jackpot tier table": "one account at the bank for the whole system"},
    "display-accuracy": {"jackpot tier": "a reading has all values", "person": "no person acts"},
    "unclaimed": {"table": "an account of the system"},
    "player-fund": {"jackpot tier table person": "one fund for the whole system"},
    "quarterly-return": {"jackpot tier table person": "the law asks for each system as a whole"},
    "ledger": {"table person": "a transfer is of accounts: reports 2 and 10 name table and person"},
    "people-and-roles": {"system jackpot tier table": "roles are of a casino"},
    "audit-trail": {"jackpot tier table": "its rows are of people and settings"},
}


@pytest.mark.parametrize("code", [*reports()])
def test_each_report_has_these_filters(code: str) -> None:
    filters = set(reports()[code].filters)
    assert filters == set(FILTERS[code].split())
    without = {name for names in WITHOUT.get(code, {}) for name in names.split()}
    assert filters | without >= {"system", "jackpot", "tier", "table", "person"}
    assert not filters & without


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
            expected = [
                row
                for row in everything
                if login in [text for each in people for text in str(row[each]).split(" and ")]
            ]
            of_person = rows(person=login)
            if code in WITH_MORE:
                of_person = [row for row in of_person if row in expected]
            assert of_person == expected, login


def test_payments_are_found_by_amount(month: OfficeMonth) -> None:
    """Both bounds included, and what was recovered by its size; what is no amount is refused."""
    definition, casino = reports()["payouts"], month.system.casino

    def amounts(**codes: str) -> list[int]:
        filters = Filters(casino, FRIDAY, SUNDAY, codes)
        assert Filters.from_json(casino, filters.as_json()) == filters
        return [each["amount_micros"] for each in definition.report(filters).rows(10_000)]

    everything = amounts()
    middle = sorted(map(abs, everything))[len(everything) // 2]
    text = amount_code(middle, casino)
    assert amounts(least=text) == [each for each in everything if abs(each) >= middle]
    assert amounts(most=text) == [each for each in everything if abs(each) <= middle]
    assert 0 < len(amounts(least=text, most=text)) < len(everything)
    with pytest.raises(WrongState, match="not an amount"):
        amounts(least="a lot")
    with override("de"), pytest.raises(WrongState, match=r"kein Betrag.* 1,234\.50"):
        amounts(most="a lot")


@pytest.mark.usefixtures("quick_passwords")
def test_the_page_of_a_report_reads_an_amount_as_it_is_written(month: OfficeMonth) -> None:
    ines, query = logged_in("ines"), f"?from={FRIDAY}&to={SUNDAY}&written=de"
    page = ines.get(f"/reports/payouts/{query}&least=1.000,50")
    assert page.context["filters"].codes["least"] == "1,000.50"
    assert 'value="1,000.50"' in page.content.decode()
    page = ines.get(f"/reports/payouts/?from={FRIDAY}&to={SUNDAY}&most=a lot")
    assert page.context["filters"].codes["most"] == ""
    assert "This is not an amount" in words(page)


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


def test_a_schedule_has_the_smaller_amount_first(month: OfficeMonth) -> None:
    filters = Filters.from_codes(month.system.casino, {"least": "1,000.00", "most": "20.00"})
    plan, ines = Plan("day", ["csv"]), person("ines")
    schedule = schedules.add(reports()["payouts"], filters, plan, ines)
    assert schedule is not None
    assert schedule.filters == {"least": "20.00", "most": "1,000.00"}
    filters = Filters.from_codes(month.system.casino, {"least": "a lot"})
    with pytest.raises(WrongState, match="not an amount"):
        schedules.add(reports()["payouts"], filters, plan, ines)


def test_what_the_order_decided_later_is_found_by_prize(month: OfficeMonth) -> None:
    """And of a prize only its own accounts: with all prizes together it is the whole."""
    definition, casino = reports()["prior-period"], month.system.casino

    def rows(**codes: str) -> list[dict[str, Any]]:
        return definition.report(Filters(casino, FRIDAY, SUNDAY, codes)).rows(1000)

    everything = rows(system="main")
    assert {row["claim"] for row in rows(system="main", tier="quads")} == {3}
    assert {row["claim"] for row in rows(system="main", tier="royal")} == {1, 2}
    for name in ("pool", "other", "held"):
        parts = [row[name] for tier in ("quads", "royal") for row in rows(system="main", tier=tier)]
        assert sum(parts) == sum(row[name] for row in everything)
    assert rows(system="main", jackpot="house") == everything
    assert rows(tier="nothing") == []


def test_the_ledger_of_a_jackpot_is_that_of_its_prizes(month: OfficeMonth) -> None:
    def numbers(**codes: str) -> set[int]:
        filters = Filters(month.system.casino, FRIDAY, SUNDAY, {"system": "main", **codes})
        return {row["number"] for row in reports()["ledger"].report(filters).rows(10_000)}

    of_prizes = numbers(tier="royal") | numbers(tier="quads")
    assert numbers(jackpot="house") == of_prizes
    assert 0 < len(of_prizes) < len(numbers())


def test_rulings_and_derivations_are_found_by_person(month: OfficeMonth) -> None:
    casino = month.system.casino

    def values(code: str, name: str, login: str) -> set[Any]:
        filters = Filters(casino, FRIDAY, SUNDAY, {"system": "main", "person": login})
        whole = {row[name] for row in reports()[code].report(filters).rows(10_000)}
        assert whole == {row[name] for row in reports()[code].rows(filters, 1000)}
        return whole

    assert values("round-ledger", "what", "sione") == {"missed_rounds", "void_round"}
    assert values("round-ledger", "what", "aroha") == set()
    assert values("derivation", "claim", "sione") == {1, 3, 4}
    assert values("derivation", "claim", "tane") == set()


def test_a_person_who_was_paid_is_found_by_number(month: OfficeMonth) -> None:
    definition, casino = reports()["tax-and-cash-reports"], month.system.casino
    everything = definition.report(Filters(casino, FRIDAY, SUNDAY)).rows(100)
    for number in ("1", "999", "x"):
        filters = Filters(casino, FRIDAY, SUNDAY, {"player": number})
        rows = definition.report(filters).rows(100)
        assert rows == [row for row in everything if str(row["player"]) == number]
    assert {row["player"] for row in everything} >= {1}


@pytest.mark.parametrize("chosen", [{"tier": "quads"}, {"tier": "royal"}, {"jackpot": "house"}])
def test_rounds_of_a_prize_are_those_that_moved_it(
    month: OfficeMonth, chosen: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they added is what the ledger has of it; pages have the same rows, however small."""
    monkeypatch.setattr(round_ledger, "_CHUNK", 2)
    filters = Filters(month.system.casino, FRIDAY, SUNDAY, chosen)
    definition = reports()["round-ledger"]
    whole = definition.report(filters).rows(10_000)
    every = definition.report(replace(filters, codes={})).rows(10_000)
    added: dict[tuple[str, int], int] = {}
    for row in reports()["ledger"].report(filters).rows(10_000):
        if row["reason"] in ("contribution", "adjustment"):
            for side, sign in (("credit", 1), ("debit", -1)):
                tier, _colon, account = row[side].rpartition(":")
                if account in POOL_ACCOUNTS and chosen.get("tier", tier) == tier:
                    key = row["system"], row["entry"]
                    added[key] = added.get(key, 0) + sign * row["amount"]
    places = [(row["system"], row["entry"]) for row in whole]
    assert places == [p for row in every if (p := (row["system"], row["entry"])) in added]
    assert [row["contributed"] for row in whole] == [added[place] for place in places]
    assert whole
    assert (len(whole) < len(every)) == (chosen == {"tier": "quads"})
    paged: list[dict[str, Any]] = []
    while rows := definition.rows(filters, 3, len(paged)):
        paged += rows
    assert paged == whole
    for is_down in (False, True):
        onward: list[dict[str, Any]] = []
        while rows := definition.rows_behind(
            filters,
            3,
            (onward[-1]["system"], onward[-1]["entry"]) if onward else (),
            is_down=is_down,
        ):
            onward += rows
        assert onward == (whole[::-1] if is_down else whole)


@pytest.mark.parametrize("system", ["main", "annex", "wing"])
def test_who_was_paid_in_a_system_adds_up_to_its_register(month: OfficeMonth, system: str) -> None:
    """Report 9 of one system and report 7 of it, in payouts, amount, cash and tax."""
    filters = Filters(month.system.casino, FRIDAY, SUNDAY, {"system": system})
    people, register = reports()["tax-and-cash-reports"], reports()["payouts"]
    of_people = people.totals(people.report(filters))
    of_register = register.totals(register.report(filters))
    for name, other in (("total", "amount_micros"), ("cash", "cash_micros"), ("tax", "tax_micros")):
        assert of_people[name] == of_register[other], name
