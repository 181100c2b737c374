"""Counted drop and bank balances: entries with their person, corrected and never overwritten."""

import uuid
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.utils import DatabaseError

from jackpot.models import Account, Command, Entry, Transfer
from jackpot.writer import commands
from settlement.audit.reconciliation import reconcile
from settlement.core.errors import BadFigure, KeyUsed, NotPermitted, SamePerson, WrongState
from settlement.drop import counts, findings
from settlement.drop.counts import Figure
from settlement.drop.expected_figures import expected_drop, liability
from settlement.drop.figures import balances, variances
from settlement.models import Finding, FindingStep, MoneyCount, VarianceLimit
from tables.models import JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.houses.drop import FRIDAY, SATURDAY, THURSDAY, UNIT, DropHouse
from tests.support.people.cast import as_
from tests.support.people.permissions.authorisation import at_the_end, is_rested_on, refused
from tests.support.people.roles import acting_as, owner_without_guards
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> DropHouse:
    return DropHouse(monkeypatch)


def drop(house: DropHouse, table: str, units: int, **more: Any) -> Figure:
    return Figure(more.pop("day", FRIDAY), units * UNIT, house.table(table), **more)


def count(house: DropHouse, *figures: Figure, by: str = "aroha", **more: Any) -> list[MoneyCount]:
    """As the web process does it."""
    with acting_as("web"):
        rows = counts.record(house.system, person(by), figures, **more)
        at_the_end()
    return rows


def findings_of_the_verifier() -> list[str]:
    report = look(connection.connection, settled=False, with_actions=False)
    return [sentence for kind, sentence in report.findings if kind in ("counts", "fold")]


def test_what_was_counted_takes_its_place_in_the_order(house: DropHouse) -> None:
    t3, t7 = house.table("t3"), house.table("t7")
    assert expected_drop(house.system, [FRIDAY, SATURDAY]) == {
        (FRIDAY, t3.pk): 3 * UNIT,
        (FRIDAY, t7.pk): UNIT,
        (SATURDAY, t3.pk): UNIT,
    }
    moved = Transfer.objects.count()
    count(house, drop(house, "t3", 3), drop(house, "t7", 1))
    count(house, Figure(FRIDAY, liability(house.system, FRIDAY)), by="ines")
    house.post()
    entry = Entry.objects.filter(type="count_drop").earliest("seq")
    assert entry.outcome == {"table": "t3", "day": "2026-10-30"}
    assert Entry.objects.get(type="enter_balance").outcome == {"day": "2026-10-30"}
    assert Transfer.objects.count() == moved
    assert not Finding.objects.exists()
    rows = [(row.table.code, row.counted, row.expected, row.variance, row.explanation)
            for row in variances(house.system, THURSDAY, SATURDAY)]  # fmt: skip
    assert rows == [("t3", 3 * UNIT, 3 * UNIT, 0, ""), ("t7", UNIT, UNIT, 0, "")]
    owed = sum(
        account.balance
        for account in Account.objects.all()
        if account.code not in ("operator", "pot", "commission", "drop", "rounding")
    )
    (bank,) = balances(house.system, FRIDAY, SATURDAY)
    assert bank.liability == owed - UNIT == 1004 * UNIT
    assert (bank.bank, bank.variance) == (bank.liability, 0)
    assert look(connection.connection, settled=False).ok
    assert reconcile(house.system).differences == []


def test_the_limit_is_the_one_that_stood_before_the_count(house: DropHouse) -> None:
    """A clock that was set since says nothing about it."""
    limit = VarianceLimit.objects.create(
        casino=house.system.casino, kind="count_drop", amount=UNIT, first="mere", second="david"
    )
    (counted,) = count(house, drop(house, "t3", 4))
    house.post()
    assert not Finding.objects.exists()
    with owner_without_guards("settlement_variancelimit"):
        VarianceLimit.objects.filter(pk=limit.pk).update(at=counted.at + timedelta(seconds=3))
    assert "above the limit" not in str(look(connection.connection, settled=False).lines())
    is_rested_on("settlement_variancelimit", counted.command + 1)
    assert "above the limit" in str(look(connection.connection, settled=False).lines())


def test_days_and_tables_without_a_count_have_a_row(house: DropHouse) -> None:
    rows = variances(house.system, THURSDAY, SATURDAY)
    assert [(row.day, row.table.code, row.counted) for row in rows] == [
        (FRIDAY, "t3", None),
        (FRIDAY, "t7", None),
    ]
    (bank,) = balances(house.system, THURSDAY, SATURDAY)
    assert (bank.day, bank.bank, bank.variance) == (FRIDAY, None, None)


