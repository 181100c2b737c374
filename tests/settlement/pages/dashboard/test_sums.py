"""Where tiles of sums lead: a list of the same casino and days that adds up to the tile."""

import html as markup
import re
from decimal import ROUND_DOWN, Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from jackpot.models import Hit
from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.closing import table_days
from settlement.core.gaming_day import today
from settlement.dashboard.figures import balances
from settlement.dashboard.sums import KINDS, AccountRow, accounts_of
from settlement.models import Claim
from settlement.pages.dashboard import sums
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Casino, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_ledger import LedgerHouse
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ALL_YES, ROLES

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


def test_what_is_reserved_leads_to_claims_that_add_up_to_it(days: LedgerHouse) -> None:
    """Beside one that is confirmed and not paid, whose money is no more reserved."""
    days.hit_royal("t7")
    open_hits = list(Hit.objects.filter(state="held").order_by("number"))
    claim = Claim.objects.get(number=open_hits[0].number)
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    claims.verify(claim, person("sione"))
    claims.confirm(claim, Reauthenticated(person("mere")), open_hits[0].held)
    days.post()
    client = logged_in("mere")
    page = client.get(f"{PAGE}sum/?of=held").content.decode().partition("<main")[2]
    ((address, amount),) = zip(
        re.findall(r'<a href="(/claims/[^"]*)"', page), AMOUNT.findall(page), strict=True
    )
    address = markup.unescape(address)
    (tier,) = {each.tier_id for each in open_hits}
    assert address == f"/claims/?system=main&standing=held&tier={tier}"
    listing = client.get(address).content.decode()
    numbers = {int(each) for each in re.findall(r'href="/claims/main/(\d+)/', listing)}
    assert numbers == {each.number for each in open_hits[1:]}
    reserved = sum(Hit.objects.filter(number__in=numbers).values_list("held", flat=True))
    assert Decimal(reserved) / MICROS == as_number(amount) > 0


def test_an_account_of_no_prize_leads_to_its_balance(days: LedgerHouse) -> None:
    row = AccountRow(days.system, None, "unclaimed", MICROS)
    day = today(days.system.casino)
    address = sums._address_of(row, may_export=True)
    assert address == f"/reports/liability/?system=main&casino=harbour&from={day}&to={day}"
    assert '<option value="main" selected>' in logged_in("ines").get(address).content.decode()
    assert sums._address_of(row, may_export=False) == ""


def test_a_list_of_older_figures_says_so(
    days: LedgerHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, words = logged_in("mere"), "still being added up"
    assert words not in client.get(f"{PAGE}sum/?of=contributions").content.decode()
    monkeypatch.setattr(table_days, "STEP", 0)
    assert words in client.get(f"{PAGE}sum/?of=contributions").content.decode()
    assert words not in client.get(f"{PAGE}sum/?of=owed").content.decode()


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
