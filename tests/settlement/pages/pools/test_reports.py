"""The reading pages: pools, payouts, roll-forward, terms; who may read, and what it costs."""

import datetime as dt
import re
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jackpot.display import values as display
from jackpot.models import Hit, Transfer
from settlement.core.gaming_day import Days, Month
from settlement.pages.shared.amount_tables import Precision
from settlement.pages.shared.charts.line import draw
from settlement.pools.history import PoolHistory
from settlement.pools.roll_forward import MOVEMENTS, first_day, roll_forward, ties, totals
from tables.models import Casino, GamingTable, JackpotSystem
from tests.support.pages.page_ledger import (
    BEGIN,
    PAGES,
    LedgerHouse,
    fine_terms,
    report_behind,
)
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.play.books import royal_terms

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["/pools/main/royal/", "/payouts/", "/roll-forward/"])
def test_a_page_leads_to_its_report_for_who_may_export(page: str, days: LedgerHouse) -> None:
    assert report_behind(logged_in("ines").get(page).content.decode())
    assert "Report and files" not in page_of("sione", page)


@pytest.mark.parametrize("address", ["/pools/main/none/", "/pools/none/royal/", "/tables/main/t9/"])
def test_what_there_is_not(address: str, days: LedgerHouse) -> None:
    assert logged_in("ines").get(address).status_code == 404


@pytest.mark.parametrize("address", PAGES)
def test_a_page_costs_the_same_however_much_there_is(address: str, days: LedgerHouse) -> None:
    def cost() -> int:
        client = logged_in("ines")
        client.get("/password/")  # that something is done is noted every half minute
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
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
    assert before <= 20


class TestPool:
    def test_what_moved_it_in_words(self, days: LedgerHouse) -> None:
        page = page_of("tane", "/pools/main/royal/?to=2026-11-30")
        assert "Contribution from the pot" in page
        assert "Contribution by the operator" in page
        assert "Reserved for a claim MAIN-3" in page
        assert "Round completed" in page
        assert not re.search(r"round_completed|contribution\b|hold\b", page)

    def test_it_is_narrowed_to_a_kind(self, days: LedgerHouse) -> None:
        page = page_of("tane", "/pools/main/royal/?kind=claims")
        assert "Reserved for a claim MAIN-1" in page
        assert "Returned from a claim MAIN-1" in page
        assert "Contribution from" not in page.partition("Balance after")[2]
        assert "Opened with the reset amount" in page_of("tane", "/pools/main/royal/?kind=opening")

    @pytest.mark.parametrize("kind", ["", "contributions", "claims", "resets", "rounding"])
    def test_paging_meets_every_transfer_once(self, kind: str, days: LedgerHouse) -> None:
        tier = days.system.tiers.select_related("system__casino").get()
        history = PoolHistory(tier, kind=kind)
        everything = [row["number"] for row in history.page(10_000).rows]
        page = history.page(7)
        met, pages = [row["number"] for row in page.rows], [page]
        while page.older is not None:
            page = history.page(7, before=page.older)
            met += [row["number"] for row in page.rows]
            pages.append(page)
        assert met == everything == sorted(everything, reverse=True)
        for before in reversed(pages[:-1]):  # and back again
            page = history.page(7, after=page.newer)
            assert [row["number"] for row in page.rows] == [row["number"] for row in before.rows]
        assert page.newer is None

    def test_all_kinds_together_are_everything(self, days: LedgerHouse) -> None:
        tier = days.system.tiers.select_related("system__casino").get()
        kinds = ("contributions", "claims", "resets", "rounding", "opening")
        parts = [row for kind in kinds for row in PoolHistory(tier, kind=kind).page(9999).rows]
        assert len(parts) == len(PoolHistory(tier).page(9999).rows)

    def test_gaming_days_begin_at_six(self, days: LedgerHouse) -> None:
        tier = days.system.tiers.select_related("system__casino").get()
        saturday = dt.date(2026, 10, 31)
        rows = PoolHistory(tier, Days(saturday, saturday)).page(9999).rows
        zone = ZoneInfo(days.system.casino.timezone)
        # 05:00 on the 31st is still the day before; 01:00 on the 1st is not yet the next.
        assert sorted({f"{row['at'].astimezone(zone):%m-%d %H:%M}" for row in rows}) == [
            *("10-31 10:00", "10-31 15:00", "10-31 20:00", "11-01 01:00"),
        ]

    def test_the_report_behind_it_has_its_rows(self, days: LedgerHouse) -> None:
        """Of the same days, and beside those of the reserve and of claims."""
        tier = days.system.tiers.select_related("system__casino").get()
        friday = dt.date(2026, 10, 30)
        for query, span in (("", Days()), ("?from=2026-10-30&to=2026-10-30", Days(friday, friday))):
            page = logged_in("ines").get(f"/pools/main/royal/{query}").content.decode()
            rows = report_behind(page)
            assert all("royal:" in f"{row['debit']} {row['credit']}" for row in rows)
            of_pool = [
                row["number"] for row in rows if "royal:pool" in (row["debit"], row["credit"])
            ]
            on_page = PoolHistory(tier, span).page(9999).rows
            assert of_pool == [row["number"] for row in reversed(on_page)]

    def test_it_is_the_ledger_exactly(self, days: LedgerHouse) -> None:
        tier = days.system.tiers.select_related("system__casino").get()
        rows = PoolHistory(tier).page(9999).rows
        pool = days.system.accounts.get(code="royal:pool")
        legs = [
            (t.number, t.amount, t.credit_after)
            if t.credit_id == pool.pk
            else (t.number, -t.amount, t.debit_after)
            for t in Transfer.objects.filter(system=days.system).order_by("-number")
            if pool.pk in (t.credit_id, t.debit_id)
        ]
        page_legs = [
            (row["number"], row["in_micros"] - row["out_micros"], row["pool_micros"])
            for row in rows
        ]
        assert page_legs == legs
        assert any(row["in_micros"] % 10_000 for row in rows)

    def test_a_date_that_is_none_is_said(self, days: LedgerHouse) -> None:
        page = page_of("tane", "/pools/main/royal/?from=yesterday&before=x&after=y&kind=x")
        assert "“yesterday” is not a date" in page
        assert "Contribution from the pot" in page

    def test_the_chart_has_the_value_at_every_hit(self, days: LedgerHouse) -> None:
        page = logged_in("tane").get("/pools/main/royal/").content.decode()
        assert page.count('class="chart-hit"') == Hit.objects.count() + 1  # and the legend's

    def test_a_chart_needs_two_instants(self) -> None:
        casino = Casino(currency="NZD", minor_digits=2)
        assert draw([(BEGIN, 1)], [], casino) is None
        assert draw([(BEGIN, 1), (BEGIN, 2)], [], casino) is None
        assert draw([(BEGIN, 0), (BEGIN + dt.timedelta(days=1), 0)], [], casino) is not None


