"""What claims must show is posted on the page of new terms, and read there."""

import pytest

from jackpot.models import Terms
from jackpot.terms.money import MICROS
from settlement.models import Proposal
from tests.support.pages.page_staff import page_of, refused, reply
from tests.support.pages.terms_draft import DRAFT, house, typed
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.play.books import royal_terms

__all__ = ["house"]
pytestmark = pytest.mark.django_db


def test_two_people_post_what_is_asked_for(house: ClaimHouse) -> None:
    changes = {"evidence_surveillance": "1,000", "evidence_witness": "", "evidence_sealed": "2,000"}
    page = reply("sione", DRAFT, **typed(royal_terms(), **changes))
    before = "Above NZD 500.00: footage reviewed, deck counted by suits and winners identified"
    assert before in page
    after = (
        "Above NZD 500.00: deck counted by suits and winners identified; Above NZD 1,000.00:"
        " footage reviewed; Above NZD 2,000.00: bag number of the deck; Above NZD 5,000.00:"
        " layout photographed and display reading"
    )
    assert after in page
    reply("mere", f"/proposals/{Proposal.objects.get().pk}/agree/", password=PASSWORD)
    house.post()
    posted = Terms.objects.get(number=2).document["evidence"]
    assert posted["surveillance"] == 1_000 * MICROS
    assert "witness" not in posted
    assert after in page_of("sione", "/terms/main/house/")


def test_an_amount_that_moves_far_is_typed_again(house: ClaimHouse) -> None:
    fields = typed(royal_terms(), evidence_surveillance="5,000,000")
    page = refused("sione", DRAFT, **fields)
    assert "Asked for above: footage reviewed" in page
    assert "× 10,000" in page


def test_a_new_jackpot_begins_with_the_usual_list(house: ClaimHouse) -> None:
    page = page_of("sione", "/drafts/main/")
    assert "Evidence for a claim" in page
    assert "Winners identified" in page
