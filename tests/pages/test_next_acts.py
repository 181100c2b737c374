"""What the list of claims names as the next act, for every state of a claim and every role."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from settlement.pages.steps import Stand, next_turn
from settlement.standing import STATES
from tables import messages
from tests.jackpot.books import royal_terms
from tests.pages.staff import shown
from tests.settlement.cast import PAIR, ROYAL, ClaimHouse, hire

pytestmark = pytest.mark.django_db
NOTHING = ("", "", "", "")
# Seen by a game supervisor, a casino manager, a cashier, and surveillance.
TURNS: dict[str, list[tuple[dict[str, Any], tuple[str, str, str, str]]]] = {
    "called": [
        ({}, ("! Enter the report", *3 * ("Waits for the report",))),
        (
            {"unsettled": "Say which"},
            ("! Say which", *3 * ("Waits for a game supervisor to settle what the unit said",)),
        ),
    ],
    "reported": [
        ({}, ("! Verify", *3 * ("Waits for a game supervisor to verify",))),
        ({"lacks": "a figure"}, 4 * ("Waits for the round’s completion",)),
        (
            {"lacks": "a winner"},
            (
                "! Amend the report, or reject",
                "! Propose to reject",
                *2 * ("Waits for an amended report or a rejection",),
            ),
        ),
        (
            {"rejection_proposed": True},
            (
                "Waits for a casino manager to decide on the rejection",
                "! Decide on the rejection",
                *2 * ("Waits for a casino manager to decide on the rejection",),
            ),
        ),
    ],
    "verified": [
        (
            {},
            (
                "Waits for a casino manager to confirm",
                "! Confirm",
                *2 * ("Waits for a casino manager to confirm",),
            ),
        ),
        (
            {"approve": True},
            (
                "Waits for the first of two managers",
                "! Approve as the first of two managers",
                *2 * ("Waits for the first of two managers",),
            ),
        ),
        ({"stopped": "A dispute is open."}, 4 * ("Stopped: see what stops it",)),
        ({"blocked_by": (3,), "due": 0}, 4 * ("Waits for claim No. 3",)),
        ({"period": "Waits for the end of its period"}, 4 * ("Waits for the end of its period",)),
    ],
    "confirmed": [
        ({}, ("Waits for the cashier", "Waits for the cashier", "! Pay", "Waits for the cashier")),
        ({"to_pay": False}, 4 * ("A payment is withheld",)),
        (
            {"to_pay": False, "supplement": True},
            (
                "Waits for a casino manager to confirm",
                "! Confirm the supplement",
                *2 * ("Waits for a casino manager to confirm",),
            ),
        ),
    ],
    **{
        state: [({}, NOTHING)]
        for state in ("closed", "rejected", "reversed", "withdrawn", "paired", "outranked")
    },
}


def test_every_state_and_whose_turn_it_is() -> None:
    assert TURNS.keys() == {*STATES}
    hire()
    people = [User.objects.get(username=name) for name in ("sione", "mere", "aroha", "tane")]
    for state, cases in TURNS.items():
        for changes, said in cases:
            turns = [next_turn(Stand(state, **changes), person) for person in people]
            seen = tuple(f"! {turn.text}" if turn.kind else turn.text for turn in turns)
            assert seen == said, (state, changes)


@pytest.fixture
def house(settings: Settings) -> ClaimHouse:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    terms = royal_terms()
    (royal,) = terms["tiers"]
    royal["qualifying"] = {**royal["qualifying"], "pot_min_minor": 2000}
    return ClaimHouse(terms)


def test_a_claim_that_waits_for_the_pot_is_nobodys_to_verify(house: ClaimHouse) -> None:
    house.hit_royal()
    for name in ("sione", "mere"):
        row = shown(name, "/claims/")
        assert "Waits for the round’s completion" in row
        assert "Waits for pot" in row
        assert "Verify" not in row
    house.say("t3", messages.RoundCompleted, round=1, pot=3000)
    house.post()
    assert "Verify" in shown("sione", "/claims/")
    assert "Waits for pot" not in shown("sione", "/claims/")


def test_below_the_minimum_it_is_amended_or_rejected(house: ClaimHouse) -> None:
    house.hit_royal()
    house.say("t3", messages.RoundCompleted, round=1, pot=1000)
    house.post()
    assert "Amend the report, or reject" in shown("sione", "/claims/")
    assert "Propose to reject" in shown("mere", "/claims/")


def test_a_hand_below_the_terms_is_amended_or_rejected(house: ClaimHouse) -> None:
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.report("t3", PAIR)
    house.post()
    assert "Amend the report, or reject" in shown("sione", "/claims/")
    house.say("t3", messages.RoundCompleted, round=1, pot=3000)
    house.report("t3", ROYAL)
    house.post()
    assert "Verify" in shown("sione", "/claims/")