class TestRollForward:
    def test_it_ties_day_by_day(self, days: LedgerHouse) -> None:
        tier = days.system.tiers.select_related("system__casino").get()
        months = [Month(2026, 10), Month(2026, 11)]
        rows = [row for month in months for row in roll_forward(tier, month).rows(31)]
        assert ties(rows)
        assert rows[0]["day"] == first_day(tier) == dt.date(2026, 10, 30)
        assert rows[0]["opening"] == 0
        assert rows[-1]["closing"] == days.balance("royal:pool")
        sums = totals(rows)
        assert sums["opening"] + sum(sums[name] for name in MOVEMENTS) == sums["closing"]
        assert sums["opened"] == 1000_000_000
        assert sums["held"] < 0 < sums["returned"]

    def test_a_row_that_was_changed_does_not_tie(self, days: LedgerHouse) -> None:
        tier = days.system.tiers.select_related("system__casino").get()
        rows = roll_forward(tier, Month(2026, 11)).rows(31)
        for name in ("opening", "closing", "rounding"):
            changed = [dict(row) for row in rows]
            changed[1][name] += 1
            assert not ties(changed)

    def test_page_and_report_say_the_same(self, days: LedgerHouse) -> None:
        address = "/roll-forward/?pool=main/royal&month=2026-10"
        page = page_of("ines", address)
        assert "Balanced" in page
        assert "October 2026" in page
        behind = report_behind(logged_in("ines").get(address).content.decode())
        rows = [row for row in behind if row["opening"] or row["closing"]]
        assert [f"{row['day']}" for row in rows] == ["2026-10-30", "2026-10-31"]
        tier = days.system.tiers.select_related("system__casino").get()
        whole = roll_forward(tier, Month(2026, 10)).rows(31)
        assert [(row["opening"], row["held"], row["closing"]) for row in rows] == [
            (row["opening"], row["held"], row["closing"]) for row in whole
        ]
        closing = f"{rows[0]['closing'] // 10**4 / 100:,.2f}"
        assert page.count(closing) == 2  # that day's closing, and the next one's opening

    @pytest.mark.parametrize("month", ["1999-01", "2030-01", "x", ""])
    def test_any_month_can_be_asked_for(self, month: str, days: LedgerHouse) -> None:
        assert "Roll-forward: Royal Flush" in page_of("ines", f"/roll-forward/?month={month}")


class TestTerms:
    def test_the_notice_is_that_of_the_display(self, days: LedgerHouse) -> None:
        table = GamingTable.objects.select_related("system__casino").get(code="t3")
        page = logged_in("sione").get("/notices/main/t3/").content.decode().replace("\xa0", " ")
        lines = display.notices(table)
        assert [page.count(line.replace("'", "&#x27;")) for line in lines] == [1] * len(lines)

    def test_a_jackpot_of_other_tables_is_not_posted_here(self, days: LedgerHouse) -> None:
        days.decide("put_terms", terms={**fine_terms(), "tables": ["t7"]}, force="moved")
        assert "No jackpot is posted at this table" in page_of("sione", "/notices/main/t3/")
        assert "House Jackpot" in page_of("sione", "/notices/main/t7/")

    def test_every_version_can_be_read_again(self, days: LedgerHouse) -> None:
        User.objects.filter(username="ines").update(first_name="Ines", last_name="Hall")
        days.decide(
            "put_terms",
            first="ines",
            second="mere",
            terms={**royal_terms(), "name": "N"},
            force="x",
        )
        page = page_of("sione", "/terms/main/house/")
        assert "Terms No. 2" in page
        assert "Ines Hall and mere" in page
        first = page_of("sione", "/terms/main/house/?version=1")
        assert "An earlier version." in first
        assert "0.25%" in first
        assert "0.25%" not in page


@pytest.mark.parametrize(
    ("amounts", "texts"),
    [
        ([1_234_560_000], ("1,234.56", "")),
        ([1_234_567_500, None, 0], ("1,234.56", "75")),
        ([-1_234_567_890], ("-1,234.56", "789")),
        ([1_234_560_000, 1], ("1,234.56", "0000")),
    ],
)
def test_decimals_stand_under_each_other(amounts: list[int | None], texts: tuple[str, str]) -> None:
    precision = Precision.of(Casino(currency="NZD", minor_digits=2), amounts)
    assert precision.parts(amounts[0] or 0) == texts