def test_a_correction_stands_beside_what_it_corrects(house: DropHouse) -> None:
    (wrong,) = count(house, drop(house, "t3", 2))
    with pytest.raises(WrongState, match=r"aroha entered 2\.00 .* To correct it, enter a reason"):
        count(house, drop(house, "t3", 3))
    with pytest.raises(WrongState, match="there is nothing to correct"):
        count(house, drop(house, "t3", 2, note="again"))
    (right,) = count(house, drop(house, "t3", 3, note="Box 3 counted twice"), by="ines")
    assert right.corrects == wrong
    assert Command.objects.get(number=right.command).body["corrects"] == wrong.command
    assert [row.counted for row in variances(house.system, FRIDAY, FRIDAY)] == [3 * UNIT, None]
    assert not findings.open_findings().exists()  # the finding of the first is not owed any more
    with pytest.raises(WrongState, match="later count corrects this one"):
        findings.explain(Finding.objects.get(), person("mere"), "x")
    house.post()
    assert look(connection.connection, settled=False).ok


def test_what_cannot_be_entered_is_refused(house: DropHouse) -> None:
    for figure, why in (
        (drop(house, "t3", 1, day=SATURDAY), "is not over"),
        (drop(house, "t3", -1), "not below zero"),
        (drop(house, "t3", 10**12), "too large"),
    ):
        with pytest.raises(BadFigure, match=why):
            count(house, figure, drop(house, "t7", 1))
    assert not MoneyCount.objects.exists()
    with pytest.raises(NotPermitted):
        count(house, Figure(FRIDAY, UNIT))  # the bank is not the cashier's
    with pytest.raises(NotPermitted):
        count(house, drop(house, "t3", 1), by="sione")
    key = uuid.uuid4()
    first = count(house, drop(house, "t3", 3), key=key)
    assert count(house, drop(house, "t3", 3), key=key) == first
    other = JackpotSystem.objects.create(casino=house.system.casino, code="s2", name="Second")
    for system, figures in (
        (house.system, [drop(house, "t3", 4)]),
        (house.system, [drop(house, "t3", 3), drop(house, "t7", 1)]),
        (house.system, [drop(house, "t3", 3, note="Another word")]),
        (other, [drop(house, "t3", 3)]),
    ):
        with acting_as("web"), pytest.raises(KeyUsed):
            counts.record(system, person("aroha"), figures, key=key)
    key = uuid.uuid4()
    more = [drop(house, "t7", 1), drop(house, "t3", 4, note="Counted again")]
    count(house, *more, key=key)
    with pytest.raises(KeyUsed):  # less than was entered
        count(house, more[0], key=key)


def test_plain_sql_counts_nothing_past_the_order(house: DropHouse) -> None:
    body = {"day": "2026-10-30", "amount": UNIT, "expected": UNIT, "file": "", "note": ""}
    body |= {"corrects": None, "table": "t7"}
    columns: dict[str, Any] = {"system": house.system, "kind": "count_drop", "day": FRIDAY}
    columns |= {"table": house.table("t7"), "amount": UNIT, "expected": UNIT}

    def row(command: int, **changed: Any) -> None:
        values = {**columns, "person": person("aroha"), "key": uuid.uuid4(), **changed}
        MoneyCount.objects.create(command=command, **values)

    def queue(**changed: Any) -> int:
        return commands.queue(house.system, "count_drop", {**body, **changed}, first="aroha")

    with acting_as("web"):
        with refused("actions: behind command .* stands no count"):
            queue()
        with refused("actions: no command takes count"):
            row(99)
        for words, change in (
            ({"amount": 2 * UNIT}, {}),
            ({"table": "t3"}, {}),
            ({}, {"person": person("ines")}),
            ({}, {"table": house.table("t3")}),
        ):
            with refused("actions: "):
                row(queue(**words), **change)
        with refused("is not over"):
            row(queue(day="2030-01-01"), day="2030-01-01")
        with refused("has no finding"):
            row(queue(expected=0), expected=0)
        with refused("permission: "):
            row(
                commands.queue(house.system, "count_drop", body, first="sione"),
                person=person("sione"),
            )


