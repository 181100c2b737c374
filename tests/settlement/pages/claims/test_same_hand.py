"""Claims of one hand for several prizes: how each page names the others (rule 9)."""

import pytest
from pytest_django import Settings

from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.models import Claim
from tables.protocol import messages
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.pages.page_staff import page_of
from tests.support.people.cast import ROYAL, ClaimHouse
from tests.support.suite.kept_house import kept_house


def build_house() -> ClaimHouse:
    house = ClaimHouse(each_terms())
    house.open("t3")
    house.press("t3")
    house.report("t3", ROYAL)
    house.post()
    claims.catch_up(house.system)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def page(house: ClaimHouse, number: int, name: str = "mere") -> str:
    return page_of(name, f"/claims/main/{number}/")


def test_each_claim_names_the_others(house: ClaimHouse) -> None:
    first, second = page(house, 1), page(house, 2)
    assert "One hand, several prizes." in first
    assert "MAIN-2: Straight Flush , NZD 205.00 Reported" in first
    assert "MAIN-1: Royal Flush , NZD 1,001.00 Reported" in second
    assert "reserved for Straight Flush" in second  # the entry names claim 1


@pytest.mark.parametrize(("reason", "warns"), [("R04", True), ("R12", False)])
def test_a_fault_of_the_hand_is_said_on_its_other_claims(
    house: ClaimHouse, reason: str, warns: bool
) -> None:
    house.decide("reject_claim", hit=2, reason=reason, evidence="camera 4", affected=True)
    assert ("applies to the hand" in page(house, 1)) is warns
    assert reason in page(house, 1)
    assert house.balance("royal:held") == 1001 * MICROS
    assert "applies to the hand" not in page(house, 2)


def test_a_withdrawn_claim_says_so_and_asks_for_nothing(house: ClaimHouse) -> None:
    hand = {"seat": 3, "hole": ["9s", "8s"], "exposed": "yes", "folded": False}
    hand |= {"participating": True, "won_pot": True}
    report = {"boards": [ROYAL[1].split()], "hands": [hand], "seats_dealt": [1, 2, 3]}
    house.decide("amend_hand", second=None, hit=2, report=report, with_actions=False)
    withdrawn = page(house, 1)
    assert "This claim is withdrawn" in withdrawn
    assert "is not for this prize" in withdrawn
    assert Claim.objects.count() == 2
    assert "MAIN-1: Royal Flush Withdrawn" in page(house, 2)


def test_a_claim_that_waits_for_the_pot_says_so_until_the_completion(
    db: None, settings: Settings
) -> None:
    settings.CLAIM_WAIT_S = 0
    terms = each_terms(hand_wins="highest")
    royal = terms["tiers"][0]
    royal["qualifying"] = {**royal["qualifying"], "pot_min_minor": 2000}
    house = ClaimHouse(terms)
    house.open("t3")
    house.press("t3")
    house.report("t3", ROYAL)
    house.post()
    claims.catch_up(house.system)
    before = page(house, 1)
    assert "Waits for the pot" in before
    assert "Waits for the round’s completion." in before
    assert "Waits for a game supervisor" not in before
    assert "No hand qualifies" not in before
    house.say("t3", messages.RoundCompleted, round=house.rounds["t3"], pot=1999)
    house.post()
    after = page(house, 1)
    assert "Waits for the pot" not in after
    assert "Claim MAIN-1: Straight Flush" in after
