"""Forms that payments ask for, until when, and which were filed; entries are never changed."""

import datetime as dt
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from pytest_django import Settings

from jackpot.terms.money import MICROS
from settlement import tasks
from settlement.core.errors import BadFigure, BadReason, KeyUsed, NotPermitted, WrongState
from settlement.core.gaming_day import DAY, today
from settlement.models import FormFiling, Record
from settlement.payments import form_filings
from settlement.payments.form_filings import FormOf, ListedForm, file, forms_between, reverse
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tables.models import Alarm
from tests.support.cases.confirmed_house import person
from tests.support.houses.jurisdiction_house import LawfulHouse
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
CTR, TAX = "FinCEN Form 112", "W-2G"
KEY = uuid.UUID(int=7)


@pytest.fixture
def house(tmp_path: Path, settings: Settings) -> LawfulHouse:
    return LawfulHouse(tmp_path, settings, "nevada", "USD")


def forms_of_day(house: LawfulHouse) -> dict[str, ListedForm]:
    day = today(house.casino)
    return {each.due.rule.form: each for each in forms_between(house.casino, day - DAY, day)}


def filed(house: LawfulHouse, form: str = CTR, **entry: object) -> FormFiling:
    entry = {"filed_on": today(house.casino), "reference": "BSA 31000", "key": KEY} | entry
    payout = form_filings.Payout.objects.get(pk=forms_of_day(house)[form].first_payout)
    with acting_as("web"):
        return file(FormOf(payout, form), person("ines"), **entry)  # type: ignore[arg-type]


def at_day(monkeypatch: pytest.MonkeyPatch, days: int, house: LawfulHouse) -> None:
    """So many days later."""
    later = today(house.casino) + days * DAY
    monkeypatch.setattr(form_filings, "today", lambda _casino: later)


def test_each_form_has_its_last_day_with_its_source(house: LawfulHouse) -> None:
    forms, day = forms_of_day(house), today(house.casino)
    assert {CTR, TAX} <= forms.keys()
    assert forms[CTR].deadline == day + 15 * DAY
    assert forms[CTR].deadline_source == (
        "31 CFR 1010.306(a)(1) (15 calendar days after the transaction) (source not confirmed)"
    )
    last = dt.date(timezone.now().year + 1, 2, 28)
    moved = {5: 2 * DAY, 6: DAY}.get(last.weekday(), 0 * DAY)  # to a Monday
    assert forms[TAX].deadline == last + moved
    assert forms["5754"].deadline is None
    assert {each.state for each in forms.values()} == {"open"}


def test_who_filed_a_form_when_and_under_which_reference(house: LawfulHouse) -> None:
    row = filed(house)
    assert (row.kind, row.form, row.reference, row.number) == ("filed", CTR, "BSA 31000", 1)
    assert row.amount == forms_of_day(house)[CTR].due.amount
    assert filed(house).pk == row.pk  # a second click
    form = forms_of_day(house)[CTR]
    assert (form.state, form.filing) == ("filed", row)
    assert forms_of_day(house)[TAX].state == "open"
    assert Record.objects.filter(source="settlement_formfiling", row=row.pk, by="ines").exists()
    with pytest.raises(WrongState, match="filed already"):
        filed(house, key=None)
    with pytest.raises(KeyUsed):
        filed(house, reference="another")
    with pytest.raises(KeyUsed):  # the day and the form belong to what the key stands for
        filed(house, filed_on=today(house.casino) - DAY)
    for name in forms_of_day(house).keys() - {CTR}:
        with pytest.raises(KeyUsed):
            filed(house, name)


def test_a_wrong_entry_is_reversed_with_a_reason_and_entered_anew(house: LawfulHouse) -> None:
    row = filed(house)
    with acting_as("web"):
        back = reverse(row, person("ines"), "Wrong reference", key=uuid.UUID(int=8))
        again = reverse(row, person("ines"), "Wrong reference", key=uuid.UUID(int=8))
    assert (back.kind, back.reverses, back.pk) == ("reversed", row, again.pk)
    assert forms_of_day(house)[CTR].state == "open"
    with pytest.raises(WrongState, match="reversed already"):
        reverse(row, person("ines"), "Again")
    with pytest.raises(WrongState, match="reversed already"):
        reverse(back, person("ines"), "A reversal")
    second = filed(house, reference="BSA 31001", key=None)
    assert (second.number, forms_of_day(house)[CTR].filing) == (3, second)
    assert [each.pk for each in form_filings.filings_of(house.casino)] == [
        second.pk,
        back.pk,
        row.pk,
    ]


def test_a_form_on_which_more_was_paid_since_is_marked(house: LawfulHouse) -> None:
    row = filed(house)
    form = forms_of_day(house)[CTR]
    less = FormFiling(**{**_values(row), "amount": row.amount - 1})
    assert ListedForm(form.due, form.day, less).state == "changed"


def _values(row: FormFiling) -> dict[str, object]:
    return {each.attname: getattr(row, each.attname) for each in FormFiling._meta.concrete_fields}


