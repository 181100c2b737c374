"""The page of a claim asks for things where a point claims one, and says where they are given."""

import re

import pytest
from pytest_django import Settings

from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from simulation import answers
from tests.support.cases.claims.asked_for import SUITS, identify, review
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import (
    ADDRESS,
    ALL_YES,
    confirm,
    logged_in,
    page_of,
    refused,
    reply,
)
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
OF_THE_BAG = {"sealed": "yes", "sealed-bag": "H-2231"}
OF_THE_DECK = {"deck_counted": "yes"} | {f"deck_counted-{s}": str(n) for s, n in SUITS.items()}


def build_house() -> ClaimHouse:
    """A claim of 1,001.00; the bag is asked for above 1,001.00, all but the witness above 0."""
    evidence = dict.fromkeys(("surveillance", "deck_counted", "identity"), 0)
    house = ClaimHouse(royal_terms() | {"evidence": {**evidence, "sealed": 1_001 * MICROS}})
    house.hit_royal()
    claims.catch_up(house.system)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def test_what_is_asked_for_stands_with_the_rest_and_what_is_not_stands_apart(
    house: ClaimHouse,
) -> None:
    page = page_of("sione")
    assert "13 of 13 to answer" in page
    required, _, further = page.partition("Not asked for this amount: 4 items")
    assert "Surveillance reviewed the round" in required
    assert "Add the review of the footage" in required
    assert "Identify the player" in required
    assert "Deck sealed, bag number noted" in further


def test_a_point_leads_to_the_form_that_answers_it(house: ClaimHouse) -> None:
    page = logged_in("sione").get(ADDRESS).content.decode()
    for form, point in (("add-footage", "the review of the footage"), ("add-file", "photograph")):
        (link,) = re.findall(rf'<a class="tap"\s+href="#{form}">\s*(.*?)\s*</a>', page)
        assert point in link
        assert f'<details class="more" id="{form}">' in page


def test_what_is_missing_is_said_at_its_point(house: ClaimHouse) -> None:
    yes = {**ALL_YES, "surveillance": "yes", "identity": "yes", "deck_counted": "yes"}
    page = refused("sione", do="verify", **yes)
    assert "3 answers were not saved. Each item says what is missing." in page
    assert "Add the review of the footage under Evidence first." in page
    assert "Identify the player of seat 3 under Evidence first." in page
    assert "Tick the cards off, or type how many of each suit remain." in page
    assert "3 of 13 to answer" in page
    identify()
    review()
    rest = {"surveillance": "yes", "identity": "yes"}
    wrong = refused("sione", do="verify", **rest, **OF_THE_DECK | {"deck_counted-s": "7"})
    assert "7 spades where 8 must remain" in wrong
    assert "Verified." in reply("sione", do="verify", **OF_THE_DECK)
    answer = Claim.objects.get().answers.get(item="deck_counted")
    assert answer.evidence == {"suits": SUITS}
    page = page_of("mere")
    assert "8 spades, 13 hearts, 12 diamonds, 12 clubs" in page


def test_what_was_typed_is_kept_and_changed_by_typing_again(house: ClaimHouse) -> None:
    assert "One answer was saved." in reply("sione", do="checklist", **OF_THE_BAG)
    stored = {"sealed-seen": str(Claim.objects.get().answers.get().pk)}
    same = reply("sione", do="checklist", **OF_THE_BAG, **stored)
    assert "Nothing was changed." in same
    reply("sione", do="checklist", **OF_THE_BAG | {"sealed-bag": "H-2232"}, **stored)
    newest = Claim.objects.get().answers.order_by("pk").last()
    assert newest is not None
    assert newest.evidence == {"bag": "H-2232"}


def test_a_no_with_its_reason_is_read_by_whoever_confirms(house: ClaimHouse) -> None:
    answers.answer(Claim.objects.get(), person("sione"))
    why = {"surveillance": "no", "surveillance-note": "Camera 12 was dark"}
    reply("sione", do="verify", **why)
    assert "Surveillance reviewed the round: Camera 12 was dark" in page_of("mere")
    confirm(house)
    assert house.hit(1).state == "confirmed"


def test_a_supplement_says_what_the_whole_asks_for(settings: Settings) -> None:
    """1,001.00 confirmed, then 1,101.00 in all: the bag is asked for above 1,001.00."""
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    house = ClaimHouse(royal_terms() | {"evidence": {"sealed": 1_001 * MICROS}})
    house.open("t3")
    for _ in range(200):
        house.press("t3")
    house.hit_royal()
    house.hit_royal("t7")
    claims.catch_up(house.system)
    address = "/claims/main/2/"
    reply("sione", address, do="verify", **ALL_YES)
    reply("mere", address, do="confirm", amount=1_001 * MICROS, password=PASSWORD)
    house.post()
    first = Claim.objects.get(number=1)
    claims.propose_rejection(
        first, person("anahera"), reason="R04", evidence="camera 12", affected=True
    )
    claims.second_rejection(first, Reauthenticated(person("david")))
    house.post()
    more = "The terms require more at this amount: Deck sealed, bag number noted, above NZD 1,001"
    page = page_of("mere", address)
    assert more in page
    assert "You confirm a supplement" not in page
    reply("sione", address, do="checklist", **OF_THE_BAG)
    page = page_of("mere", address)
    assert more not in page
    assert "You confirm a supplement NZD 100.00" in page
