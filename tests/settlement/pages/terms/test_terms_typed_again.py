"""Figures of terms that move far are typed again on the pages of both people."""

import pytest

from settlement.models import Proposal
from tests.support.pages.page_staff import page_of, post, refused, reply, words
from tests.support.pages.terms_draft import DRAFT, house, typed
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.play.books import royal_terms

__all__ = ["house"]
pytestmark = pytest.mark.django_db


def test_a_figure_that_moves_far_is_typed_again_by_both(house: ClaimHouse) -> None:
    """A reset amount of 25,000 where 1,200 was meant."""
    fields = typed(royal_terms(), **{"prize-0-reset": "25,000"})
    page = words(post("sione", DRAFT, **fields, preview="page"))
    assert "Royal Flush: reset amount NZD 1,000.00 NZD 25,000.00 × 25" in page
    assert "Royal Flush 1,000.00 1,000.00 1,000.00 25,000.00" in page  # what the next hit costs
    again = {"again-royal.reset": "2,500"}
    page = refused("sione", DRAFT, **fields)
    assert "Royal Flush: reset amount (× 25) Type the figure again." in page
    assert "This does not match the figure above" in refused("sione", DRAFT, **fields, **again)
    assert not Proposal.objects.exists()
    again = {"again-royal.reset": "25000"}
    page = reply("sione", DRAFT, **fields, **again)
    assert "Figures typed again by sione" in page
    number = Proposal.objects.get().pk
    page = page_of("mere", f"/terms-proposals/{number}/")
    assert "type them again, as they should be posted. Royal Flush: reset amount (× 25)" in page
    agree = f"/proposals/{number}/agree/"
    assert "Type again what moves" in reply("mere", agree, password=PASSWORD)
    reply("mere", agree, password=PASSWORD, **again)
    house.post()
    assert house.head.terms_number == 2
    assert "Figures typed again by mere" in page_of("tane", f"/terms-proposals/{number}/")


def test_terms_that_refuse_what_19_16_grants_are_pointed_out(house: ClaimHouse) -> None:
    fields = typed(royal_terms(), **{"prize-0-flop_seen": "on"})
    page = words(post("sione", DRAFT, **fields, preview="page"))
    assert "Royal Flush: refused what rule 19.16 grants." in page
    assert "a player who asks for the flop after all others have folded does not win" in page
    reply("sione", DRAFT, **fields)
    page = page_of("mere", f"/terms-proposals/{Proposal.objects.get().pk}/")
    assert "Royal Flush: refused what rule 19.16 grants." in page
    plain = words(post("sione", DRAFT, **typed(royal_terms()), preview="page"))
    assert "refused what rule" not in plain
