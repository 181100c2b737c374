"""The page on which a hand is entered, and what claims' pages say of it and of its unit."""

import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from tests.support.cases.claims.several_prizes import each_terms
from tests.support.pages.page_staff import logged_in, page_of, reply, words
from tests.support.people.cast import ClaimHouse, read
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PAGE = "/tables/main/t3/hand/"
CALLED = {
    "game": "holdem",
    "deck": "52",
    "seats": "3",
    "tier": "royal",
    "note": "Dark",
    "newest": "0",
}
NO_HANDS = {"hand-TOTAL_FORMS": "1", "hand-INITIAL_FORMS": "1", "hand-0-exposed": "yes"}
CARDS = {"board": "Qs Js Ts 2d 3c", "hand-0-seat": "3", "hand-0-hole": "As Ks"}
CARDS |= {"hand-0-participating": "on", "hand-0-won_pot": "on"}


def build_house() -> ClaimHouse:
    claim_house = ClaimHouse()
    claim_house.open("t3")
    claim_house.press("t3")
    claim_house.post()
    return claim_house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def enter(house: ClaimHouse, by: str = "sione", **fields: Any) -> Any:
    """The page behind the form, once the writer has taken it."""
    body = {"key": str(uuid.uuid4()), **CALLED, **NO_HANDS, **fields}
    answer = logged_in(by).post(PAGE, body)
    house.post()
    return answer


def test_a_call_takes_the_place_and_the_page_says_by_whom(house: ClaimHouse) -> None:
    assert "Enter a hand" in page_of("sione", "/tables/main/t3/")
    assert "Enter a hand" not in page_of("david", "/tables/main/t3/")
    assert "this form takes the hand’s place" in page_of("sione", PAGE)
    assert enter(house).status_code == 302
    page = page_of("anahera")
    for words_of_page in ("Entered on the console by", "“Dark”", "Which round was this hand in?"):
        assert words_of_page in page
    assert "Round Not known" in page
    assert "Round unknown" in page_of("anahera", "/claims/")
    row = read("/api/claims/main-1/")
    assert (row["round"], row["entered_by"]) == (None, "sione")
    assert row["flags"] == ["entered", "round_unknown"]


def test_a_call_from_the_console_is_not_said_to_be_the_dealers(house: ClaimHouse) -> None:
    enter(house)
    page = page_of("anahera")
    assert "sione entered a call for seat 3 on the console" in page
    assert "Enter its report from the cards on the layout" in page
    assert "The dealer called" not in page


def test_cards_may_come_with_it(house: ClaimHouse) -> None:
    enter(house, round="1", **CARDS)
    report: Any = house.hit(1).report
    assert report["hands"][0]["hole"] == ["As", "Ks"]
    assert "You entered this hand" in page_of("sione")
    assert "Answer the checklist" in page_of("anahera")


def test_what_is_wrong_stands_at_its_field(house: ClaimHouse) -> None:
    for fields, fault in (
        ({"note": ""}, "Enter why the hand is entered here."),
        ({"seats": ""}, "Enter the seat, or the cards below."),
        ({**CARDS, "hand-0-hole": ""}, "Type the hole cards."),
    ):
        answer = enter(house, **fields)
        assert answer.status_code == 422
        assert fault in words(answer)
    assert house.head.hit_number == 0


def test_a_hand_that_came_meanwhile_is_shown_before_another_is_entered(house: ClaimHouse) -> None:
    house.call("t3")
    house.post()
    page = page_of("sione", PAGE)
    assert "Open at this table already" in page
    shell = logged_in("sione").get(PAGE).content.decode()
    assert re.search(r"data-open-claims>\s*1\s*<", shell)  # a number on this page too
    enter(house)
    page = page_of("sione", "/tables/main/t3/")
    assert house.head.hit_number == 1  # refused at its place: the form had not shown claim 1
    assert page


def test_a_supervisor_says_which_hand_it_is(house: ClaimHouse) -> None:
    enter(house)
    house.call("t3")
    house.post()
    page = page_of("anahera", "/claims/main/2/")
    assert "Is this the hand that was entered on the console?" in page
    assert "The same hand as MAIN-1" in page
    assert "A game supervisor decides." in page_of("david", "/claims/main/2/")
    assert "Perhaps entered" in page_of("anahera", "/claims/")
    # What the writer would refuse is not offered, and nobody reads that the hand wins nothing.
    assert "Enter the report: First check whether it was entered on the console." in page
    assert "Claim MAIN-2: prize not known yet" in page
    place = {"key": str(uuid.uuid4()), "decision": "round", "round": "1", "note": "Camera 4"}
    assert logged_in("tane").post("/claims/main/1/place/", place).status_code == 403
    assert logged_in("anahera").post("/claims/main/1/place/", place).status_code == 302
    house.post()
    page = page_of("anahera", "/claims/main/2/")
    assert "This is the hand of claim MAIN-1" in page
    assert "Round Same as MAIN-1" in page
    assert "was paired with it" in page_of("anahera")
    assert read("/api/claims/main-2/")["same_as"] == "main-1"


def test_a_pairing_is_undone_where_it_was_made(house: ClaimHouse) -> None:
    enter(house)
    house.call("t3")
    house.post()
    assert "undo the pairing" not in page_of("anahera")
    place = {"key": str(uuid.uuid4()), "decision": "round", "round": "1", "note": "Camera 4"}
    logged_in("anahera").post("/claims/main/1/place/", place)
    house.post()
    assert "undo the pairing there" in page_of("anahera", "/claims/main/2/")
    assert "undo the pairing" not in page_of("david")
    page = page_of("anahera")
    assert "Claim MAIN-2 , the unit’s hand, then takes effect at its own place" in page
    undo = {"key": str(uuid.uuid4()), "decision": "unpair", "note": "Seat 5, not 3"}
    assert logged_in("david").post("/claims/main/1/place/", undo).status_code == 403
    logged_in("anahera").post("/claims/main/1/place/", undo)
    house.post()
    page = page_of("anahera")
    assert "Which round was this hand in?" in page
    assert "Pairing with the unit’s hand undone" in page
    assert "This is the hand of claim" not in page_of("anahera", "/claims/main/2/")


