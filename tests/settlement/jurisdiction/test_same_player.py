"""Two numbers that two people state to be one player: day, report 9, forms and exclusions."""

import datetime as dt
import uuid
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from jackpot.models import Entry
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.audit.recorded_rows import changed_records
from settlement.claims import services as claims
from settlement.core.errors import (
    BadIdentification,
    BadReason,
    Excluded,
    NotPermitted,
    SamePerson,
    WrongState,
)
from settlement.core.gaming_day import DAY, today
from settlement.evidence import same_player
from settlement.exclusions import stops
from settlement.jurisdiction.forms_due import forms_due
from settlement.jurisdiction.persons_day import lists
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.models import Proposal, ProposalDecision
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports.definitions.definition import Filters
from tests.support.cases.confirmed_house import person
from tests.support.cases.exclusions import excluded
from tests.support.houses.office.other_name import WHY, OtherName
from tests.support.houses.office.report_lines import lines, typed
from tests.support.houses.office.two_documents import BORN, FORM_112, warned
from tests.support.houses.winners import UNIT
from tests.support.pages.page_ledger import Clock
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import PASSWORD, as_
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def post(name: str, address: str, body: dict[str, Any]) -> Any:
    return as_(name).post(address, body, format="json")


house = kept_house(OtherName, JURISDICTIONS={"harbour": "nevada"})


def test_the_day_counts_both_as_one_without_a_condition(house: OtherName) -> None:
    assert warned(house.needed(400_001)) == []
    house.state()
    first, _second = house.numbers
    assert warned(house.needed(400_000)) == []
    assert warned(house.needed(400_001)) == [f"{FORM_112}, if paid in cash: USD 10,000.01 today"]
    day = house.needed(500_000).day
    assert day is not None
    assert (day.person, day.total, day.likely) == (first, 6_000 * UNIT, ())


def test_report_9_and_forms_have_one_person(house: OtherName) -> None:
    house.state()
    house.pay(house.second, cash=5_000)
    day = today(house.casino)
    (due,) = [
        each for each in forms_due(PaidOnDays(house.casino, day, day)) if each.rule.form == FORM_112
    ]
    first, _second = house.numbers
    assert (due.person, due.total, due.condition) == (first, 11_000 * UNIT, "")
    assert (
        len([each for each in forms_due(PaidOnDays(house.casino, day, day)) if each.is_of_prize])
        >= 2
    )
    names = ("what", "player", "payouts", "total", "forms")
    assert lines("tax-and-cash-reports", Filters(house.casino, day, day), *names) == typed(f"""
        person  {first}  2  11000.00  FinCEN_Form_112,_W-2G
    """)


def test_it_is_taken_back_in_the_same_way(house: OtherName) -> None:
    house.state()
    house.state(is_one=False)
    day = house.needed(500_000).day
    assert day is not None
    assert day.total == 0
    house.state()
    day = house.needed(500_000).day
    assert day is not None
    assert day.total == 6_000 * UNIT
    assert [each.is_one for each in same_player.statements_of(house.numbers)] == [True, False, True]
    assert [each.stands for each in same_player.statements_of(house.numbers)] == [
        True,
        False,
        False,
    ]


