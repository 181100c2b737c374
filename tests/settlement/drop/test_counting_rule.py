"""A house that counts its drop stops by a rule that two people change, and begins again.

Table 3 took 3.00 on Friday and 1.00 on Saturday, table 7 took 1.00 on Friday.
"""

import datetime as dt

import pytest
from django.db import DatabaseError, connection, transaction

from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.closing.checklist import Check, checks
from settlement.closing.movements import keep_closed_days
from settlement.core.errors import BadSetUp, NotPermitted, WrongState
from settlement.core.gaming_day import DAY, today
from settlement.drop import counts
from settlement.drop.counts import Figure
from settlement.drop.expected_figures import liability
from settlement.drop.figures import BANK, DROP, balances, variances
from settlement.models import CountingRule, MoneyCount, SetUpChange, SetUpProposal
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.set_up import proposals
from settlement.set_up.counting import counting_of
from tests.support.cases.confirmed_house import person
from tests.support.houses.drop import FRIDAY, SATURDAY, UNIT, DropHouse
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, as_
from tests.support.people.roles import acting_as, owner_without_guards
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> DropHouse:
    """It is Sunday."""
    house = DropHouse(monkeypatch)
    house.clock.on(days=1)
    return house


def ruled(house: DropHouse, since: dt.date, *, is_counted: bool = False, kind: str = DROP) -> None:
    """As two people decided before that day, whatever day the database has."""
    with owner_without_guards("settlement_countingrule"):
        CountingRule.objects.create(
            casino=house.system.casino,
            kind=kind,
            is_counted=is_counted,
            since=since,
            first="hana",
            second="mere",
            at=dt.datetime(2026, 10, 1, tzinfo=dt.UTC),
        )
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def counted(house: DropHouse, table: str, units: int, day: dt.date = FRIDAY) -> None:
    counts.record(house.system, person("aroha"), [Figure(day, units * UNIT, house.table(table))])
    house.post()


def check_of(house: DropHouse, code: str, day: dt.date) -> Check:
    return next(each for each in checks(house.system, day) if each.code == code)


def test_by_a_rule_a_day_is_closed_without_a_count(house: DropHouse) -> None:
    counted(house, "t3", 3)
    ruled(house, SATURDAY)
    open_points = [point.text for point in check_of(house, "drop", FRIDAY).points]
    assert open_points == ["Table 7: its drop is not counted."]  # before the rule: as ever
    saturday = check_of(house, "drop", SATURDAY)
    assert (saturday.state, saturday.note) == ("not_kept", f"Not counted by rule since {SATURDAY}")
    counted(house, "t7", 1)
    rows = variances(house.system, FRIDAY, SATURDAY)
    assert [(row.table.code, row.counted, row.stopped_since) for row in rows] == [
        ("t3", 3 * UNIT, None),
        ("t7", UNIT, None),
        ("t3", None, SATURDAY),
    ]
    for day in (FRIDAY, SATURDAY):
        reconcile(house.system)
        period = closes.period(house.system, str(day))
        assert period is not None
        closes.agree(closes.propose(period, person("ines")), Reauthenticated(person("mere")))
        house.post()
        keep_closed_days(house.system)
    assert variances(house.system, SATURDAY, SATURDAY)[0].stopped_since == SATURDAY
    filters = Filters(house.system.casino, FRIDAY, SATURDAY, {"system": "main"})
    report = reports()["drop"].report(filters)
    assert [row["stopped_since"] for row in report.rows(10)] == [None, None, SATURDAY]
    findings = look(connection.connection, settled=False, with_actions=False).findings
    assert {kind for kind, _sentence in findings} <= {"records"}  # of the rule that was put here


def test_it_is_switched_on_again_and_the_days_between_stay(house: DropHouse) -> None:
    counted(house, "t3", 3)
    ruled(house, FRIDAY - DAY)
    ruled(house, SATURDAY, is_counted=True)
    counting = counting_of(house.system, DROP)
    days = [FRIDAY - 2 * DAY, FRIDAY - DAY, FRIDAY, SATURDAY, SATURDAY + DAY]
    assert [counting.is_on(day) for day in days] == [False, False, False, True, True]
    assert [counting.stopped_since(day) for day in days[1:4]] == [FRIDAY - DAY, FRIDAY - DAY, None]
    (point,) = check_of(house, "drop", SATURDAY).points
    assert point.text == "Table 3: its drop is not counted."
    ruled(house, FRIDAY)  # what is decided last counts, of all that began
    assert not counting_of(house.system, DROP).is_on(SATURDAY)


def test_counted_again_asks_nothing_of_a_system_that_never_counted(house: DropHouse) -> None:
    """The rule is of the casino, as another system of it counts."""
    ruled(house, FRIDAY - 2 * DAY)
    ruled(house, FRIDAY - DAY, is_counted=True)
    for code, note in (("drop", "counted"), ("bank", "entered")):
        assert check_of(house, code, SATURDAY).note == f"Not {note} by this house"
    counted(house, "t3", 1, SATURDAY)
    assert not counting_of(house.system, DROP).is_on(FRIDAY)
    assert counting_of(house.system, DROP).is_on(SATURDAY)  # from its own first count on