def test_paired_by_its_round_the_page_says_what_to_do(house: ClaimHouse) -> None:
    enter(house, round="1")
    house.report("t3", ("As Ks", "Qs Js Ts 2d 3c"))
    house.post()
    assert "enter it on the console with its round once this is undone" in page_of("anahera")
    undo = {"key": str(uuid.uuid4()), "decision": "unpair", "note": "Seat 5, not 3"}
    logged_in("anahera").post("/claims/main/1/place/", undo)
    house.post()
    page = page_of("anahera")
    assert "The pairing with the unit’s hand was undone: the report may be of that hand." in page
    assert "Review and amend" in page


def test_a_prize_is_chosen_on_purpose(house: ClaimHouse) -> None:
    """Nothing is preset: that nobody knows the prize is a choice, and holds no money."""
    assert "no amount is reserved" in page_of("sione", PAGE)
    answer = enter(house, tier="")
    assert answer.status_code == 422
    assert "Choose the prize, or that it is not known yet: then no amount is reserved." in words(
        answer
    )
    assert "Type the hole cards." not in words(answer)
    assert house.head.hit_number == 0
    enter(house, tier="?")
    assert (house.hit(1).tier, house.hit(1).held) == (None, 0)
    enter(house, tier="", newest="1", round="1", **CARDS)  # the cards say it
    assert house.hit(2).tier is not None


def test_or_that_it_is_another_one(house: ClaimHouse) -> None:
    enter(house)
    house.call("t3")
    house.post()
    apart = {"key": str(uuid.uuid4()), "decision": "apart", "note": "Camera 4"}
    logged_in("anahera").post("/claims/main/2/place/", apart)
    none = {"key": str(uuid.uuid4()), "decision": "none", "note": "Its battery was flat"}
    logged_in("anahera").post("/claims/main/1/place/", none)
    house.post()
    assert house.hit(2).tier is not None
    assert "Which round was this hand in?" not in page_of("anahera")
    empty = {"key": str(uuid.uuid4()), "decision": "round", "note": "x"}
    answer = logged_in("anahera").post("/claims/main/1/place/", empty, follow=True)
    assert "Write the number of the round." in answer.content.decode()
    assert logged_in("anahera").post("/claims/main/1/place/", {}).status_code == 400


def test_once_that_one_has_its_round_this_can_only_be_another(house: ClaimHouse) -> None:
    enter(house)
    house.call("t3")
    house.post()
    place = {"key": str(uuid.uuid4()), "decision": "round", "round": "77", "note": "Camera 4"}
    logged_in("anahera").post("/claims/main/1/place/", place)
    house.post()
    page = page_of("anahera", "/claims/main/2/")
    assert "This is not the hand that was entered" in page
    assert "The same hand as" not in page


def test_what_the_unit_says_otherwise_is_shown(house: ClaimHouse) -> None:
    enter(house, round="1", **CARDS)
    house.report("t3", ("As 9s", "Qs Js Ts 2d 3c"))
    house.post()
    page = page_of("anahera")
    assert "The table unit’s report differs: the hands." in page
    assert "As the dealer sent it" in page
    assert "Settle what the unit sent" in page_of("anahera", "/claims/")


def test_19_6_a_report_for_further_prizes_is_no_other_prize(settings: Settings) -> None:
    """A royal flush wins both prizes; it was called for one, and its cards are the dealer's."""
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse(each_terms())
    house.open("t3")
    house.press("t3")
    house.post()
    enter(house, round="1")
    house.report("t3")
    house.post()
    page = page_of("anahera")
    assert "says otherwise" not in page
    assert "The table unit’s report is for Straight Flush too." in page
    assert "enter the report" in page
    typed = {"board": CARDS["board"], **NO_HANDS, **CARDS, "hand-INITIAL_FORMS": "0"}
    reply("anahera", "/claims/main/1/amend/", **typed)
    house.post()
    tiers = [house.hit(number).tier for number in (1, 2)]
    assert [tier and tier.code for tier in tiers] == ["royal", "steel"]
    page = page_of("anahera")
    assert "What differed was settled" not in page
    assert "is for Straight Flush too" not in page


def test_a_call_for_another_prize_than_its_cards_win_is_one(settings: Settings) -> None:
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse(each_terms())
    house.open("t3")
    house.press("t3")
    house.post()
    enter(house, round="1")
    house.report("t3", ("9s 8s", "Qs Js Ts 2d 3c"))
    house.post()
    assert "The table unit’s report differs: the prize." in page_of("anahera")


def test_only_supervisors_find_the_form(house: ClaimHouse) -> None:
    for who in ("tane", "david", "ines"):
        assert logged_in(who).get(PAGE).status_code == 403
    assert logged_in("sione").get("/tables/main/t99/hand/").status_code == 404


def test_the_form_asks_a_fixed_number_of_queries(house: ClaimHouse) -> None:
    client = logged_in("sione")
    client.get("/password/")  # that something is done is noted every half minute

    def queries_of(address: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        return len(queries)

    enter(house)
    before = queries_of(PAGE), queries_of("/claims/main/1/")
    enter(house, newest="1")
    enter(house, newest="2", round="1")
    assert (queries_of(PAGE), queries_of("/claims/main/1/")) == before
