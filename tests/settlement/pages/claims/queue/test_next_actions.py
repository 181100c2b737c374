"""What the list of claims names as the next action, for every state of a claim and every role."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from settlement.claims.claim_status import ClaimStatus, Lack, Period, Unsettled
from settlement.claims.status import STATES
from settlement.pages.claims.queue.next_action import next_action
from tables.protocol import messages
from tests.support.pages.page_staff import cashed, confirm, page_of, reply, verify
from tests.support.people.cast import PAIR, PASSWORD, ROYAL, ClaimHouse, hire
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
NOTHING = ("", "", "", "")
# Seen by a game supervisor, a casino manager, a cashier, and surveillance.
TURNS: dict[str, list[tuple[dict[str, Any], tuple[str, str, str, str]]]] = {
    "called": [
        ({}, ("! Enter the report", *3 * ("Waits for the report",))),
        (
            {"unsettled": Unsettled.PAIRING},
            (
                "! Check whether it was entered on the console",
                *3 * ("Waits for a game supervisor to settle what the unit said",),
            ),
        ),
    ],
    "reported": [
        ({}, ("! Verify", *3 * ("Waits for a game supervisor to verify",))),
        ({"lacks": Lack.FIGURE}, 4 * ("Waits for the round’s completion",)),
        (
            {"lacks": Lack.WINNER},
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
        ({"blocked_by": (3,), "due": 0}, 4 * ("Waits for claim MAIN-3",)),
        ({"due": 0}, 4 * ("There is nothing to confirm",)),
        ({"period": Period.RUNS}, 4 * ("Waits for the end of its period",)),
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
        for changes, words in cases:
            status = ClaimStatus(state, system="main", **changes)
            coming = [next_action(status, person) for person in people]
            texts = tuple(f"! {each.text}" if each.kind else each.text for each in coming)
            assert texts == words, (state, changes)


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def build_house() -> ClaimHouse:
    terms = royal_terms()
    (royal,) = terms["tiers"]
    royal["qualifying"] = {**royal["qualifying"], "pot_min_minor": 2000}
    return ClaimHouse(terms)


house = kept_house(build_house)


def test_a_claim_that_waits_for_the_pot_is_nobodys_to_verify(house: ClaimHouse) -> None:
    house.hit_royal()
    for name in ("sione", "mere"):
        row = page_of(name, "/claims/")
        assert "Waits for the round’s completion" in row
        assert "Waits for the pot" in row
        assert "Verify" not in row
    house.say("t3", messages.RoundCompleted, round=1, pot=3000)
    house.post()
    assert "Verify" in page_of("sione", "/claims/")
    assert "Waits for the pot" not in page_of("sione", "/claims/")


def test_below_the_minimum_it_is_amended_or_rejected(house: ClaimHouse) -> None:
    house.hit_royal()
    house.say("t3", messages.RoundCompleted, round=1, pot=1000)
    house.post()
    assert "Amend the report, or reject" in page_of("sione", "/claims/")
    assert "Propose to reject" in page_of("mere", "/claims/")


def test_a_hand_below_the_terms_is_amended_or_rejected(house: ClaimHouse) -> None:
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.report("t3", PAIR)
    house.post()
    assert "Amend the report, or reject" in page_of("sione", "/claims/")
    house.say("t3", messages.RoundCompleted, round=1, pot=3000)
    house.report("t3", ROYAL)
    house.post()
    assert "Verify" in page_of("sione", "/claims/")


def royals(house: ClaimHouse, *played: int) -> None:
    """Verified royal flushes at two tables in turn, each behind so many rounds of its table."""
    for number, rounds in enumerate(played):
        table = ("t3", "t7")[number % 2]
        if table not in house.seqs:
            house.open(table)
        for _ in range(rounds):
            house.press(table)
        house.call(table)
        house.report(table)
    house.post()
    for number, _ in enumerate(played, 1):
        verify(house, number=number)


def row(name: str, number: int) -> str:
    """The row of a claim in the list, as the person reads it."""
    lines = re.split(
        r"(?=MAIN-\d+ (?:Called|Reported|Verified|Confirmed))", page_of(name, "/claims/")
    )
    return next(line.strip() for line in lines if line.startswith(f"MAIN-{number} "))


def test_where_nothing_is_safe_the_claim_before_is_waited_for() -> None:
    """The pool starts again at nothing, and nobody has paid into it since the first hand."""
    from_the_pot = {"increments": [{"source": "pot", "basis_points": 100}]}
    house = ClaimHouse(royal_terms(reset=0, **from_the_pot) | {"funding": "players"})
    house.open("t3")
    house.press("t3")
    house.say("t3", messages.RoundCompleted, round=1, pot=100_000)
    royals(house, 1, 1)
    assert [house.hit(number).held // 10**6 for number in (1, 2)] == [10, 0]
    assert row("mere", 1).endswith("Confirm")
    for name in ("mere", "sione", "aroha", "tane"):
        assert "Waits for claim MAIN-1" in row(name, 2)
        assert "onfirm" not in row(name, 2)
    confirm(house)
    assert "Confirm that nothing is due" in row("mere", 2)


def test_however_many_claims_are_before_it_one_is_confirmed_for_what_is_safe() -> None:
    """A round each: the second comes to 1,001.00 in any case; one more is 0.50 from there on."""
    house = ClaimHouse(royal_terms())
    royals(house, *[1] * 12)
    for number in (2, 12):
        assert "Confirm" in row("mere", number)
        assert "Waits" not in row("mere", number)
    assert "Provisional" not in row("mere", 2)  # nobody makes a difference to it
    assert "Provisional" in row("mere", 12)


def test_a_supplement_that_is_safe_is_confirmed_while_an_earlier_claim_is_open() -> None:
    """Of 4 and 2 rounds of 0.50, whose money the third hand has if the second falls."""
    house = ClaimHouse(royal_terms())
    royals(house, 2, 4, 2)
    confirm(house, number=3)
    cashed(1001, 3)
    house.post()
    why = {"reason": "R04", "evidence": "Camera 12, 22:14 to 22:16", "affected": "yes"}
    reply("sione", "/claims/main/2/reject/", **why)
    reply("mere", "/claims/main/2/", do="second_rejection", password=PASSWORD)
    house.post()
    assert (house.hit(3).held, house.hit(1).state) == (1003 * 10**6, "held")
    assert "Confirm the supplement" in row("david", 3)
    confirm(house, "david", 3, amount=2 * 10**6)
    assert house.hit(3).confirmed == 1003 * 10**6
    cashed(2, 3, line=2)
    house.post()
    assert house.hit(3).state == "paid"
