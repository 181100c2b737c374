"""The register of payouts, narrowed: whole payments with what came back, and who took part."""

from typing import Any

import pytest
from django.test import RequestFactory

from settlement.claims import services as claims
from settlement.claims.decisions import reversals
from settlement.core.gaming_day import Days
from settlement.core.report_query import Report
from settlement.models import Claim
from settlement.pages.payments.register import SORTS
from settlement.pages.shared.lists.cursor import page_of_report
from settlement.payments.register import Chosen, payout_register, totals
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Casino
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.settlement_entered_hands import HAND
from tests.support.people.cast import ALL_YES, ROYAL, ClaimHouse

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def narrowed(house: ClaimHouse, chosen: Chosen) -> tuple[int, int, int]:
    """Payouts, reversals and the amount of both together."""
    sums = totals(payout_register(house.system.casino, Days(), chosen=chosen))
    return sums["payouts"], sums["reversals"], sums["amount_micros"]


def assert_pages_are_the_whole(register: Report) -> None:
    """Row by row, though a page is chosen without looking at who took part."""
    address, rows = "/payouts/", []
    while address:
        page = page_of_report(RequestFactory().get(address), register, SORTS[0].columns, 1)
        rows += page.rows
        address = page.next
    assert rows == register.rows(10)[::-1]


def test_a_reversal_stands_beside_what_it_takes_away_from() -> None:
    house = ConfirmedHouse()
    claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": house.amount})
    house.post()
    claims.catch_up(house.system)
    fields: dict[str, Any] = {
        "reason": "R13",
        "evidence": "Camera 4",
        "recovered": {"cash": house.amount},
    }
    proposal = reversals.propose(house.claim, person("anahera"), **fields)
    reversals.agree(proposal, Reauthenticated(person("david")))
    house.post()
    assert narrowed(house, Chosen()) == (1, 1, 0)
    assert narrowed(house, Chosen(least=house.amount)) == (1, 1, 0)
    assert narrowed(house, Chosen(most=house.amount)) == (1, 1, 0)
    assert narrowed(house, Chosen(least=house.amount + 1)) == (0, 0, 0)
    assert narrowed(house, Chosen(most=house.amount - 1)) == (0, 0, 0)
    assert narrowed(house, Chosen(person="david")) == (0, 1, -house.amount)
    for chosen in (Chosen(), Chosen(least=house.amount), Chosen(person="aroha")):
        assert_pages_are_the_whole(payout_register(house.system.casino, Days(), chosen=chosen))


def test_who_took_part_is_whom_the_row_names() -> None:
    """A report that was corrected is verified again: the first verification no longer counts."""
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    claim = Claim.objects.get()
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    claims.verify(claim, person("sione"))
    report = {"boards": [ROYAL[1].split()], "hands": [HAND]}
    claims.amend(claim, person("anahera"), report)
    house.post()
    person("nobody").groups.set(person("sione").groups.all())
    claims.verify(claim, person("nobody"))
    held = house.hit(1).held
    claims.confirm(claim, Reauthenticated(person("mere")), held)
    house.post()
    claims.pay(claim, Reauthenticated(person("aroha")), 1, {"cash": held})
    house.post()
    claims.catch_up(house.system)
    (row,) = payout_register(house.system.casino, Days()).rows(10)
    assert row["verified_by"] == "nobody"
    for name, count in (("sione", 0), ("nobody", 1), ("mere", 1), ("aroha", 1), ("david", 0)):
        assert narrowed(house, Chosen(person=name)) == (count, 0, count * held), name


def test_totals_look_at_nobodys_acts() -> None:
    """Ten thousand payments are added up and sorted without what each of them was based on."""
    casino = Casino.objects.get(pk=ClaimHouse().system.casino_id)
    register = payout_register(casino, Days(), "main", Chosen(least=1, most=2))
    acts = ("settlement_action", "jackpot_terms", "confirm_claim")
    assert all(each in register.query.as_string() for each in acts)
    assert not any(each in register.shortest.as_string() for each in acts)
