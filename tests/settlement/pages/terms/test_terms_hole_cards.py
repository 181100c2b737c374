"""What is asked of hole cards by kind of hand, on the page where terms are drafted (19.5)."""

from typing import Any

import pytest

from jackpot.terms.posted_terms import parse
from settlement.models import Proposal
from settlement.pages.terms.document import document_of
from settlement.pages.terms.forms import JackpotForm, PrizeForms
from tests.support.cases.hands.bad_beats import bad_beat
from tests.support.pages.page_staff import refused, reply
from tests.support.pages.terms_draft import DRAFT, KEY, as_posted, typed
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db


house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


@pytest.mark.parametrize(
    "document",
    [
        royal_terms(
            qualifying={
                "weakest": {"category": "three_of_a_kind"},
                "by_category": {
                    "royal_flush": {},
                    "straight_flush": {"hole_cards_playing": 2},
                    "four_of_a_kind": {"pair_in_hole": True},
                    "full_house": {"hole_cards_playing": 1},
                    "three_of_a_kind": {"hole_cards_playing": 2, "kicker_counts": False},
                },
                "games": ["holdem"],
            }
        ),
        bad_beat(
            qualifying={
                "kind": "bad_beat",
                "losing": {"category": "full_house"},
                "beaten_by": {"category": "four_of_a_kind"},
                "by_category": {"four_of_a_kind": {"pair_in_hole": True}},
                "games": ["holdem"],
            }
        ),
    ],
)
def test_a_document_survives_the_form(document: dict[str, Any]) -> None:
    values = typed(document, key=KEY)
    form = JackpotForm(as_posted(values), tables=[], is_new=False, digits=2)
    prizes = PrizeForms(as_posted(values), prefix="prize", form_kwargs={"digits": 2})
    assert form.is_valid()
    assert prizes.is_valid()
    assert parse(document_of(form, prizes, 2)) == parse(document)


def test_what_nothing_can_meet_is_refused_with_the_reason(house: ClaimHouse) -> None:
    page = refused("sione", DRAFT, **typed(royal_terms(), **{"prize-0-hole_cards_playing": "pair"}))
    assert "Royal Flush: No hand can win this: a royal flush holds no pair" in page
    beaten = bad_beat()
    page = refused(
        "sione",
        DRAFT,
        **typed(beaten, **{"prize-1-losing_category": "royal_flush"})
        | {"prize-1-losing_ranks": ""},
    )
    assert "Bad Beat: Nothing beats a royal flush" in page
    page = refused("sione", DRAFT, **typed(royal_terms(), **{"prize-0-of_flush": "2"}))
    assert "A flush is too low to win" in page
    assert not Proposal.objects.exists()


def test_hole_cards_by_kind_of_hand_are_posted(house: ClaimHouse) -> None:
    """Four of a kind with a pocket pair, or any straight flush with both hole cards playing."""
    fields = {
        "prize-0-category": "four_of_a_kind",
        "prize-0-hole_cards_playing": "2",
        "prize-0-of_four_of_a_kind": "pair",
    }
    page = reply("sione", DRAFT, **typed(royal_terms(), **fields))
    assert (
        "Four of a kind, or any higher hand, qualifies in Hold-em. For four of a kind two hole"
        " cards that are a pair must play. For any other hand two hole cards must play." in page
    )
    (body,) = Proposal.objects.values_list("body", flat=True)
    (tier,) = body["terms"]["tiers"]
    assert tier["qualifying"]["by_category"] == {"four_of_a_kind": {"pair_in_hole": True}}