@pytest.mark.parametrize(("seconds", "is_over"), [(59, False), (60, True)])
def test_the_database_counts_a_day_a_minute_after_its_end(
    house: DropHouse, seconds: int, is_over: bool
) -> None:
    """The house's day began so many seconds before the database's now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_casino SET day_starts ="
            " ((now() - make_interval(secs => %s)) AT TIME ZONE timezone)::time",
            [seconds],
        )
        cursor.execute("SELECT gaming_day_of(id) - 1 FROM tables_casino")
        (day,) = cursor.fetchone()
    fields: dict[str, Any] = {"amount": 0, "expected": 0, "note": "", "file": ""}
    with acting_as("web"), nullcontext() if is_over else refused("is not over"):
        body = {**fields, "day": str(day), "corrects": None, "table": "t7"}
        number = commands.queue(house.system, "count_drop", body, first="aroha")
        fields |= {"system": house.system, "kind": "count_drop", "day": day, "command": number}
        fields |= {"person": person("aroha"), "key": uuid.uuid4(), "table": house.table("t7")}
        MoneyCount.objects.create(**fields)
        at_the_end()
    assert MoneyCount.objects.exists() is is_over


def test_two_people_explain_and_sign_a_finding(house: DropHouse) -> None:
    (short,) = count(house, drop(house, "t3", 1))
    finding = findings.open_findings(house.system, FRIDAY).get()
    assert (finding.count, finding.limit) == (short, 0)
    mere, david = person("mere"), person("david")
    with acting_as("web"):
        with pytest.raises(NotPermitted):
            findings.take(finding, person("aroha"))
        with pytest.raises(WrongState, match="Nobody has explained"):
            findings.sign(finding, david)
        findings.take(finding, mere)
    again = findings.findings().get()
    assert findings.owner(again) == mere
    with acting_as("web"):
        findings.explain(again, mere, "A chip of 2.00 was found in the tray of table 3")
    again = findings.findings().get()
    with acting_as("web"), pytest.raises(SamePerson):
        findings.sign(again, mere)
    for kind, who in (("sign", mere), ("take", david), ("explain", david)):
        with (
            acting_as("web"),
            pytest.raises(DatabaseError, match="takes two people"),
            transaction.atomic(),
        ):
            FindingStep.objects.create(finding=again, kind=kind, person=who, note="x")
    with acting_as("web"):
        findings.send_back(again, david, "Which camera?")
        findings.explain(findings.findings().get(), mere, "Camera 4, 22:14")
        findings.sign(findings.findings().get(), david)
    assert not findings.open_findings().exists()
    with pytest.raises(WrongState, match="signed off already"):
        findings.explain(findings.findings().get(), mere, "x")
    row = variances(house.system, FRIDAY, FRIDAY)[0]
    assert (row.variance, row.explanation) == (-2 * UNIT, "Camera 4, 22:14")
    house.post()
    assert look(connection.connection, settled=False).ok


def test_two_people_set_the_limit(house: DropHouse) -> None:
    people = ["--first=mere", "--second=ines"]
    call_command("set_variance_limit", "harbour", "drop", "2.00", *people)
    count(house, drop(house, "t3", 1))
    assert not Finding.objects.exists()
    count(house, drop(house, "t3", 6, note="recounted"))
    assert Finding.objects.get().limit == 2 * UNIT
    for arguments in (["drop", "much", *people], ["drop", "1", "--first=mere", "--second=mere"]):
        with pytest.raises(CommandError):
            call_command("set_variance_limit", "harbour", *arguments)


@pytest.mark.parametrize(
    ("table", "change", "sentence"),
    [
        ("settlement_moneycount", "amount = amount + 1", "not what a command of its person took"),
        ("settlement_moneycount", "person_id = person_id + 1", "not what a command of its person"),
        ("jackpot_command", "body = body || '{\"amount\": 7}'", "not what a command of its person"),
        ("settlement_finding", "count_id = count_id + 1", "has no finding"),
    ],
)
def test_tampering_is_found(house: DropHouse, table: str, change: str, sentence: str) -> None:
    count(house, drop(house, "t3", 1))
    count(house, drop(house, "t7", 1))
    house.post()
    assert findings_of_the_verifier() == []
    which = "kind = 'count_drop'" if table != "settlement_finding" else "true"
    first = "id = (SELECT min(id) FROM settlement_moneycount)"
    where = first if table == "settlement_moneycount" else which
    with owner_without_guards(table), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {change} WHERE {where}")
    assert any(sentence in each for each in findings_of_the_verifier())


def test_figures_that_the_books_do_not_have_are_found(house: DropHouse) -> None:
    count(house, drop(house, "t3", 3))
    count(house, Figure(FRIDAY, liability(house.system, FRIDAY)), by="ines")
    house.post()
    with (
        owner_without_guards("settlement_moneycount"),
        owner_without_guards("jackpot_command"),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE settlement_moneycount SET amount = 5, expected = 5")
        cursor.execute(
            'UPDATE jackpot_command SET body = body || \'{"amount": 5, "expected": 5}\''
            " WHERE kind IN ('count_drop', 'enter_balance')"
        )
    sentences = findings_of_the_verifier()
    assert any("3000000 micros were expected of 2026-10-30, not 5" in each for each in sentences)
    assert any("1004000000 micros were expected of 2026-10-30, not 5" in each for each in sentences)
    with owner_without_guards("settlement_moneycount"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM settlement_moneycount")
    assert any("the count behind it is gone" in each for each in findings_of_the_verifier())


def test_the_api_says_what_is_wrong_with_each_count(house: DropHouse) -> None:
    """As the preview of a file does; and whoever may not count learns nothing by it."""
    address = "/api/systems/main/drop/"

    def answer(*rows: tuple[str, str, int], by: str = "aroha") -> Any:
        body = [{"day": day, "table": table, "amount_micros": UNIT * n} for day, table, n in rows]
        return as_(by).post(address, {"counts": body}, format="json")

    friday = str(FRIDAY)
    count(house, drop(house, "t3", 2))
    rows = (
        (friday, "t8", 1),
        (friday, "t7", 1),
        (friday, "t7", 1),
        ("9999-12-31", "t7", 1),
        (friday, "t9", 1),
        (friday, "t3", 3),
    )
    unknown = ["No table of this system has this code."]
    refused = answer(*rows)
    assert refused.status_code == 422
    assert refused["Content-Type"] == "application/problem+json"
    fields = refused.json()["fields"]["counts"]
    assert (fields["0"], fields["4"]) == (unknown, unknown)
    assert fields["2"] == ["This is here twice: enter it once."]
    assert "is not over" in fields["3"][0]
    assert "To correct it, enter a reason" in fields["5"][0]
    assert "1" not in fields
    assert unknown[0] in refused.json()["detail"]
    assert answer(*rows, by="sione").status_code == 403
    others = answer(*rows[1:4], rows[5])  # judged alike where every table is known
    assert sorted(others.json()["fields"]["counts"]) == ["1", "2", "3"]
    assert MoneyCount.objects.count() == 1


def test_counts_come_and_go_through_the_api(house: DropHouse) -> None:
    aroha, ines = as_("aroha"), as_("ines")
    address, days = "/api/systems/main/drop/", "?from=2026-10-30&to=2026-10-31"
    rows = [{"day": "2026-10-30", "table": table, "amount_micros": UNIT} for table in ("t3", "t7")]
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    for who, expected in ((aroha, [None, None]), (as_("mere"), [3 * UNIT, UNIT])):
        results = who.get(f"{address}{days}").json()["results"]
        assert [row["expected_micros"] for row in results] == expected
    for _ in range(2):
        answer = aroha.post(address, {"counts": rows}, format="json", headers=headers)
        assert answer.status_code == 201, answer.content
        assert [row["variance_micros"] for row in answer.json()["entered"]] == [-2 * UNIT, 0]
    assert MoneyCount.objects.count() == 2
    assert aroha.post(address, {"counts": rows}, format="json").status_code == 409
    bank = {"day": "2026-10-30", "amount_micros": -UNIT}
    assert aroha.post("/api/systems/main/bank/", bank, format="json").status_code == 403
    assert ines.post("/api/systems/main/bank/", bank, format="json").status_code == 201
    twice = ines.post("/api/systems/main/bank/", bank, format="json")
    assert (twice.status_code, "fields" in twice.json()) == (409, False)
    results = ines.get(f"{address}{days}").json()["results"]
    assert [(row["table"], row["counted_micros"], row["expected_micros"]) for row in results] == [
        ("t3", UNIT, 3 * UNIT),
        ("t7", UNIT, UNIT),
    ]
    (row,) = ines.get(f"/api/systems/main/bank/{days}").json()["results"]
    assert (row["counted_micros"], row["expected_micros"]) == (-UNIT, 1004 * UNIT)
    for query in ("from=x", "from=9999-12-31", "from=2020-01-01&to=2026-01-01"):
        assert ines.get(f"{address}?{query}").status_code == 400
    last = {"counts": [{"day": "9999-12-31", "table": "t3", "amount_micros": 1}]}
    assert aroha.post(address, last, format="json").status_code == 422
