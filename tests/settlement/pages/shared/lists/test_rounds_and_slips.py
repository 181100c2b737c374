"""Rounds and slips are lists: sorted, read page by page, their views kept."""

import datetime as dt
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import DjangoAssertNumQueries

from jackpot.models import Hit
from settlement.core.gaming_day import today
from settlement.models import Payout, SavedView
from settlement.pages.reports import lists
from settlement.pages.shared.lists.cursor import text_of
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tests.support.pages.page_ledger import LedgerHouse
from tests.support.pages.page_staff import logged_in
from tests.support.play.books import royal_terms
from tests.support.play.house import House

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
FROM = "from=2026-10-01"
ROUNDS, SLIPS = "/reports/round-ledger/", "/reports/payouts/"


@pytest.fixture
def floor(days: LedgerHouse, monkeypatch: pytest.MonkeyPatch) -> LedgerHouse:
    """Rounds of two systems, four on a page."""
    other = House(royal_terms(), code="high", tables=("t1",))
    other.open("t1")
    for _ in range(5):
        other.press("t1")
    other.post()
    monkeypatch.setattr(lists, "ROWS", 4)
    return days


def html(address: str) -> str:
    answer = logged_in("ines").get(address)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode().partition("<main")[2].replace("&amp;", "&")


def rows_of(page: str) -> list[tuple[str, ...]]:
    """The first cells of each row: system, and what follows."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in body.split("<tr>")[1:]]
    return [tuple(re.sub(r"<[^>]+>", "", cell).strip() for cell in row) for row in rows]


def walk(address: str) -> list[tuple[str, ...]]:
    """The rows of all pages; the way back shows the same ones."""
    path = address.partition("?")[0]

    def beside(page: str, rel: str) -> str:
        match = re.search(rf'rel="{rel}" href="([^"]*)"', page)
        return match[1] if match else ""

    page = html(address)
    pages = [rows_of(page)]
    while onward := beside(page, "next"):
        page = html(path + onward)
        pages.append(rows_of(page))
    back = [pages[-1]]
    while previous := beside(page, "prev"):
        page = html(path + previous)
        back.insert(0, rows_of(page))
    assert back == pages
    assert all(len(each) == lists.ROWS for each in pages[:-1])
    return [row for each in pages for row in each]


def ledger(house: LedgerHouse, **codes: str) -> list[dict[str, Any]]:
    casino = house.system.casino
    filters = Filters(casino, dt.date(2026, 10, 1), today(casino), codes)
    return reports()["round-ledger"].report(filters).rows(10_000)


def numbers(rows: list[tuple[str, ...]]) -> list[tuple[str, int]]:
    return [(row[0], int(re.sub(r"\D", "", row[1]))) for row in rows]


@pytest.mark.parametrize("more", ["", "&table=t7", "&system=main", "&system=high"])
def test_rounds_go_both_ways_through_every_system(floor: LedgerHouse, more: str) -> None:
    codes = dict(part.split("=") for part in more.split("&") if part)
    places = [(row["system"], row["entry"]) for row in ledger(floor, **codes)]
    assert len(places) > lists.ROWS
    assert numbers(walk(f"{ROUNDS}?{FROM}{more}")) == places
    assert numbers(walk(f"{ROUNDS}?{FROM}{more}&sort=-entry")) == places[::-1]
    assert numbers(walk(f"{ROUNDS}?{FROM}{more}&sort=pot")) == places  # no index serves it


def test_a_page_of_rounds_shows_the_figures_of_the_report(floor: LedgerHouse) -> None:
    rows = walk(f"{ROUNDS}?{FROM}&system=main")
    added = sum(row["contributed"] for row in ledger(floor, system="main"))
    total = sum(round(float(row[10].replace(",", "") or 0) * 1_000_000) for row in rows)
    assert total == added


def test_a_place_in_another_order_is_the_beginning(floor: LedgerHouse) -> None:
    first = rows_of(html(f"{ROUNDS}?{FROM}"))
    assert rows_of(html(f"{ROUNDS}?{FROM}&after=WzFd")) == first
    missing_place = text_of(["nowhere", 3])
    assert rows_of(html(f"{ROUNDS}?{FROM}&after={missing_place}")) == first


@pytest.fixture
def paid(days: LedgerHouse, monkeypatch: pytest.MonkeyPatch) -> LedgerHouse:
    """Three payments, two on a page; the slip of the second was printed."""
    for rounds in (3, 1):
        days.clock.on(hours=1)
        days.play(rounds)
        days.hit_royal("t7")
        days.post()
        days.pay(Hit.objects.latest("number").number, chips=1)
    second = Payout.objects.order_by("pk")[1]
    assert logged_in("aroha").post(f"/payouts/{second.pk}/slip/").status_code == 200
    monkeypatch.setattr(lists, "ROWS", 2)
    return days


# Of a page's columns: claim, amount, slips printed.
_VALUES: dict[str, Any] = {
    "at": lambda row: int(row[2]),  # later claims were paid later
    "claim": lambda row: int(row[2]),
    "amount_micros": lambda row: float(row[11].replace(",", "")),
    "slips": lambda row: int(row[23]),
}


@pytest.mark.parametrize("sort", _VALUES)
def test_slips_are_sorted_by_each_of_these(paid: LedgerHouse, sort: str) -> None:
    up = [_VALUES[sort](row) for row in walk(f"{SLIPS}?{FROM}&sort={sort}")]
    assert len(up) == 3
    assert len(set(up)) > 1
    assert up == sorted(up)
    assert [_VALUES[sort](row) for row in walk(f"{SLIPS}?{FROM}&sort=-{sort}")] == up[::-1]


def test_an_index_gives_a_page_of_rounds_without_a_sort(floor: LedgerHouse) -> None:
    """Else every round of the days would be read for it: ten millions of them."""
    filters = Filters(floor.system.casino, dt.date(2026, 10, 1), today(floor.system.casino))
    with CaptureQueriesContext(connection) as queries:
        reports()["round-ledger"].rows_behind(filters, 5, (), is_down=True)
    (statement,) = (each["sql"] for each in queries if "ORDER BY n.seq DESC LIMIT" in each["sql"])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN {statement}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Index Scan Backward" in plan, plan
    assert "Sort" not in plan, plan


@pytest.mark.parametrize(
    ("code", "query"),
    [("round-ledger", f"system=main&table=t7&{FROM}&sort=-entry"), ("payouts", f"{FROM}&sort=-at")],
)
def test_a_view_is_kept_and_opens_the_list(days: LedgerHouse, code: str, query: str) -> None:
    ines, address = logged_in("ines"), f"/reports/{code}/"
    assert "Save this view" in html(f"{address}?{query}")
    form = {"page": f"report:{code}", "name": "Newest", "query": query, "is_default": "on"}
    assert ines.post("/views/", form)["Location"] == f"{address}?{query}"
    assert ines.get(address)["Location"] == f"{address}?{query}"
    view = SavedView.objects.get()
    assert f'href="{address}?view=usual"' in html(f"{address}?{query}")
    assert "Newest" not in html("/reports/ledger/")
    assert ines.post(f"/views/{view.pk}/", {"do": "delete"})["Location"] == f"{address}?view=usual"
    assert ines.get(address).status_code == 200


def test_other_reports_keep_no_views(days: LedgerHouse) -> None:
    assert "Save this view" not in html(f"/reports/ledger/?{FROM}")
    form = {"page": "report:ledger", "name": "x", "query": FROM}
    assert logged_in("ines").post("/views/", form).status_code == 404


def test_the_lists_ask_little(
    floor: LedgerHouse, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = logged_in("ines")
    for address in (f"{ROUNDS}?{FROM}&sort=-entry", f"{SLIPS}?{FROM}&sort=-at"):
        with django_assert_max_num_queries(40):
            client.get(address)
