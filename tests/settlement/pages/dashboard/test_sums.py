"""Where tiles of sums lead: a list of the same casino and days that adds up to the tile."""

import html as markup
import re
from decimal import ROUND_DOWN, Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from settlement.dashboard.figures import balances
from settlement.dashboard.sums import KINDS, accounts_of
from tables.models import Casino, JackpotSystem
from tests.support.pages.page_ledger import LedgerHouse
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ROLES

pytestmark = pytest.mark.django_db
PAGE = "/dashboard/"
TILE = re.compile(
    r'<a class="tile sum[^"]*"\s+href="([^"]+)">.*?class="tile-value">([^<]+)<', re.DOTALL
)
TOTAL = re.compile(r"data-sum>([^<]+)<")
AMOUNT = re.compile(r'data-label="Amount" class="number">([^<]+)<')


def tiles(client: Client, query: str) -> dict[str, str]:
    """By address what the tile says."""
    page = client.get(f"{PAGE}{query}").content.decode()
    return {markup.unescape(address): value for address, value in TILE.findall(page)}


def as_number(text: str) -> Decimal:
    return Decimal(text.strip().replace(",", ""))


def to_the_cent(amount: Decimal) -> Decimal:
    """As a tile says it: never more than there is."""
    return amount.quantize(Decimal("0.01"), ROUND_DOWN)


@pytest.mark.parametrize("query", ["", "?from=2026-10-30&to=2026-10-31", "?casino=harbour"])
@pytest.mark.parametrize("name", ["mere", "ines"])
def test_each_tile_of_a_sum_leads_to_a_list_of_that_total(
    days: LedgerHouse, query: str, name: str
) -> None:
    days.hit_royal("t7")
    client = logged_in(name)
    found_tiles = tiles(client, query)
    assert len(found_tiles) == 5, found_tiles
    totals = []
    for address, value in found_tiles.items():
        page = client.get(address).content.decode().partition("<main")[2]
        total = TOTAL.search(page)
        rows = [as_number(each) for each in AMOUNT.findall(page)]
        assert to_the_cent(sum(rows, Decimal())) == as_number(value), address
        assert (as_number(total[1]) if total else 0) == as_number(value), address
        totals.append(as_number(value))
        for each in re.findall(r'<td[^>]*>\s*<a href="([^"]+)"', page):
            assert client.get(markup.unescape(each)).status_code == 200, each
    assert sum(map(bool, totals)) >= 3, "a house in which there is something to add up"


def test_accounts_of_a_tile_are_those_of_its_figure(days: LedgerHouse) -> None:
    days.hit_royal("t7")
    systems = [days.system]
    figures = balances([days.system.pk])
    expected = {
        "owed": figures.liability,
        "reserve": figures.reserve,
        "held": figures.held,
        "payable": figures.payable,
    }
    assert expected.keys() == KINDS.keys()
    for code, amount in expected.items():
        assert sum(row.amount for row in accounts_of(systems, code)) == amount, code


def test_the_list_is_of_the_casino_of_the_tile(days: LedgerHouse) -> None:
    other = Casino.objects.create(code="summit", name="Summit Casino", currency="NZD")
    JackpotSystem.objects.create(casino=other, code="peak", name="Peak")
    client = logged_in("mere")
    for address, value in tiles(client, "?casino=summit").items():
        assert "casino=summit" in address
        assert as_number(value) == 0
        assert "Nothing adds up to it" in client.get(address).content.decode()


def test_who_sees_no_dashboard_sees_no_sum(days: LedgerHouse) -> None:
    codes = {name: logged_in(name).get(f"{PAGE}sum/").status_code for name in ROLES}
    assert {name for name, code in codes.items() if code == 200} == {"mere", "david", "ines"}
    assert logged_in("mere").get(f"{PAGE}sum/?of=other&casino=x&from=y").status_code == 200


def test_a_list_takes_as_many_queries_for_many_systems(days: LedgerHouse) -> None:
    client = logged_in("mere")
    client.get(f"{PAGE}sum/?of=owed")
    with CaptureQueriesContext(connection) as few:
        client.get(f"{PAGE}sum/?of=owed")
    for number in range(5):
        JackpotSystem.objects.create(
            casino=days.system.casino, code=f"hall-{number}", name=f"Hall {number}"
        )
    with CaptureQueriesContext(connection) as many:
        client.get(f"{PAGE}sum/?of=owed")
    assert len(many) <= len(few)