def test_a_day_before_keeps_what_it_said(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """Stated on the 21st: the 20th has two persons still, the 21st has one, by both documents."""
    settings.JURISDICTIONS = {"harbour": "nevada"}
    clock = Clock(monkeypatch)
    clock.now = dt.datetime(2026, 11, 20, 20, tzinfo=dt.UTC)
    house = OtherName()
    house.pay(house.second, cash=5_000)
    day = today(house.casino)
    clock.now += DAY
    by_passport, by_licence = house.win("Ana Ruiz"), house.win()
    house.shows(by_licence, "Mia Chen")
    house.pay(by_passport, cash=5_500)
    house.state()
    house.pay(by_licence, cash=5_000)
    first, second = house.numbers[:2]
    persons = [
        (each.day, each.person, each.total)
        for each in lists(PaidOnDays(house.casino, day, day + DAY))
    ]
    assert persons == [
        (day, first, 6_000 * UNIT),
        (day, second, 5_000 * UNIT),
        (day + DAY, first, 10_500 * UNIT),
    ]
    due = [
        each
        for each in forms_due(PaidOnDays(house.casino, day, day + DAY))
        if each.rule.form == FORM_112
    ]
    assert [(each.day, each.person, each.condition) for each in due] == [(day + DAY, first, "")]
    assert all(
        each.person in (first, second) for each in forms_due(PaidOnDays(house.casino, day, day))
    )


def test_an_excluded_person_is_stopped_under_either_number(house: OtherName) -> None:
    excluded(
        house.second, name="Ana María Ruiz", born=dt.date(1990, 1, 1), document_number="LA-123456"
    )
    assert stops.of_claim(house.second) == {}
    house.state()
    assert list(stops.of_claim(house.second)) == [3]
    with pytest.raises(Excluded):
        house.pay(house.second, cash=5_000)
    with acting_as("web"), refused("excluded: command"):
        line = {"hit": house.second.number, "line": 1, "parts": {"cash": 5_000 * UNIT}}
        commands.queue(house.system, "pay", line, first="aroha")
    house.state(is_one=False)
    house.pay(house.second, cash=5_000)


def test_the_verifier_finds_a_payment_to_the_other_number(
    house: OtherName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paid past the guard, by the owner of the database, a minute after the statement."""
    excluded(house.second, name="Ana María Ruiz", born=BORN, document_number="LA-123456")
    house.state()
    Clock(monkeypatch).now = dt.datetime.now(dt.UTC) + dt.timedelta(minutes=1)
    amount = house.hit(house.second.number).payee_lines[0].rest
    house.decide("pay", "aroha", None, hit=house.second.number, line=1, parts={"cash": amount})
    findings = look(connection.connection, settled=False).findings
    assert any("whose player is on a list of excluded persons" in str(each) for each in findings)


def test_the_order_the_audits_and_the_verifier_know_it(house: OtherName) -> None:
    proposal = house.state()
    entry = Entry.objects.get(type="same_player")
    assert entry.outcome == {"hit": house.second.number, "seat": 3}
    assert proposal.body["reason"] == WHY
    house.pay(house.second, cash=4_000)
    assert without_actions(house.system.pk, 0) == []
    assert changed_records(house.system.pk) == []
    assert look(connection.connection, settled=False).findings == []


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"hit": 9}, "There is no hit 9"),
        ({"player": 0}, "cannot be read"),
        ({"other": 4}, "not two numbers"),
        ({"is_one": 1}, "cannot be read"),
        ({"reason": ""}, "cannot be read"),
    ],
)
def test_the_fold_and_the_verifier_refuse_the_same(
    house: OtherName, changed: dict[str, Any], why: str
) -> None:
    body: dict[str, Any] = {"hit": 1, "seat": 3, "player": 4, "other": 5, "is_one": True}
    body |= {"reason": WHY} | changed
    assert why in str(house.decide("same_player", "mere", "ines", **body).refused)
    assert same_player.one_with(4) == (4,)
    assert look(connection.connection, settled=False).findings == []


def test_who_may_not_state_it(house: OtherName) -> None:
    first, second = house.numbers
    with acting_as("web"):
        for name in ("aroha", "sione", "tane"):
            with pytest.raises(NotPermitted):
                same_player.propose(second, person(name), first, WHY)
        with pytest.raises(BadReason):
            same_player.propose(second, person("mere"), first, "  ")
        for other in (second, 99_999):
            with pytest.raises(BadIdentification):
                same_player.propose(second, person("mere"), other, WHY)
        with pytest.raises(BadIdentification):
            same_player.propose(99_999, person("mere"), second, WHY)
        with pytest.raises(WrongState, match="Nobody stated"):
            same_player.propose(second, person("mere"), first, WHY, is_one=False)
        proposal = same_player.propose(second, person("ines"), first, WHY)
        with pytest.raises(WrongState, match="proposed already"):
            same_player.propose(first, person("mere"), second, WHY)
        with pytest.raises(SamePerson):
            same_player.agree(proposal, Reauthenticated(person("ines")))
        with pytest.raises(NotPermitted):
            same_player.agree(proposal, Reauthenticated(person("mere")))
        proposals.withdraw(proposal, person("ines"), "Another person after all")
    assert same_player.one_with(first) == (first,)
    house.state()
    with acting_as("web"), pytest.raises(WrongState, match="already"):
        same_player.propose(first, person("mere"), second, WHY)


def test_the_database_asks_for_both_people(house: OtherName) -> None:
    first, second = house.numbers
    body: dict[str, Any] = {"hit": house.second.number, "seat": 3, "player": second}
    body |= {"other": first, "is_one": True, "reason": WHY}
    with acting_as("web"), refused("actions: behind"):
        commands.queue(house.system, "same_player", body, first="mere", second="ines")
    with acting_as("web"), refused("permission: person_id"):
        number = commands.queue(house.system, "same_player", body, first="mere", second="aroha")
        proposal = Proposal.objects.create(
            system=house.system,
            kind="same_player",
            subject=str(house.second.number),
            body=body,
            person=person("mere"),
            key=uuid.uuid4(),
        )
        ProposalDecision.objects.create(
            proposal=proposal, agreed=True, command=number, person=person("aroha")
        )


def test_a_third_number_joins_both(house: OtherName) -> None:
    third = house.win("Lee", number="X9")
    house.state()
    first, second, last = house.numbers
    with acting_as("web"):
        proposal = same_player.propose(last, person("mere"), second, WHY)
        same_player.agree(proposal, Reauthenticated(person("ines")))
    house.post()
    claims.catch_up(house.system)
    assert {same_player.one_with(each) for each in house.numbers} == {(first, second, last)}
    assert third.pk


def test_the_page_of_a_player(house: OtherName) -> None:
    first, second = house.numbers
    address = f"/players/{second}/"
    page = page_of("ines", address)
    assert "Nothing stated yet" in page
    assert "Ruiz" not in page
    assert "Chen" not in page
    assert page_of("ines", f"/claims/main/{house.second.number}/identification/").count(
        f"Player No. {second}"
    )
    mere = logged_in("mere")
    form = {"key": uuid.uuid4(), "other": second, "is_one": "yes", "reason": WHY}
    wrong = mere.post(address, form)
    assert (wrong.status_code, "Enter the other number" in wrong.content.decode()) == (422, True)
    form |= {"key": uuid.uuid4(), "other": first}
    assert mere.post(address, form).status_code == 302
    proposal = Proposal.objects.get()
    assert "proposes for No." in page_of("ines", address)
    agree = f"/proposals/{proposal.pk}/agree/"
    answer = logged_in("ines").post(agree, {"password": PASSWORD})
    assert (answer.status_code, answer.headers["Location"]) == (302, address)
    house.post()
    page = page_of("ines", f"/players/{first}/")
    assert "Counts as one player with:" in page
    assert "In force" in page
    assert logged_in("ines").get("/players/99999/").status_code == 404
    assert logged_in("aroha").post(address, form).status_code == 403


def test_report_9_leads_to_the_page_and_the_cage_too(house: OtherName) -> None:
    first, _second = house.numbers
    day = today(house.casino)
    report = f"/reports/tax-and-cash-reports/?casino=harbour&from={day}&to={day}"
    assert f"/players/{first}/" in logged_in("ines").get(report).content.decode()


def test_the_api_proposes_it(house: OtherName) -> None:
    first, second = house.numbers
    address = f"/api/players/{second}/propose-same/"
    body = {"other": first, "reason": WHY}
    assert post("aroha", address, body).status_code == 403
    answer = post("mere", address, body)
    assert (answer.status_code, answer.json()["kind"]) == (201, "same_player")
    assert answer.json()["body"]["is_one"] is True
    agree = f"/api/proposals/{answer.json()['proposal']}/agree/"
    assert post("ines", agree, {"password": PASSWORD}).status_code == 202
    house.post()
    assert same_player.one_with(second) == (first, second)
    assert post("mere", address, body).status_code == 409
    unknown = post("mere", "/api/players/99999/propose-same/", body)
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
