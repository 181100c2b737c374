"""Adjusting a pool on its page."""

import pytest
from django.core.management import call_command

from settlement.models import Proposal
from tests.support.cases.terms.adjustments import FORM, FORM_VALUES, POOL
from tests.support.pages.page_staff import logged_in, page_of, post, refused, reply, words
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
WAYS = ("approve", "agree")

DOWN = {**FORM_VALUES, "way": "down", "mark": "pool -25500000", "below_reset": "The season is over"}


house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def test_one_proposes_and_another_agrees_with_the_password(house: ClaimHouse) -> None:
    assert "A06 Count variance" in page_of("sione", FORM)
    page = words(post("sione", FORM, **{**FORM_VALUES, "mark": ""}))
    assert "Pool now NZD 1,000.00 After the adjustment NZD 1,025.50" in page
    assert not Proposal.objects.exists()
    page = reply("sione", FORM, **FORM_VALUES)
    assert "nothing moves until somebody else approves it" in page
    assert "Pool up by NZD 25.50 from the drop" in page
    assert "somebody else must approve it" in page
    assert "1,000.00 now 1,025.50 if approved now" in page
    assert "1,000.00 now 1,025.50 if approved now" in page_of("mere", POOL)
    assert "sione proposes to adjust a pool" in (page := page_of("mere", "/"))
    assert "Royal Flush, Main floor" in page
    proposal = Proposal.objects.get()
    agree = f"/proposals/{proposal.pk}/agree/"
    assert "not your password" in reply("mere", agree, password="guess")
    assert "Agreed and queued" in reply("mere", agree, password=PASSWORD)
    house.post()
    page = page_of("tane", POOL)
    assert "A06 Count variance Count sheet 17" in page
    assert "mere agreed" in page
    assert "1,000.00 1,025.50 Posted" in page
    assert "Adjusted up from the drop" in page
    assert "proposes to adjust" not in page_of("mere", "/")
    assert "Adjusted up" in page_of("tane", f"{POOL}?kind=adjustments")


def test_what_is_missing_is_said_beside_it(house: ClaimHouse) -> None:
    page = refused("sione", FORM, into="pool", way="down", source="drop", amount="0")
    assert "An adjustment of zero changes nothing." in page
    assert "Choose one of the reasons." in page
    assert "Enter the evidence." in page
    assert "This is not an amount" in refused("sione", FORM, **{**FORM_VALUES, "amount": "lots"})
    assert "Enter the amount." in refused("sione", FORM, **{**FORM_VALUES, "amount": ""})
    assert not Proposal.objects.exists()


def test_it_can_be_withdrawn(house: ClaimHouse) -> None:
    reply("sione", FORM, **DOWN)
    withdraw = f"/proposals/{Proposal.objects.get().pk}/withdraw/"
    assert "Enter why the proposal is withdrawn" in reply("sione", withdraw, note="")
    page = reply("sione", withdraw, note="The count was right")
    assert "Pool down by NZD 25.50 back to the drop" in page
    assert "Withdrawn sione" in page
    assert "The count was right" in page


def test_only_those_who_may(house: ClaimHouse) -> None:
    assert logged_in("aroha").get(FORM).status_code == 403
    assert "Adjust" not in page_of("aroha", POOL).split("Transactions")[0]
    reply("mere", FORM, **FORM_VALUES)
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "You proposed this" in reply("mere", agree, password=PASSWORD)
    assert "Your role does not allow this" in reply("sione", agree, password=PASSWORD)
    assert logged_in("mere").post("/proposals/99/agree/").status_code == 404


def test_more_than_is_there_or_too_low_a_pool_is_said_before_it_is_proposed(
    house: ClaimHouse,
) -> None:
    down = {**DOWN, "below_reset": ""}
    page = refused("sione", FORM, **down)
    assert "Pool now NZD 1,000.00 After the adjustment NZD 974.50" in page
    assert "below its reset amount of 1,000.00: say why in a reason of its own" in page
    page = refused("sione", FORM, **{**DOWN, "amount": "1,000.01", "mark": "pool -1000010000"})
    assert "The pool holds 1,000.00: 1,000.01 cannot be taken back" in page
    assert not Proposal.objects.exists()
    assert "Pool left low: The season is over" in reply("sione", FORM, **DOWN)


def test_what_became_impossible_is_said_where_people_agree(house: ClaimHouse) -> None:
    reply("sione", FORM, **{**DOWN, "amount": "1,000.00", "mark": "pool -1000000000"})
    reply("sione", FORM, **DOWN)
    second, first = Proposal.objects.order_by("-id")
    reply("mere", f"/proposals/{first.pk}/agree/", password=PASSWORD)
    house.post()
    assert "Would be refused now: The pool holds 0.00" in page_of("mere", POOL)
    reply("mere", f"/proposals/{second.pk}/agree/", password=PASSWORD)
    house.post()
    page = page_of("mere", POOL)
    assert "Declined The pool holds 0.00: 25.50 cannot be taken back." in page
    assert house.balance("royal:pool") == 0


def test_a_large_one_takes_two_managers(house: ClaimHouse) -> None:
    call_command("set_second_manager", "harbour", "25", "--first=mere", "--second=david")
    reply("sione", FORM, **FORM_VALUES)
    approve, agree = (f"/proposals/{Proposal.objects.get().pk}/{action}/" for action in WAYS)
    assert "Waits for the first of two managers" in page_of("mere", POOL)
    assert "takes two managers" in reply("mere", agree, password=PASSWORD)
    page = reply("mere", approve, password=PASSWORD)
    assert "Approved: nothing moves until another manager agrees." in page
    assert "You approved this: another manager must agree." in page
    assert "Waits for the second manager" in page_of("david", POOL)
    assert "another manager must agree" in reply("mere", agree, password=PASSWORD)
    reply("david", agree, password=PASSWORD)
    house.post()
    page = page_of("david", POOL)
    assert "mere approved" in page
    assert "david agreed" in page
    assert house.balance("royal:pool") == 1_025_500_000
