"""Suspending and closing as the writer posts them: rows, reconciliation and verifier agree."""

import pytest
from django.db import connection

from jackpot.models import Entry, Terms, Tier
from jackpot.terms.money import MICROS
from settlement.audit.reconciliation import reconcile
from settlement.pools.status import posted_terms
from tests.support.cases.terms.seasons import season
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from verifier.check import look

pytestmark = pytest.mark.django_db
SOURCES = [
    {"source": "per_round", "amount": MICROS // 2},
    {"source": "commission", "basis_points": 500, "into": "reserve"},
    {"source": "drop", "basis_points": 10_000},
]
STEPS = [{"pot_from": 20 * MICROS, "take": MICROS}]


def test_a_season_agrees_with_itself_and_with_the_verifier() -> None:
    terms = {**royal_terms(increments=SOURCES), "funding": "players", "drop_steps": STEPS}
    house = House(terms)
    for table in ("t3", "t7"):
        house.open(table)
    season(house, terms)
    without_people = [
        f"entry {entry.seq}: close_tier"
        for entry in Entry.objects.filter(type="close_tier", outcome__refused__isnull=True)
    ]  # the house makes no proposals
    differences = reconcile(house.system, whole=True).differences
    assert [line.partition(" names")[0] for line in differences] == without_people
    house.poster.give_up()
    house.poster = type(house.poster)("another writer")  # which reads the books from the rows
    house.press("t3")
    house.call("t3", tier="quads")
    house.post()
    assert reconcile(house.system, whole=True).differences == differences
    report = look(connection.connection, with_actions=False)
    assert report.ok, report.lines()
    newest = Terms.objects.latest("number")
    assert newest.document["closed"] == {"quads": "royal:pool"}
    assert Tier.objects.count() == 2
    (versions,) = posted_terms([house.system]).values()
    assert [len(version.terms.tiers) for version in versions] == [1, 2, 2, 2, 2, 2, 1]
