"""The reading pages: what they say where there is nothing yet."""

import pytest

from tables.models import Casino, GamingTable, JackpotSystem
from tests.support.pages.page_ledger import PAGES
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import hire

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/pools/", "/roll-forward/", "/tables/", "/terms/"])
def test_nothing_is_set_up(address: str) -> None:
    hire()
    assert any(words in page_of("ines", address) for words in ("No ", "There is no pool"))


@pytest.mark.parametrize("address", ["/payouts/", "/quarantine/"])
def test_without_a_casino_there_is_no_register(address: str) -> None:
    hire()
    assert logged_in("ines").get(address).status_code == 404


@pytest.mark.parametrize("address", [page for page in PAGES if "royal" not in page])
def test_a_house_without_terms(address: str) -> None:
    casino = Casino.objects.create(code="harbour", name="Harbour", currency="NZD")
    system = JackpotSystem.objects.create(casino=casino, code="main", name="Main floor")
    GamingTable.objects.create(system=system, code="t3", name="Table 3")
    hire()
    expected = 404 if address == "/terms/main/house/" else 200
    assert logged_in("ines").get(address).status_code == expected
