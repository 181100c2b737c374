"""The benchmark of reports has claims that people settled, and drop that they counted."""

import pytest
from pytest_django import Settings

from benchmarks import office_work, paid_claims, reports, search
from benchmarks.seed_data import create_seed_data
from tests.support.suite.databases import FreshDatabase


def test_a_little_of_it_fills_the_reports(
    fresh_database: FreshDatabase, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CLAIM_WAIT_S = 0
    settings.JURISDICTIONS = {"bench": "new_zealand"}
    monkeypatch.setenv("DATABASE_URL", fresh_database.url)
    monkeypatch.setattr(paid_claims, "CLAIMS", 2)
    for what in ("ADJUSTMENTS", "INCIDENTS", "TERMS_CHANGES"):
        monkeypatch.setattr(office_work, what, 2)
    for module in (office_work, reports):
        monkeypatch.setattr(module, "UNCLAIMED", 1)
    monkeypatch.setattr(reports, "COUNTED_DAYS", 2)
    monkeypatch.setattr(reports, "CORRECTED_DAYS", 1)
    monkeypatch.setattr(search, "CLAIMS", 3)
    create_seed_data(systems=1, tables=3)
    assert reports.prepare(1_000)["claims"] == 2
    rows = reports.measure()["rows"]
    assert (rows["hit-register"], rows["payouts"], rows["tax-and-cash-reports"]) == (3, 2, 2)
    assert rows["derivation"] > 20
    assert (rows["adjustments"], rows["significant-events"], rows["unclaimed"]) == (2, 2, 1)
    assert rows["terms-changes"] == 2 * 2
    assert rows["drop"] == 2 * 3  # the bank stands in the report of liability
    assert rows["prior-period"] == 3 + 1
