"""The page of forms and its API: the list, entering a filing, undoing it, and who may."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from settlement.core.gaming_day import today
from settlement.models import FormFiling
from settlement.payments import form_filings
from settlement.payments.form_filings import forms_between
from settlement.people.programs import tokens
from settlement.people.programs.tokens import Reach
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.houses.jurisdiction_house import LawfulHouse
from tests.support.pages.page_staff import logged_in, page_of, words
from tests.support.people.cast import as_, rows_of
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
CTR, PAGE = "FinCEN Form 112", "/forms/"


@pytest.fixture
def house(tmp_path: Path, settings: Settings) -> LawfulHouse:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return LawfulHouse(tmp_path, settings, "nevada", "USD")


def first_payout(house: LawfulHouse, form: str = CTR) -> int:
    day = today(house.casino)
    return next(
        each.first_payout
        for each in forms_between(house.casino, day, day)
        if each.due.rule.form == form
    )


def entry(house: LawfulHouse, **other: str) -> dict[str, str]:
    return {"form": CTR, "filed_on": f"{today(house.casino)}", "reference": "BSA 7"} | other


def test_a_form_is_entered_as_filed_and_reversed(house: LawfulHouse) -> None:
    address = f"{PAGE}{first_payout(house)}/file/"
    page = page_of("ines", PAGE)
    assert "FinCEN Form 112" in page
    assert "31 CFR 1010.306(a)(1)" in page
    assert "The rule names no day" in page  # of Form 5754
    assert "Enter as filed" in page
    ines = logged_in("ines")
    answer = ines.post(address, entry(house, filed_on="never"), follow=True)
    assert "Enter the day of filing" in words(answer)
    answer = ines.post(address, entry(house), follow=True)
    assert "Entered as filed." in words(answer)
    row = FormFiling.objects.get()
    page = page_of("ines", f"{PAGE}?state=filed")
    assert "BSA 7" in page
    assert "Instructions for Forms W-2G" not in page
    assert "W-2G" in page_of("ines", f"{PAGE}?state=open")
    assert "No such form" in page_of("ines", f"{PAGE}?state=overdue")
    answer = ines.post(f"/form-filings/{row.pk}/reverse/", {"reason": "Wrong year"}, follow=True)
    assert "Reversed: the form is to be filed again." in words(answer)
    assert "Wrong year" in words(answer)
    assert "Filed form" in page_of("ines", "/audit-trail/?area=money")


def test_who_may_read_and_who_may_enter(house: LawfulHouse) -> None:
    address = f"{PAGE}{first_payout(house)}/file/"
    assert logged_in("aroha").get(PAGE).status_code == 403
    assert logged_in("aroha").post(address, entry(house)).status_code == 403
    assert logged_in("mere").get(PAGE).status_code == 403
    assert logged_in("mere").post(address, entry(house)).status_code == 403
    assert logged_in("ines").post(f"{PAGE}999999/file/", entry(house)).status_code == 404
    assert not FormFiling.objects.exists()


def test_a_late_form_stands_at_the_top(house: LawfulHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    later = today(house.casino) + dt.timedelta(days=16)
    monkeypatch.setattr(form_filings, "today", lambda _casino: later)
    page = page_of("ines", PAGE)
    assert "1 form was not filed in time" in page
    assert page.index("31 CFR 1010.306") < page.index("General Instructions")


def test_the_page_asks_as_often_for_many_forms_as_for_one(
    house: LawfulHouse, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    def queries(address: str, forms: int) -> int:
        with django_assert_max_num_queries(30) as capture:
            page = client.get(address)
        assert len(page.context["rows"]) == forms
        return len(capture)

    client = logged_in("ines")
    client.get(PAGE)
    client.post(f"{PAGE}{first_payout(house)}/file/", entry(house))
    client.get(PAGE)  # with what it says of the entry
    day = today(house.casino)
    every = forms_between(house.casino, day, day)
    one = queries(f"{PAGE}?form={CTR}", 1)
    for each in every:
        if each.filing is None and each.due.rule.form != CTR:
            address = f"{PAGE}{each.first_payout}/file/"
            client.post(address, entry(house, form=each.due.rule.form))
    client.get(PAGE)
    assert len(every) > 2
    assert FormFiling.objects.count() == len(every)
    assert queries(PAGE, len(every)) == one


def test_a_token_for_it_files_a_form_and_reverses_it(house: LawfulHouse) -> None:
    """By the role of the web process, while nobody is logged in."""
    payout = first_payout(house)
    secret = tokens.issue(Reauthenticated(person("ines")), "Tax", 30, Reach(("write:drop",)))[1]
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    with acting_as("web", logged_in=False):
        address, body = f"/api/payouts/{payout}/file-form/", entry(house)
        answer: Any = client.post(address, body, content_type="application/json")
        assert answer.status_code == 201, answer.content
        address = f"/api/form-filings/{answer.json()['filing']}/reverse/"
        answer = client.post(address, {"reason": "Wrong"}, content_type="application/json")
        assert answer.status_code == 201, answer.content


def test_by_the_api(house: LawfulHouse) -> None:
    payout = first_payout(house)
    rows = rows_of("/api/forms/harbour/", "ines")
    row = next(each for each in rows if each["form"] == CTR)
    assert (row["payout"], row["state"], row["filing"]) == (payout, "open", None)
    assert row["deadline"] == f"{today(house.casino) + dt.timedelta(days=15)}"
    client = as_("ines")
    answer: Any = client.post(f"/api/payouts/{payout}/file-form/", entry(house), format="json")
    assert answer.status_code == 201, answer.content
    assert answer.json()["reference"] == "BSA 7"
    (row,) = rows_of("/api/forms/harbour/?state=filed", "ines")
    assert (row["person"], row["reference"]) == ("ines", "BSA 7")
    filing = answer.json()["filing"]
    answer = client.post(f"/api/form-filings/{filing}/reverse/", {"reason": "Wrong"}, format="json")
    assert (answer.status_code, answer.json()["reverses"]) == (201, filing)
    assert rows_of("/api/forms/harbour/?state=filed", "ines") == []
    assert client.get("/api/forms/harbour/?state=late").status_code == 400
    assert client.get("/api/forms/nowhere/").status_code == 404
    assert as_("mere").get("/api/forms/harbour/").status_code == 403
    refused = as_("mere").post(f"/api/payouts/{payout}/file-form/", entry(house), format="json")
    assert refused.status_code == 403
