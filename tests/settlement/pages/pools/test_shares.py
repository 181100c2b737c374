"""Shares on the pages: who is paid what, and what the terms post."""

from typing import Any

from pytest_django import Settings

from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from tables.protocol import messages
from tests.support.cases.confirmed_house import person
from tests.support.cases.hands.bad_beats import BOARD, bad_beat
from tests.support.pages.page_ledger import report_behind
from tests.support.pages.page_staff import (
    ADDRESS,
    confirm,
    logged_in,
    page_of,
    refused,
    reply,
    verify,
)
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.play.rules.division import hand
from tests.support.suite.kept_house import kept_house

DEALT: dict[str, Any] = {"seats_dealt": [1, 2, 3, 4, 5, 6], "button_seat": 5}


def build_house() -> ClaimHouse:
    """Four kings beat aces full at table 3; seat 6 takes no part."""
    claim_house = ClaimHouse(bad_beat())
    claim_house.open("t3")
    report(
        claim_house,
        hand(2, "As Ad"),
        hand(4, "Kd Kc", won_pot=True),
        hand(6, folded=True, exposed="not_requested", participating=False),
    )
    return claim_house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def report(house: House, *hands: dict[str, Any]) -> None:
    house.press("t3")
    house.say(
        "t3",
        messages.HandReported,
        round=house.rounds["t3"],
        boards=[BOARD.split()],
        hands=[messages.ReportedHand(**each) for each in hands],
        **DEALT,
    )
    house.post()


def test_a_claim_names_every_payee_and_in_what_capacity(house: ClaimHouse) -> None:
    page = page_of("sione", ADDRESS)
    assert "Beaten hand: wins a part" in page
    assert "Winning hand: wins a part" in page
    for text in ("Proposed payout", "Seat 2", "Beaten hand", "501.00", "Table share", "83.00"):
        assert text in page
    verify(house)
    confirm(house)
    paid = page_of("sione", f"{ADDRESS}print/")
    assert "NZD 501.00, seat 2 (beaten hand)" in paid
    assert "NZD 84.00, seat 1 (table share)" in paid


def test_terms_say_who_has_which_part(house: ClaimHouse) -> None:
    page = page_of("sione", "/terms/main/house/")
    assert "Beaten hand 50%" in page
    assert "Table share 25%" in page
    assert "is beaten by four of a kind" in page


def test_the_register_says_in_what_capacity_somebody_was_paid(house: ClaimHouse) -> None:
    verify(house)
    confirm(house)
    lines = {line["seat"]: line["line"] for line in house.hit(1).payees}
    for seat, cashed in ((2, 501_000_000), (1, 84_000_000)):
        claims.pay(
            Claim.objects.get(), Reauthenticated(person("aroha")), lines[seat], {"cash": cashed}
        )
        house.post()
    claims.catch_up(house.system)
    page = page_of("aroha", "/payouts/")
    assert "seat 2: beaten hand" in page
    assert "seat 1: table share" in page
    behind = report_behind(logged_in("ines").get("/payouts/").content.decode())
    assert {row["seat"]: row["role"] for row in behind} == {2: "Beaten hand", 1: "Table share"}


def test_a_fixed_prize_on_its_claim_and_in_its_terms(db: None, settings: Settings) -> None:
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse(royal_terms(prize=1_500_000_000))
    house.hit_royal()
    page = page_of("sione", ADDRESS)
    assert "Fixed prize" in page
    assert "1,500.00" in page
    assert "499.50" in page  # added by the operator to a pool of 1,000.50
    assert "1,500.00 fixed" in page_of("sione", "/terms/main/house/")


def test_terms_say_how_likely_a_prize_is(house: ClaimHouse) -> None:
    """Royal flush with two hole cards playing: 1 in 64,974. Of the bad beat nothing was counted."""
    page = page_of("sione", "/terms/main/house/")
    assert page.count("Chance of a player") == 1
    assert "Hold-em: 1 in 64,974" in page


def test_a_player_who_takes_no_part_is_typed_without_cards(house: ClaimHouse) -> None:
    form = {
        "board": BOARD,
        "seats_dealt": "1 2 4 6",
        "button_seat": "4",
        "hand-TOTAL_FORMS": "2",
        "hand-INITIAL_FORMS": "2",
        "hand-0-seat": "2",
        "hand-0-hole": "As Ad",
        "hand-0-exposed": "yes",
        "hand-0-participating": "on",
        "hand-1-seat": "6",
        "hand-1-hole": "",
        "hand-1-exposed": "not_requested",
    }
    address = f"{ADDRESS}amend/"
    assert "Type the hole cards." in refused("anahera", address, **form)
    reply("anahera", address, **form, **{"hand-1-folded": "on"})
    house.post()
    report = house.hit(1).report or {}
    assert report["hands"][1]["hole"] == []
