"""What a compliance office looks for is found by its name: laws, logs, and all pages."""

import pytest

from settlement.help.pages import PAGES
from settlement.pages import urls
from settlement.reports.catalogue import reports
from settlement.search.sections import OTHER_PAGES, SECTIONS
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ClaimHouse

# Which the account leads to, and what is no place: the search itself.
ELSEWHERE = {"search", "factor-app", "factor-passkey", "dashboard-sum"}


@pytest.fixture
def house() -> ClaimHouse:
    return ClaimHouse()


def results(name: str, text: str) -> str:
    return logged_in(name).get("/search/", {"q": text}).content.decode()


@pytest.mark.django_db
@pytest.mark.usefixtures("house", "no_writer")
@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("31 CFR 1021.311", "/reports/tax-and-cash-reports/"),
        ("IRC 6041", "/reports/tax-and-cash-reports/"),
        ("NJ 13:69F-14.19", "/reports/quarterly-return/"),
        ("Washington appendix F", "/reports/player-fund/"),
        ("log of significant events", "/reports/significant-events/"),
        ("operations log", "/reports/significant-events/"),
        ("jurisdiction", "/set-up/casinos/harbour/jurisdiction/"),
        ("passkeys that sign", "/signing-keys/"),
        ("check a slip", "/payouts/slips/check/"),
    ],
)
def test_what_compliance_looks_for_is_results(text: str, address: str) -> None:
    assert f'href="{address}"' in results("ines", text)
    assert f'href="{address}"' not in results("tane", text) or address == "/signing-keys/"


@pytest.mark.django_db
@pytest.mark.usefixtures("house", "no_writer")
def test_laws_stand_beside_their_reports_and_the_log_beside_incidents() -> None:
    page = words(logged_in("ines").get("/reports/"))
    laws = {law for each in reports().values() for law in each.rules}
    assert {law for law in laws if law not in page} == set()
    for name, is_there in (("ines", True), ("tane", False)):
        page = words(logged_in(name).get("/incidents/"))
        assert ("Log of significant events" in page) is is_there


def test_every_page_without_a_choice_has_a_name_in_navigation_or_palette() -> None:
    pages = {page[1] for page in (*SECTIONS, *OTHER_PAGES)}
    single = {
        str(each.name)
        for each in urls.urlpatterns
        if each.name in PAGES and "<" not in str(each.pattern)
    }
    assert single - pages == ELSEWHERE