def test_a_form_stays_filed_when_another_payment_becomes_its_first(
    house: LawfulHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when an identification is corrected: an earlier payment was to the same person."""
    row = filed(house)
    due = forms_of_day(house)[CTR].due
    turned = replace(due, payouts=due.payouts[::-1])
    monkeypatch.setattr(form_filings, "forms_due", lambda *_: [turned])
    monkeypatch.setattr(form_filings, "forms_of", lambda *_: {house.second.pk: [turned]})
    (form,) = forms_between(house.casino, due.day, due.day)
    assert (form.state, form.filing, form.first_payout) == ("filed", row, house.second.pk)
    with pytest.raises(WrongState, match="filed already"):
        file(FormOf(house.second, CTR), person("ines"), filed_on=due.day, reference="BSA 2")


def test_what_cannot_be_is_refused(house: LawfulHouse) -> None:
    day = today(house.casino)
    for wrong in (day + DAY, day - 400 * DAY, dt.date.min):
        with pytest.raises(BadFigure, match="Enter the day of filing"):
            filed(house, filed_on=wrong)
    with pytest.raises(BadReason, match="Enter the reference"):
        filed(house, reference="  ")
    payout = house.second
    with pytest.raises(WrongState, match="no such form"):
        file(FormOf(payout, "1099"), person("ines"), filed_on=day, reference="x")
    with pytest.raises(WrongState, match="no such form"):  # it is filed by its first payment
        file(FormOf(payout, CTR), person("ines"), filed_on=day, reference="x")
    with pytest.raises(NotPermitted):
        file(FormOf(payout, CTR), person("aroha"), filed_on=day, reference="x")
    row = filed(house)
    with pytest.raises(NotPermitted):
        reverse(row, person("aroha"), "Wrong")
    assert FormFiling.objects.count() == 1


def test_the_database_changes_no_entry_and_takes_none_of_who_may_not(house: LawfulHouse) -> None:
    row = filed(house)
    for statement in (
        "UPDATE settlement_formfiling SET reference = 'x'",
        "DELETE FROM settlement_formfiling",
    ):
        with (
            pytest.raises(DatabaseError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
    values = {**_values(row), "id": None, "number": 2, "key": uuid.uuid4(), "at": timezone.now()}
    values["person_id"] = person("aroha").pk
    with (
        acting_as("web"),
        pytest.raises(DatabaseError, match="may not write settlement_formfiling"),
        transaction.atomic(),
    ):
        FormFiling(**values).save(force_insert=True)


def test_the_report_has_each_form_with_its_filing(house: LawfulHouse) -> None:
    row, day = filed(house), today(house.casino)

    def rows(**codes: str) -> dict[str, dict[str, Any]]:
        report = reports()["forms"].report(Filters(house.casino, day, day, codes))
        return {each["form"]: each for each in report.rows(100)}

    forms = rows()
    assert set(forms) == set(forms_of_day(house))
    assert (forms[CTR]["state"], forms[TAX]["state"]) == ("filed", "open")
    assert forms[CTR]["amount"] == forms[CTR]["filed_amount"] == 1_001 * MICROS
    assert (forms[CTR]["filed_on"], forms[CTR]["reference"]) == (day, row.reference)
    assert forms[CTR]["deadline"] == day + 15 * DAY
    assert rows(person="ines").keys() == {CTR}
    assert rows(person="mere") == rows(player="99") == {}


def test_a_form_that_is_late_stands_first_and_raises_an_alarm(
    house: LawfulHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = today(house.casino)
    at_day(monkeypatch, 15, house)
    assert forms_of_day(house)[CTR].is_soon
    tasks.watch_rules()
    assert not Alarm.objects.filter(kind="forms_overdue").exists()
    at_day(monkeypatch, 16, house)
    forms = forms_between(house.casino, day - DAY, day)
    assert (forms[0].due.rule.form, forms[0].state) == (CTR, "overdue")
    with acting_as("worker"):
        form_filings.raise_for_overdue()
        form_filings.raise_for_overdue()
    alarm = Alarm.objects.get(kind="forms_overdue")
    assert alarm.count == 2
    words = f"forms not filed in time: 1. The first is {CTR}, due by {day + 15 * DAY}."
    assert words in alarm.message
    filed(house)
    assert forms_between(house.casino, day - DAY, day)[-1].state == "filed"


def test_what_is_overdue_stays_past_new_year_until_it_is_filed(
    house: LawfulHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = today(house.casino)
    later = dt.date(day.year + 3, 2, 1)
    monkeypatch.setattr(form_filings, "today", lambda _casino: later)
    assert form_filings.first_day_of(house.casino) == day
    form_filings.raise_for_overdue()
    assert CTR in Alarm.objects.get(kind="forms_overdue").message
    late = dt.date(day.year + 20, 2, 1)  # nobody keeps payments for so long
    monkeypatch.setattr(form_filings, "today", lambda _casino: late)
    assert form_filings.first_day_of(house.casino) == dt.date(day.year + 19, 1, 1)
