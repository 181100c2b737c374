"""Skipping what halted a system, on the reconciliation page."""

import pytest
from django.utils import timezone

from jackpot.models import Head, SkipDecision
from settlement.models import SkipProposal
from tables.models import TableEvent
from tests.support.pages.page_staff import logged_in, page_of, reply
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PAGE = "/reconciliation/"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


@pytest.fixture
def halted(house: ClaimHouse) -> ClaimHouse:
    event = TableEvent.objects.order_by("-id")[0]
    Head.objects.update(
        halted_at=timezone.now(),
        halted_on="hand_reported (t3, boot 1, seq 9)",
        halted_event=event.pk,
    )
    return house


def test_one_proposes_and_another_agrees_with_the_password(halted: ClaimHouse) -> None:
    page = page_of("sione", PAGE)
    assert "before hand_reported (t3, boot 1, seq 9)" in page
    assert "it opens no claim" in page
    assert "Enter why it cannot wait" in reply("sione", "/halts/main/propose/", reason=" ")
    page = reply("sione", "/halts/main/propose/", reason="support is asleep")
    assert "Proposed: a second person must approve it" in page
    assert "Somebody else must approve it." in page
    assert "not your password" in reply("mere", "/halts/main/agree/", password="guess")
    assert not SkipDecision.objects.exists()
    page = reply("mere", "/halts/main/agree/", password=PASSWORD)
    assert "Skipped: Main floor posts again in a moment." in page
    row = SkipDecision.objects.get()
    assert (row.first, row.second, row.reason) == ("sione", "mere", "support is asleep")
    page = reply("mere", "/halts/main/agree/", password=PASSWORD)
    assert "Two people have skipped it already" in page


def test_nobody_agrees_with_themselves(halted: ClaimHouse) -> None:
    reply("mere", "/halts/main/propose/", reason="support is asleep")
    page = reply("mere", "/halts/main/agree/", password=PASSWORD)
    assert "You proposed to skip this: somebody else must approve it." in page
    assert not SkipDecision.objects.exists()


def test_only_those_who_may(halted: ClaimHouse) -> None:
    assert logged_in("aroha").post("/halts/main/propose/", {"reason": "x"}).status_code == 403
    assert logged_in("sione").post("/halts/main/agree/", {"password": "x"}).status_code == 403
    assert not SkipProposal.objects.exists()


def test_a_halt_that_names_nothing_says_so(halted: ClaimHouse) -> None:
    Head.objects.update(halted_event=None, halted_on="an entry that could not be read")
    assert "nothing can be skipped: call technical support" in page_of("mere", PAGE)
    assert "names no single event" in reply("mere", "/halts/main/propose/", reason="x")


def test_a_system_that_posts_has_nothing_to_skip(house: ClaimHouse) -> None:
    assert "is not halted" in reply("mere", "/halts/main/propose/", reason="x")