def test_nothing_is_entered_for_a_day_that_is_not_counted(house: DropHouse) -> None:
    counted(house, "t3", 3)
    ruled(house, SATURDAY)
    with pytest.raises(WrongState, match=f"Not counted by rule since {SATURDAY}"):
        counted(house, "t3", 1, SATURDAY)
    counted(house, "t7", 1)
    figure = Figure(FRIDAY, 2 * UNIT, house.table("t3"), "one box was left out")
    counts.record(house.system, person("aroha"), [figure])  # a day before is corrected


def test_the_database_takes_no_count_of_a_day_that_is_not_counted(
    house: DropHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted(house, "t3", 3)
    ruled(house, SATURDAY)
    monkeypatch.setattr(counts, "judge", lambda *_: None)
    figure = Figure(SATURDAY, UNIT, house.table("t3"))
    with acting_as("web"), transaction.atomic():
        counts.record(house.system, person("aroha"), [figure])
        with connection.cursor() as cursor, pytest.raises(DatabaseError, match="counted by rule"):
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        transaction.set_rollback(True)
    assert MoneyCount.objects.count() == 1


def test_the_bank_stops_by_a_rule_of_its_own(house: DropHouse) -> None:
    figure = Figure(FRIDAY, liability(house.system, FRIDAY))
    counts.record(house.system, person("ines"), [figure])
    house.post()
    ruled(house, SATURDAY, kind=BANK)
    assert check_of(house, "bank", SATURDAY).note == f"Not counted by rule since {SATURDAY}"
    assert check_of(house, "drop", SATURDAY).note == "Not counted by this house"
    filters = Filters(house.system.casino, FRIDAY, SATURDAY, {"system": "main"})
    report = reports()["liability"].report(filters)
    assert [row["stopped_since"] for row in report.rows(10)] == [None, SATURDAY]
    of_days = balances(house.system, FRIDAY, SATURDAY)
    assert [row.stopped_since for row in of_days] == [None, SATURDAY]
    page = words(logged_in("ines").get(f"/drop/?system=main&day={SATURDAY}"))
    assert "Not counted by rule since 31 Oct 2026" in page


def test_whoever_counts_sees_what_is_expected_of_a_day_that_is_not_counted(
    house: DropHouse,
) -> None:
    counted(house, "t3", 3)
    ruled(house, SATURDAY)
    (row,) = as_("aroha").get(f"/api/systems/main/drop/?from={SATURDAY}").json()["results"]
    assert (row["expected_micros"], row["not_counted_since"]) == (UNIT, str(SATURDAY))
    page = words(logged_in("aroha").get(f"/drop/?system=main&day={SATURDAY}"))
    assert "Not counted by rule since 31 Oct 2026" in page


def test_two_people_decide_it_for_a_later_day(house: DropHouse) -> None:
    house.clock.now = dt.datetime.now(dt.UTC)  # the database asks its own, whatever the year
    casino = house.system.casino
    hana = person("hana")
    person("mere")
    tomorrow = today(casino) + DAY
    with acting_as("web"):
        for wrong in (today(casino), tomorrow + 400 * DAY):
            with pytest.raises(BadSetUp, match="Choose a gaming day"):
                proposals.propose_counting(hana, casino, DROP, is_counted=False, since=wrong)
        with pytest.raises(BadSetUp):
            proposals.propose_counting(hana, casino, "pay", is_counted=False, since=tomorrow)
        with pytest.raises(NotPermitted):
            proposals.propose_counting(
                person("aroha"), casino, DROP, is_counted=False, since=tomorrow
            )
    hanas = logged_in("hana")
    form = {"kind": "counting", "of": DROP, "value": "no", "since": f"{tomorrow + 60 * DAY}"}
    assert "choose one" in words(hanas.post("/house-rules/", form | {"value": "?"}, follow=True))
    hanas.post("/house-rules/", form)
    proposal = SetUpProposal.objects.get()
    assert proposals.in_words(proposal).startswith("Drop: not counted from the gaming day")
    assert not CountingRule.objects.exists()
    address = f"/house-rules/proposals/{proposal.pk}/agree/"
    logged_in("mere").post(address, {"password": PASSWORD})
    row = CountingRule.objects.get()
    assert (row.kind, row.is_counted, row.first, row.second) == (DROP, False, "hana", "mere")
    assert SetUpChange.objects.filter(kind="rule", by="hana and mere").count() == 1
    both = f"From the first one that is entered. Not from {row.since} on"
    assert both in words(hanas.get("/house-rules/?casino=harbour"))


def test_the_page_has_the_rule_in_force_and_the_one_that_comes_next(house: DropHouse) -> None:
    now = today(house.system.casino)
    ruled(house, now - DAY)
    ruled(house, now + 30 * DAY, is_counted=True)
    ruled(house, now + 60 * DAY)
    page = words(logged_in("hana").get("/house-rules/?casino=harbour"))
    assert f"Not from {now - DAY} on. From {now + 30 * DAY} on" in page
    ruled(house, now)  # decided last: what was to come before does not any more
    page = words(logged_in("hana").get("/house-rules/?casino=harbour"))
    assert f"Not from {now} on" in page
    assert f"From {now + 30 * DAY} on" not in page


def test_a_rule_does_not_begin_on_a_day_that_has_begun(house: DropHouse) -> None:
    with pytest.raises(DatabaseError, match="has begun"), transaction.atomic():
        CountingRule.objects.create(
            casino=house.system.casino,
            kind=DROP,
            is_counted=False,
            since=FRIDAY,
            first="hana",
            second="mere",
            at=dt.datetime.now(dt.UTC),
        )
