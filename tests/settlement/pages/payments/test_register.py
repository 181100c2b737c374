"""The register of payouts as people read it and take it away."""

import re

import pytest
from django.contrib.auth.models import User

from tests.support.pages.page_ledger import LedgerHouse, report_behind
from tests.support.pages.page_staff import logged_in, page_of

pytestmark = pytest.mark.django_db


def test_the_register_names_three_people_and_all_parts(days: LedgerHouse) -> None:
    User.objects.filter(username="aroha").update(first_name="Aroha", last_name="Ngata")
    page = page_of("aroha", "/payouts/")
    assert "MAIN-2" in page
    assert "Verified: sione Confirmed: mere Paid: Aroha Ngata" in page
    (row,) = report_behind(logged_in("ines").get("/payouts/").content.decode())
    held = days.hit(2).held
    assert (row["amount_micros"], row["claim"]) == (held, 2)
    assert row["chips_micros"] + row["cash_micros"] == held
    assert (row["tier"], row["paid_by"]) == ("royal", "Aroha Ngata")


def test_days_and_systems_narrow_it(days: LedgerHouse) -> None:
    assert "No payments in this period" in page_of("ines", "/payouts/?to=2026-10-30")
    assert "MAIN-2" in page_of("ines", "/payouts/?system=main&from=2026-10-30")
    for query, claims in (
        ("", [2]),
        ("?from=2030-01-01", []),
        ("?to=2026-10-30", []),
        ("?system=main&person=aroha", [2]),
        ("?least=1.00", [2]),
        ("?least=99999", []),
        ("?most=1,00&written=de", []),
        ("?least=99.999,50&most=1&written=de", [2]),
    ):
        page = logged_in("ines").get(f"/payouts/{query}").content.decode()
        assert [row["claim"] for row in report_behind(page)] == claims


def test_a_part_is_never_taken_for_the_whole(days: LedgerHouse) -> None:
    """On paper with its totals and signatures."""
    query = "?system=main&least=1.00&most=99999&person=mere"
    page = page_of("ines", f"/payouts/{query}")
    for words in ("Only system Main", "Only amounts of 1.00 and more.",
                  "Only amounts of 99,999.00 and less.", "Only where mere took part."):  # fmt: skip
        assert words in page
    assert "Only " not in page_of("ines", "/payouts/")


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
