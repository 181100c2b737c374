"""Which rounds feed a prize, typed on the page of the draft."""

import pytest
from pytest_django import Settings

from jackpot.fed_by import FedBy
from jackpot.terms import parse
from settlement.models import Proposal
from tests.jackpot.books import royal_terms
from tests.pages.staff import told
from tests.pages.test_terms_draft import DRAFT, fragment, typed
from tests.settlement.cast import ClaimHouse

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(settings: Settings) -> ClaimHouse:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return ClaimHouse()


@pytest.mark.usefixtures("house")
def test_who_feeds_a_prize_is_typed_and_shown_in_words() -> None:
    given = typed(
        royal_terms(),
        **{"prize-0-fed_decks": ["52", "36"], "prize-0-fed_stakes": "2-5, 5-10"},
    )
    _, text = fragment(DRAFT, given)
    words = "rounds of Hold-em with the 52-card deck or 36-card deck, at stakes of 2-5 or 5-10"
    assert f"Royal Flush is fed by {words}." in text
    assert "New Royal Flush: is fed by rounds of – Hold-em with the 52-card deck or 36-" in text
    told("sione", DRAFT, **given)
    (tier,) = parse(Proposal.objects.get().body["terms"]).tiers
    assert tier.fed_by == FedBy(decks=(52, 36), stakes=("2-5", "5-10"))
