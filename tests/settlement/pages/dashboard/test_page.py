"""The dashboard page: who sees it, what stands there, and that it costs the same for any house."""

import datetime as dt
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jackpot.models import Account, Hit
from jackpot.terms.money import format_micros
from settlement.closing import table_days
from settlement.closing.table_days import keep_table_days, totals
from settlement.people.rights.roles import grant, revoke
from tables.models import Casino, GamingTable, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_ledger import LedgerHouse, fine_terms
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ROLES

pytestmark = pytest.mark.django_db
PAGE = "/dashboard/"
OCTOBER = f"{PAGE}?from=2026-10-30&to=2026-10-31"


def html(name: str, address: str = PAGE) -> str:
    return logged_in(name).get(address).content.decode()


def test_managers_and_compliance_see_it_and_nobody_else(days: LedgerHouse) -> None:
    codes = {name: logged_in(name).get(PAGE).status_code for name in ROLES}
    seeing = {name for name, code in codes.items() if code == 200}
    assert seeing == {
        name for name, role in ROLES.items() if role in ("Casino manager", "Compliance")
    }
    assert set(codes.values()) == {200, 403}
    assert f'href="{PAGE}"' in html("mere", "/")
    assert f'href="{PAGE}"' not in html("sione", "/")


def test_reports_are_linked_for_who_opens_them(days: LedgerHouse) -> None:
    assert "/reports/liability/?casino=" in html("ines")
    page = html("mere")
    assert "/reports/" not in page.partition("<main")[2]
    for address in re.findall(r'class="tile[^"]*"\s+href="([^"]+)"', page):
        assert logged_in("mere").get(address.replace("&amp;", "&")).status_code == 200
    for address in re.findall(r'class="tile[^"]*"\s+href="([^"]+)"', html("ines")):
        assert logged_in("ines").get(address.replace("&amp;", "&")).status_code == 200


def test_a_role_of_one_casino_shows_that_one_alone(days: LedgerHouse) -> None:
    other = Casino.objects.create(code="summit", name="Summit Casino", currency="NZD")
    JackpotSystem.objects.create(casino=other, code="peak", name="Peak")
    assert "Summit Casino" in page_of("mere", f"{PAGE}?casino=summit")
    mere = person("mere")
    revoke(mere, "Casino manager")
    grant(mere, "Casino manager", days.system.casino)
    grant(mere, "Cashier", other)
    page = html("mere", f"{PAGE}?casino=summit").partition("<main")[2]
    assert "Summit" not in page
    assert "Owed to players" in page


def test_the_figures_stand_there(days: LedgerHouse) -> None:
    owed = sum(
        each.balance
        for each in Account.objects.all()
        if each.code in ("payable", "unclaimed", "to_return", "adjustments") or each.tier_id
    )
    page = page_of("mere", OCTOBER)
    assert f"Owed to players, NZD {format_micros(owed, 2)}" in page
    first, last = dt.date(2026, 10, 30), dt.date(2026, 10, 31)
    rows = totals(days.system.casino, [days.system.pk], first, last)
    whole = sum(row.contributed for row in rows)
    assert f"Contributions, NZD {format_micros(whole, 2)}" in page
    assert f"NZD {format_micros(whole, 2)} from 2 tables." in page
    assert f"Open claims {Hit.objects.filter(state='held').count()}" in page
    assert "Hits in 13 months: 2" in page


def test_a_figure_that_lags_says_so(days: LedgerHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "still being added up" not in html("mere")
    monkeypatch.setattr(table_days, "STEP", 7)
    assert page_of("mere", PAGE).count("The newest rounds are still being added up.") == 2


def test_every_bar_is_named_and_reached_by_keyboard(days: LedgerHouse) -> None:
    page = html("mere", OCTOBER)
    charts = re.findall(r'<svg class="chart-plot".*?</svg>', page, re.DOTALL)
    assert len(charts) == 2  # nobody counted a drop
    for chart in charts:
        spots = re.findall(r'<g class="chart-spot[^>]*>', chart)
        assert spots
        assert [re.search(r'tabindex="(-?\d)"', spot)[1] for spot in spots] == [  # type: ignore[index]
            "0",
            *["-1"] * (len(spots) - 1),
        ]
        assert all(re.search(r'role="img"', spot) for spot in spots)
        names = [re.search(r'aria-label="([^"]+)"', spot)[1] for spot in spots]  # type: ignore[index]
        assert len(set(names)) == len(names)
    assert page.count("As a table") == 2


@pytest.mark.parametrize("query", ["?from=x", "?from=2030-01-01", "?to=1999-01-01", "?casino=x",
                                   "?from=2000-01-01&to=2026-12-31"])  # fmt: skip
def test_any_days_can_be_asked_for(query: str, days: LedgerHouse) -> None:
    assert "Owed to players" in page_of("mere", PAGE + query)


def test_it_costs_the_same_however_much_there_is(days: LedgerHouse) -> None:
    def cost() -> int:
        client = logged_in("mere")
        client.get("/password/")  # that something is done is noted every half minute
        with CaptureQueriesContext(connection) as queries:
            assert client.get(PAGE).status_code == 200
        return len(queries)

    before = cost()
    other = JackpotSystem.objects.create(casino=days.system.casino, code="vip", name="Salon")
    for code in ("t1", "t2", "t4"):
        for system in (days.system, other):
            GamingTable.objects.create(system=system, code=code, name=code)
    days.decide("put_terms", terms={**fine_terms(), "name": "Again"})
    days.play(3)
    days.hit_royal("t7")
    assert cost() <= before
    keep_table_days(days.system)
    assert cost() <= before
    assert before <= 25
