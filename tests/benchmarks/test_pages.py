"""The benchmark of pages finds them all, weighs them, and names what is slow or heavy."""

from typing import Any

import pytest
from django.urls import URLPattern, get_resolver
from pytest_django import Settings

from benchmarks import page_addresses, pages, search, unmeasured_pages
from benchmarks.seed_data import create_seed_data
from settlement.models import Claim
from tests.support.suite.databases import FreshDatabase


def test_a_little_of_it_opens_every_page(
    fresh_database: FreshDatabase, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ROOT_URLCONF = settings.ROOT_URLCONF  # which the measurement exchanges
    monkeypatch.setenv("DATABASE_URL", fresh_database.url)
    monkeypatch.setattr(pages, "OPEN_CLAIMS", 2)
    monkeypatch.setattr(search, "CLAIMS", 3)
    create_seed_data(systems=1, tables=3)
    assert pages.prepare(500)["claims"] == Claim.objects.count() == 5
    figures = pages.measure(visits=2)
    names = {"home", "claim", "claim-cage", "pool", "table", "terms", "report", "audit-trail"}
    assert names <= figures["pages"].keys()
    assert unmeasured_pages.unlisted(figures["unseen"]) == []
    assert not any(what.startswith("5") for what in figures["unseen"].values())
    measured = {name: pages.Visits(**each) for name, each in figures["pages"].items()}
    assert all(len(each.times) == len(each.bare) == 2 for each in measured.values())
    parts = {"open-alarms"}  # of the overview, read alone
    assert {name for name, each in measured.items() if each.compressed < 1_000} == parts
    assert len(pages.render(measured).splitlines()) == len(measured) + 2


def test_what_is_slow_or_heavy_is_named() -> None:
    as_allowed = pages.Visits("/", [150.0] * 20, [10.0] * 20, 1, 9_000, 150_000)
    slow = pages.Visits("/slow/", [151.0] * 20, [10.0] * 20, 1, 9_000, 151_000)
    assert as_allowed.ratio == 15
    assert pages.misses({"home": as_allowed}) == []
    assert pages.misses({"home": as_allowed, "slow": slow}) == [
        "slow: p95 151 ms, limit 150 ms",
        "slow: 151 KB, limit 150 KB",
    ]


def test_a_page_that_nobody_measures_is_named() -> None:
    unseen = {"claim-note": "405", "webhook": "404", "brand-new": "404", "newer": "no number"}
    assert unmeasured_pages.unlisted(unseen) == [
        "brand-new: not measured (404)",
        "newer: not measured (no number)",
    ]


def test_reasons_are_of_addresses_that_are_there() -> None:
    addresses: set[str] = set()
    resolvers: list[Any] = [get_resolver("config.urls")]
    for resolver in resolvers:
        for each in resolver.url_patterns:
            if isinstance(each, URLPattern):
                addresses.add(each.name or "")
            else:
                resolvers.append(each)
    assert unmeasured_pages.REASONS.keys() <= addresses
    assert not [name for name in unmeasured_pages.REASONS if page_addresses.NO_PAGES.search(name)]
