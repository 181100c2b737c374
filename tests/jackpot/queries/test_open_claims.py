"""A list's answers about open claims are the fold's own: those of the books that it would load."""

import pytest
from pytest_django import DjangoAssertNumQueries

from jackpot.domain.payout.competing_claims import CompetingClaims
from jackpot.models import Hit
from jackpot.queries.open_claims import OpenClaims
from jackpot.storage.loading import Plan, load
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.pages.page_staff import confirm, verify
from tests.support.people.cast import ROYAL, ClaimHouse

pytestmark = pytest.mark.django_db
CALLS = (("t3", "steel"), ("t7", "royal"), ("t3", None), ("t7", "steel"), ("t3", "royal"))


def called(house: ClaimHouse) -> None:
    """Hands for one prize, for the other and for one that nobody knows, in turn."""
    for table, tier in CALLS:
        if table not in house.seqs:
            house.open(table)
        house.press(table)
        house.call(table, tier)
    house.post()


def by_the_books(house: ClaimHouse) -> dict[int, tuple[int, ...]]:
    numbers = set(Hit.objects.values_list("number", flat=True))
    claims = CompetingClaims(load(house.head, Plan(hits=numbers, with_closes=False)).books)
    return {
        number: tuple(other.number for other in claims.before(claims.books.hits[number]))
        for number in numbers
    }


def by_the_list(house: ClaimHouse) -> dict[int, tuple[int, ...]]:
    claims = OpenClaims([house.system.pk])
    rows = Hit.objects.select_related("tier", "table", "system__casino")
    return {row.number: claims.before(row) for row in rows}


def test_each_waits_for_whom_the_books_say() -> None:
    house = ClaimHouse(each_terms())
    called(house)
    expected = by_the_books(house)
    assert expected[1] == ()
    assert expected[2] == (1,)
    assert 2 in expected[5]
    assert by_the_list(house) == expected


def test_a_decided_claim_keeps_earlier_hands_from_its_prize() -> None:
    """What turns out to be for that prize later acts where that becomes known, behind it."""
    house = ClaimHouse(each_terms())
    house.open("t3")
    house.press("t3")
    house.call("t3", None)
    house.hit_royal("t7")
    house.post()
    assert by_the_list(house)[2] == by_the_books(house)[2] == (1,)
    verify(house, number=2)
    confirm(house, number=2)
    house.press("t3")
    house.call("t3", "royal")
    house.post()
    newest, expected = Hit.objects.order_by("-number")[0].number, by_the_books(house)
    assert 1 not in expected[newest]
    assert by_the_list(house) == expected


def test_the_rules_are_asked_once_and_the_cost_is_fixed(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    house = ClaimHouse(each_terms())
    called(house)
    house.report("t3", ROYAL)
    house.post()
    claims = OpenClaims([house.system.pk])
    rows = list(Hit.objects.select_related("tier", "table", "system__casino"))
    with django_assert_num_queries(3):
        assert [claims.before(row) for row in rows] == [claims.before(row) for row in rows]
        verdicts = [claims.verdict(row) for row in rows]
    assert [verdict is not None for verdict in verdicts] == [row.report is not None for row in rows]
