"""Forms on pages: at the cage, on the claim, beside the report on tax and cash."""

import io
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from pytest_django import Settings

from settlement.models import IdentificationLook
from tests.support.cases.claims.slips import read
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.houses.jurisdiction_house import NAME, LawfulHouse
from tests.support.pages.page_staff import logged_in, page_of, paid_at_the_cage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
CAGE, CLAIM = "/claims/main/1/cage/", "/claims/main/1/"
REPORT = "/reports/tax-and-cash-reports/"
FORMS = tuple(f"{form}, 1,001.00" for form in ("FinCEN Form 112", "W-2G", "5754", "1042-S"))


@pytest.fixture
def house(settings: Settings, tmp_path: Path) -> LawfulHouse:
    return LawfulHouse(tmp_path, settings, "nevada", "USD")


def address(house: LawfulHouse, form: str = "w_2g") -> str:
    return f"/payouts/{house.first.pk}/forms/{form}/"


def test_forms_are_offered_where_somebody_paid(house: LawfulHouse) -> None:
    for page in (page_of("aroha", CAGE), page_of("aroha", CLAIM), page_of("ines", CLAIM)):
        for form in FORMS:
            assert page.count(f"Draft {form}") == 1, form
        assert NAME not in page
    assert "Draft W-2G" not in page_of("mere", CLAIM)  # sees who players are, and pays nothing
    assert "Draft W-2G" not in page_of("tane", CLAIM)


def test_the_report_on_tax_and_cash_lists_what_is_due(house: LawfulHouse) -> None:
    page = page_of("ines", f"{REPORT}?from={house.day}&to={house.day}")
    assert "Forms due" in page
    assert page.count("if this person lives here") == 1
    assert page.count("if this person lives abroad") == 1
    assert "31 CFR 1021.311" in page
    assert page.count("Draft") >= 4
    assert NAME not in page
    before = page_of("ines", f"{REPORT}?from=2020-01-01&to=2020-01-02")
    assert "No form is due" in before
    assert "Forms due" not in page_of("ines", "/reports/payouts/")


def test_a_draft_is_sent_once_and_kept_nowhere(house: LawfulHouse) -> None:
    answer = logged_in("aroha").post(address(house))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == 'inline; filename="draft-w_2g-MAIN-1-1-1.pdf"'
    assert "no-store" in answer["Cache-Control"]
    assert f"Winner's name, as on the document {NAME}" in read(answer.content)
    assert IdentificationLook.objects.get().purpose == "form"
    assert "To draft a form" in page_of("mere", "/claims/main/1/identification/")
    page = logged_in("sione").get("/claims/main/1/identification/").content.decode()
    assert 'value="review"' in page
    assert 'value="form"' not in page  # a draft says so itself


@pytest.mark.parametrize(("who", "status"), [("sione", 403), ("mere", 403), ("tane", 403)])
def test_who_may_not_is_refused(house: LawfulHouse, who: str, status: int) -> None:
    assert logged_in(who).post(address(house)).status_code == status
    assert not IdentificationLook.objects.exists()


def test_a_form_that_is_not_due_leads_back_to_the_claim(house: LawfulHouse) -> None:
    answer: Any = logged_in("aroha").post(address(house, "nz_cash_report"), follow=True)
    assert "The local rules require no such form for this payment." in answer.content.decode()
    assert logged_in("aroha").get(address(house)).status_code == 405
    assert logged_in("aroha").post("/payouts/999/forms/w_2g/").status_code == 404


def test_rules_that_nobody_can_read_say_so_on_the_page(
    house: LawfulHouse, settings: Settings
) -> None:
    settings.JURISDICTIONS = {"harbour": "nowhere"}
    answer = logged_in("aroha").get(CAGE)
    assert answer.status_code == 503
    assert "There is no jurisdiction pack nowhere: choose one of" in answer.content.decode()


def test_the_pages_cost_the_same_however_many_forms_are_due(
    house: LawfulHouse, django_assert_max_num_queries: Any
) -> None:
    client = logged_in("ines")
    client.get(REPORT)
    with django_assert_max_num_queries(30):
        client.get(f"{REPORT}?from={house.day}&to={house.day}")
    cage = logged_in("aroha")
    cage.get(CAGE)
    with django_assert_max_num_queries(40):
        cage.get(CAGE)


def test_every_draft_is_one_page(house: LawfulHouse) -> None:
    for form in ("w_2g", "form_5754", "form_1042_s", "fincen_112"):
        pdf = house.draft(house.second, form)
        assert len(PdfReader(io.BytesIO(pdf)).pages) == 1, form


def test_from_the_limit_of_the_place_on_a_player_is_identified_first(
    settings: Settings, tmp_path: Path
) -> None:
    """Whatever the terms ask for; below the limit of the place nobody is asked."""
    settings.CLAIM_WAIT_S = 0
    settings.JURISDICTION_DIR = str(tmp_path)
    settings.JURISDICTIONS = {"harbour": "own"}
    ConfirmedHouse()
    words = "Identify the player of seat 3 first, or tick that you pay without."
    for limit, is_refused in ((1_001, True), (1_002, False)):
        rule = f"rule: identification, since: 2020-01-01, source: A law, at_least: {limit}"
        pack = f"name: Own\ncurrency: NZD\nrules: [{{{rule}}}]"
        (tmp_path / "own.yaml").write_text(pack)
        answer = paid_at_the_cage(**{"l1-cash": "1001"})
        assert (words in answer.content.decode()) is is_refused
