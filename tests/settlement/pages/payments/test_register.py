"""The register of payouts as people read it and take it away."""

import re

import pytest
from django.contrib.auth.models import User

from settlement.models import AccessNote
from tables.models import GamingTable
from tests.support.pages.page_ledger import LedgerHouse, micros, read_csv
from tests.support.pages.page_staff import logged_in, page_of

pytestmark = pytest.mark.django_db


def test_the_register_names_three_people_and_all_parts(days: LedgerHouse) -> None:
    User.objects.filter(username="aroha").update(first_name="Aroha", last_name="Ngata")
    page = page_of("aroha", "/payouts/")
    assert "MAIN-2" in page
    assert "Verified: sione Confirmed: mere Paid: Aroha Ngata" in page
    row = read_csv("ines", "/payouts/register.csv")
    held = days.hit(2).held
    assert [(micros(line["amount_NZD"]), line["claim"]) for line in row] == [(held, "2")]
    assert micros(row[0]["chips_NZD"]) + micros(row[0]["cash_NZD"]) == held
    assert row[0]["prize"] == "Royal Flush"


def test_days_and_systems_narrow_it(days: LedgerHouse) -> None:
    assert "No payments in this period" in page_of("ines", "/payouts/?to=2026-10-30")
    assert "MAIN-2" in page_of("ines", "/payouts/?system=main&from=2026-10-30")
    assert not read_csv("ines", "/payouts/register.csv?from=2030-01-01")


def test_text_that_looks_like_a_formula_is_made_text(days: LedgerHouse) -> None:
    GamingTable.objects.filter(code="t7").update(name="=HYPERLINK(1)")
    User.objects.filter(username="aroha").update(first_name="@SUM", last_name="A1")
    (row,) = read_csv("ines", "/payouts/register.csv")
    assert (row["table"], row["paid_by"]) == ("'=HYPERLINK(1)", "'@SUM A1")
    rows = read_csv("ines", "/pools/main/royal/history.csv?kind=claims")
    assert {row["table"] for row in rows} == {"Table 3", "'=HYPERLINK(1)", "Console"}


def test_a_part_is_never_taken_for_the_whole(days: LedgerHouse) -> None:
    """On paper with its totals and signatures, as a file, and in the security log."""
    query = "?system=main&least=1.00&most=99999&person=mere"
    page = page_of("ines", f"/payouts/{query}")
    for words in ("Only system Main", "Only amounts of 1.00 and more.",
                  "Only amounts of 99,999.00 and less.", "Only where mere took part."):  # fmt: skip
        assert words in page
    assert "Only " not in page_of("ines", "/payouts/")
    answer = logged_in("ines").get(f"/payouts/register.csv{query}")
    name = "payouts-main-all-at-least-1.00-at-most-99999.00-with-mere"
    assert f'filename="{name}.csv"' in answer["Content-Disposition"]
    assert AccessNote.objects.get(what="exported").detail == name


@pytest.mark.parametrize(
    ("language", "query", "typed"),
    [
        ("en", "least=1.500,5&written=de", "1,500.50"),
        ("zh-hans", "least=1.500,5&written=de", "1,500.50"),
        ("de", "least=1500.5", "1.500,50"),
        ("en", "least=1500.5", "1,500.50"),
        ("en", "least=a lot", "a lot"),
    ],
)
def test_an_amount_of_a_kept_address_is_shown_as_its_reader_writes_it(
    days: LedgerHouse, language: str, query: str, typed: str
) -> None:
    client = logged_in("ines")
    session = client.session
    session["language"] = language
    session.save()
    page = client.get(f"/payouts/?{query}").content.decode()
    assert re.findall(r'name="least"[^>]*value="([^"]*)"', page) == [typed]
