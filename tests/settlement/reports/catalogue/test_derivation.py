"""The derivation of many claims asks the database as often as that of one."""

from typing import Any

import pytest
from django.utils import timezone

from jackpot.models import Hit
from settlement.claims import services as claims
from settlement.core.gaming_day import day_of
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports.catalogue import reports
from settlement.reports.catalogue.derivation import pool_days
from settlement.reports.definitions.definition import Filters
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.cast import ALL_YES
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

house = kept_house(ConfirmedHouse, CLAIM_WAIT_S=0)


def confirm_another(house: ConfirmedHouse) -> None:
    house.hit_royal("t7")
    claim = Claim.objects.latest("number")
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    claims.verify(claim, person("sione"))
    held = Hit.objects.get(system=house.system, number=claim.number).held
    claims.confirm(claim, Reauthenticated(person("mere")), held)
    house.post()


def steps_of_today(house: ConfirmedHouse) -> list[dict[str, Any]]:
    hit = Hit.objects.select_related("system__casino").get(number=1)
    casino = hit.system.casino
    filters = Filters(casino, day_of(hit.at, casino), day_of(timezone.now(), casino))
    return reports()["derivation"].rows(filters, 1000)


def test_many_claims_cost_no_more_queries_than_one(
    house: ConfirmedHouse, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(100) as of_one:
        assert {row["claim"] for row in steps_of_today(house)} == {1}
    for _ in range(3):
        confirm_another(house)
    with django_assert_max_num_queries(len(of_one)):
        assert {row["claim"] for row in steps_of_today(house)} == {1, 2, 3, 4}


def test_each_claim_has_the_pool_of_its_own_place(house: ConfirmedHouse) -> None:
    """The pool opens at 1,000.00, each round adds 0.50, and each hit takes all of it."""
    confirm_another(house)
    hits = list(Hit.objects.select_related("system__casino", "tier").order_by("number"))
    pools = pool_days(hits)
    assert [pools[hit.number].before for hit in hits] == [hit.before_pool for hit in hits]
    cents = 10_000
    assert [(pools[n].opening, pools[n].fed, pools[n].other) for n in (1, 2)] == [
        (0, 50 * cents, 1_000_00 * cents),  # opened with the reset amount
        (0, 1_00 * cents, 999_50 * cents),  # less the first hit's 1,000.50, reset again
    ]
