"""A claim that is in question by its clock: its page, the overview, the list, the handover."""

import pytest
from pytest_django import Settings

from settlement.claims import services as claims
from settlement.models import Proposal
from tests.support.cases.hands.clocked_hands import ClockHouse, two_in_question
from tests.support.pages.page_staff import ADDRESS, cashed, confirm, page_of, reply, verify
from tests.support.people.cast import PASSWORD
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
OTHER = "/claims/main/2/"


def build_house() -> ClockHouse:
    house = ClockHouse()
    two_in_question(house)
    claims.catch_up(house.system)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def test_the_page_says_why_with_both_clocks_and_what_either_order_pays(house: ClockHouse) -> None:
    page = page_of("tane")
    assert "The order of this claim is in question." in page
    assert "This hand was recorded first." in page
    assert "By the corrected clocks, MAIN-2 came 2.000 s before this hand." in page
    one, other = (house.hit(number).held // 10**6 for number in (1, 2))
    assert f"This claim is worth NZD {one:,}.00; in the other order it would be {other:,}" in page
    assert "Order in question" in page
    near = page.partition("Other recent hands")[2]
    assert near.count("0.000 s behind, ± 0.000 s, by 15 events") == 2
    page = page_of("tane", OTHER)
    assert "MAIN-1 (Table 3) was recorded first." in page
    assert "MAIN-1 came 2.000 s after this hand." in page
    assert "In question with MAIN-1" not in page
    assert "put the order in question" in page.lower()
    assert "By the clocks, with claim MAIN-1." in page
    for address in (f"{ADDRESS}print/", f"{OTHER}print/"):
        assert "The order of this claim is in question." in page_of("ines", address)


def test_the_overview_and_the_lists_show_the_flag(house: ClockHouse) -> None:
    board = page_of("mere", "/")
    assert "Disputed, held by the regulator, or in question" in board
    assert board.count("Order in question") >= 2
    assert "Order in question" in page_of("tane", "/claims/")
    assert "its order in question" in page_of("sione", "/handover/")
    table = page_of("tane", "/tables/main/t7/")
    assert "table clocks suggest a different order: both claims are on hold" in table


def test_a_manager_proposes_and_compliance_decides(house: ClockHouse) -> None:
    verify(house)
    assert "You confirm" not in page_of("mere")
    assert "The order in question stops this claim" in page_of("mere")
    for name in ("sione", "ines"):
        assert "Propose to settle it" not in page_of(name)
        assert "Settled on a proposal of a casino manager, by compliance" in page_of(name)
    assert "Propose to settle it" in page_of("mere")
    end = f"{ADDRESS}stops/{house.hit(1).stops[0]['entry']}/end/"
    page = reply("mere", end, finding="Camera 4: table 3 called while table 7 was dark")
    assert "stays stopped until somebody else approves it" in page
    assert "Camera 4: table 3 called" in page_of("ines")
    assert "mere proposes to settle an order in question" in page_of("ines", "/")
    assert "Approve: resume the claim" not in page_of("david")  # it is not for a manager
    assert "Approve: resume the claim" in page_of("ines")
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    reply("ines", agree, password=PASSWORD)
    house.post()
    page = page_of("david")
    assert "The order of this claim is in question" not in page
    assert "You confirm" in page
    assert "Agreed to settle the order in question" in page
    assert "Order in question settled" in page
    assert "The order of this claim is in question" in page_of("tane", OTHER)  # has its own end
    confirm(house)
    assert house.hit(1).state == "confirmed"


def test_a_claim_that_is_closed_shows_it_too(settings: Settings) -> None:
    """Table 3 was paid before table 7 was heard, whose dealer had called first."""
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    house = ClockHouse()
    house.warm_up("t3", "t7")
    house.cut_off("t7")
    house.call("t7")
    house.hit_royal("t3")
    verify(house)
    confirm(house)
    cashed(house.hit(1).held // 10**6)
    house.post()
    assert house.hit(1).state == "paid"
    assert "in question" not in page_of("mere", "/")
    house.is_back("t7")
    house.post()
    assert "The order of this claim is in question" in page_of("tane")
    assert "Closed Order in question" in page_of("mere", "/")
