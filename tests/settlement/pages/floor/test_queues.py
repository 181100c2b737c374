"""What stands on top of the queue, and what each role finds in its own."""

import re

import pytest

from settlement.tasks import open_claims
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.cases.hands.periods import Night, utc
from tests.support.cases.hands.settlement_high_hands import half_past
from tests.support.pages.claim_stops import stop
from tests.support.pages.page_staff import ADDRESS, page_of, reply
from tests.support.pages.workbench import REVIEW
from tests.support.people.cast import ClaimHouse, hire
from tests.support.play.high_hands import HOUSE, NINES, high_terms
from tests.support.suite.clock import Clock
from tests.support.suite.kept_house import kept_house

house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def queue(name: str, address: str = "/claims/") -> list[str]:
    return re.findall(r"MAIN-\d+", page_of(name, address))


def test_the_largest_claim_is_on_top_and_an_unknown_prize_above_it(db: None) -> None:
    house = ClaimHouse(each_terms())
    for table, tier in (("t3", "steel"), ("t7", "royal"), ("t3", None)):
        house.open(table)
        house.press(table)
        house.call(table, tier)
    house.post()
    assert [house.hit(number).held // 10**6 for number in (1, 2, 3)] == [205, 1001, 0]
    assert queue("sione") == ["MAIN-3", "MAIN-2", "MAIN-1"]
    assert queue("mere", "/")[:3] == ["MAIN-3", "MAIN-2", "MAIN-1"]


def test_surveillance_is_asked_for_each_review_that_is_missing(house: ClaimHouse) -> None:
    house.hit_royal()
    board = page_of("tane", "/")
    assert "Needs you now" in board
    assert "Review the footage" in board
    assert "Review the footage" not in page_of("sione", "/claims/")  # verifies it
    reply("tane", f"{ADDRESS}footage/", **REVIEW)
    assert "Needs you now" not in page_of("tane", "/")


def test_compliance_is_asked_for_what_is_disputed_and_held(house: ClaimHouse) -> None:
    house.hit_royal()
    assert "Needs you now" not in page_of("ines", "/")
    stop(house, "ines", "hold", "Inspector's letter 7")
    assert "Held by the regulator: follow it up" in page_of("ines", "/")
    assert "follow it up" not in page_of("mere", "/")


def test_a_candidate_that_is_beaten_asks_for_nothing_and_wins_nothing(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    night = Night(Clock(monkeypatch, utc("2026-11-21 10:10")), high_terms())
    hire()
    night.show("t3", HOUSE)
    night.show("t7", NINES)
    night.post()
    open_claims(night.system.pk)
    assert "In the running" in page_of("sione", "/claims/main/1/")
    half_past(night)
    assert queue("sione") == ["MAIN-2", "MAIN-1"]
    board = page_of("sione", "/")
    mine, others = board.split("Other open claims")
    assert "MAIN-2" in mine
    assert "MAIN-1" in others
    assert "A better hand of its period stands" in others
    beaten = page_of("sione", "/claims/main/1/")
    assert "Wins the prize" not in beaten
    assert "A better hand stands" in beaten
    assert "Wins the prize" in page_of("sione", "/claims/main/2/")
