"""Which rounds feed a prize, and the posted commission, typed on the page of the draft."""

import pytest

from jackpot.terms.commission import PercentageFee
from jackpot.terms.document import FedBy
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import parse
from jackpot.terms.required_evidence import BY_DEFAULT
from settlement.models import Proposal
from tests.support.pages.page_staff import refused, reply
from tests.support.pages.terms_draft import DRAFT, fragment, typed
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db


def build_house() -> ClaimHouse:
    return ClaimHouse(royal_terms() | {"evidence": dict(BY_DEFAULT)})


house = kept_house(build_house)


@pytest.mark.usefixtures("house")
def test_who_feeds_a_prize_is_typed_and_shown_in_words() -> None:
    fields = typed(
        royal_terms(),
        **{"prize-0-fed_decks": ["52", "36"], "prize-0-fed_stakes": "2-5, 5-10"},
    )
    _, text = fragment(DRAFT, fields)
    words = "rounds of Hold-em with the 52-card deck or 36-card deck, at stakes of 2-5 or 5-10"
    assert f"Royal Flush is fed by {words}." in text
    assert "New Royal Flush: is fed by rounds of – Hold-em with the 52-card deck or 36-" in text
    reply("sione", DRAFT, **fields)
    (tier,) = parse(Proposal.objects.get().body["terms"]).tiers
    assert tier.fed_by == FedBy(decks=(52, 36), stakes=("2-5", "5-10"))


@pytest.mark.usefixtures("house")
def test_a_commission_is_typed_and_shown_in_words() -> None:
    fields = {"commission_form": "percentage", "commission_percent": "5", "commission_amount": "10"}
    form_fields = typed(royal_terms()) | fields
    _, text = fragment(DRAFT, form_fields)
    assert "Commission: 5% of the called pot, at most NZD 10.00 a round; not where" in text
    reply("sione", DRAFT, **form_fields)
    terms = parse(Proposal.objects.get().body["terms"])
    assert terms.commission == PercentageFee(basis_points=500, cap=10 * MICROS)


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"commission_form": "percentage", "commission_percent": "4.99"}, "5% to 10%"),
        ({"commission_form": "percentage"}, "5% to 10%"),
        ({"commission_form": "per_hand"}, "Enter the amount."),
    ],
)
def test_a_commission_that_is_not_whole_is_refused(fields: dict[str, str], fault: str) -> None:
    assert fault in refused("sione", DRAFT, **typed(royal_terms()) | fields)
