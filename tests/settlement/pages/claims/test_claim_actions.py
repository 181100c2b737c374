"""What people do to a claim on its page: who may, in which state, once, with a clear answer."""

import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from jackpot.models import Command, Head
from jackpot.terms.money import MICROS
from settlement.evidence.checklist import ITEMS
from settlement.models import Action, CheckAnswer, Payout
from tests.support.pages.page_staff import (
    ADDRESS,
    ALL_YES,
    cashed,
    confirm,
    logged_in,
    page_of,
    paid_at_the_cage,
    post,
    refused,
    reply,
    verify,
    words,
)
from tests.support.people.cast import PAIR, PASSWORD, ClaimHouse
from tests.support.suite.kept_house import kept_house

REJECT = f"{ADDRESS}reject/"
AMEND = f"{ADDRESS}amend/"
BY_ANOTHER = "You amended the report of this claim. Another game supervisor must verify it."
REASON = {"reason": "R04", "evidence": "Camera 12, 22:14 to 22:16", "affected": "yes"}
REPORT = {
    "board": "qs js ts 2d 3c",
    "hand-TOTAL_FORMS": "1",
    "hand-INITIAL_FORMS": "0",
    "hand-0-seat": "3",
    "hand-0-hole": "AsKs",
    "hand-0-exposed": "yes",
    "hand-0-participating": "on",
    "hand-0-won_pot": "on",
}


def build_house() -> ClaimHouse:
    """A royal flush at table 3, reported; the writer works when the test lets it."""
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


# --- checklist and verification ------------------------------------------------------------


def test_answers_are_kept_part_by_part_with_who_gave_them(house: ClaimHouse) -> None:
    board = {"face_up-note": "The board was mucked"}
    page = reply("sione", do="checklist", frozen="yes", face_up="na", **board)
    assert "2 answers were saved." in page
    assert "8 of 10 to answer" in page
    assert "One answer was saved." in reply("anahera", do="checklist", nearby="yes")
    assert post("anahera", do="checklist", nearby="yes")["Location"] == f"{ADDRESS}#checklist"
    assert [a.person.get_username() for a in CheckAnswer.objects.order_by("id")] == [
        "sione",
        "sione",
        "anahera",
    ]


def test_a_no_needs_a_note_and_the_rest_is_saved(house: ClaimHouse) -> None:
    page = refused("sione", do="checklist", frozen="yes", display="no")
    assert "A “no” needs a note that says why." in page
    assert CheckAnswer.objects.get().item == "frozen"
    reply("sione", do="checklist", display="no", **{"display-note": "Screen dark since 22:10"})
    assert "Screen dark since 22:10" in str(logged_page("sione"))


def test_a_page_that_was_open_for_long_undoes_nothing(house: ClaimHouse) -> None:
    reply("sione", do="checklist", frozen="yes")
    answer_id = CheckAnswer.objects.get().pk
    why = {"frozen-seen": str(answer_id), "frozen-note": "A machine deals"}
    reply("anahera", do="checklist", frozen="na", **why)
    reply("sione", do="checklist", frozen="yes", nearby="yes", **{"frozen-seen": str(answer_id)})
    newest = CheckAnswer.objects.filter(item="frozen").order_by("id").last()
    assert newest is not None
    assert (newest.answer, newest.person.get_username()) == ("na", "anahera")


def test_verification_says_what_is_still_to_answer_and_keeps_what_was_answered(
    house: ClaimHouse,
) -> None:
    page = refused("sione", do="verify", frozen="yes")
    assert "Still to answer: Hands and first board face up" in page
    assert "(Rule 19.12)" in page
    assert CheckAnswer.objects.count() == 1
    assert not Action.objects.exists()


def test_verified_then_it_waits_for_somebody_else(house: ClaimHouse) -> None:
    page = verify(house)
    assert "Verified. The claim now waits for somebody else to confirm it." in page
    assert "Waits for a casino manager to confirm" in page
    assert "Your turn" in page_of("mere")


def test_a_no_is_put_before_whoever_confirms(house: ClaimHouse) -> None:
    answers = {**ALL_YES, "display": "no", "display-note": "Screen dark since 22:10"}
    reply("sione", do="verify", **answers)
    warned = page_of("mere").partition("Answered with “no”:")[2]
    assert warned.startswith(" Display reading noted, equipment working: Screen dark since 22:10")


def test_there_is_no_way_to_answer_everything_at_once(house: ClaimHouse) -> None:
    page = str(logged_page("sione"))
    assert len(re.findall(r'value="yes"\s+id="', page)) == len(ITEMS)
    assert "All yes" not in page


# --- confirmation --------------------------------------------------------------------------


def test_confirmation_asks_for_the_password_again(house: ClaimHouse) -> None:
    verify(house)
    amount = house.hit(1).held
    assert "You confirm NZD 1,001.00" in page_of("mere")
    page = refused("mere", do="confirm", amount=amount, password="wrong")
    assert "That is not your password" in page
    page = refused("mere", do="confirm", amount=amount, password="")
    assert "This field is required" in page
    assert not Command.objects.filter(kind="confirm_claim").exists()


def test_confirmed_waits_in_the_queue_and_is_then_carried_out(house: ClaimHouse) -> None:
    verify(house)
    page = confirm(house)
    assert "Recorded and queued: it takes effect when" in page
    assert house.hit(1).state == "confirmed"
    assert "Queued." not in page_of("mere")
    assert "Waits for the cashier" in page_of("mere")


def test_where_posting_has_stopped_a_decision_is_queued_and_says_so(house: ClaimHouse) -> None:
    verify(house)
    assert "has stopped" not in page_of("mere")
    Head.objects.filter(pk=house.system.pk).update(halted_at=timezone.now(), halted_on="entry 9")
    assert "Posting of Main floor has stopped" in page_of("mere")
    page = reply("mere", do="confirm", amount=house.hit(1).held, password=PASSWORD)
    assert "Recorded and queued. Posting of Main floor has stopped: this is carried" in page
    assert "No further action is needed" not in page


def test_while_a_decision_is_queued_no_other_is_offered(house: ClaimHouse) -> None:
    verify(house)
    reply("mere", do="confirm", amount=house.hit(1).held, password=PASSWORD)
    page = page_of("david")
    assert "Queued." in page
    assert "You confirm" not in page


def test_a_changed_amount_is_shown_before_it_is_confirmed(house: ClaimHouse) -> None:
    verify(house)
    page = refused("mere", do="confirm", amount=1000 * MICROS, password=PASSWORD)
    assert "The amount changed while you looked at it: read it again." in page
    assert "You confirm NZD 1,001.00" in page


def test_a_second_tap_is_the_same_act(house: ClaimHouse) -> None:
    verify(house)
    form: dict[str, Any] = {"do": "confirm", "amount": house.hit(1).held, "password": PASSWORD}
    key = str(uuid.uuid4())
    reply("mere", **form, key=key)
    house.post()
    page = reply("mere", **form, key=key)
    assert "Confirmed. The displays show it" in page
    assert Command.objects.filter(kind="confirm_claim").count() == 1


def test_what_the_writer_declined_is_told_and_may_be_tried_again(house: ClaimHouse) -> None:
    house.hit_royal("t7")
    verify(house, number=2)
    address = "/claims/main/2/"
    verify(house)
    amount = house.hit(2).held
    reply("mere", "/claims/main/1/", do="confirm", amount=house.hit(1).held, password=PASSWORD)
    reply("mere", address, do="confirm", amount=amount, password=PASSWORD)
    reply("david", address, do="confirm", amount=amount, password=PASSWORD)  # before the writer
    house.post()
    page = page_of("david", address)
    assert "Declined This claim has been confirmed already: nothing was changed." in page
    assert house.hit(2).state == "confirmed"


# --- rejection -----------------------------------------------------------------------------


def test_a_rejection_takes_reason_evidence_and_a_second_person(house: ClaimHouse) -> None:
    page = refused("sione", REJECT, evidence="")
    assert "Choose one of the reasons." in page
    assert "Enter the evidence." in page
    assert "The rejection is proposed." in reply("sione", REJECT, **REASON)
    page = page_of("mere")
    assert "R04 The hand had been folded 19.17" in page
    assert "Camera 12, 22:14 to 22:16" in page
    reply("mere", do="second_rejection", password=PASSWORD)
    house.post()
    page = page_of("tane")
    assert "This claim was rejected" in page
    assert "No payment" in page


def test_who_proposed_does_not_agree(house: ClaimHouse) -> None:
    reply("mere", REJECT, **REASON)
    assert "You proposed the rejection: somebody else must approve it." in page_of("mere")
    page = refused("mere", do="second_rejection", password=PASSWORD)
    assert "You proposed the rejection: somebody else must approve it. (Rule 19.12)" in page


def test_a_proposed_rejection_can_be_withdrawn_with_a_note(house: ClaimHouse) -> None:
    reply("sione", REJECT, **REASON)
    assert "Enter why it is withdrawn." in refused("sione", do="withdraw_rejection", note="")
    page = reply("sione", do="withdraw_rejection", note="Footage shows the hand live")
    assert "Proposed rejection withdrawn. The claim stays open." in page
    assert "Your turn" in page


# --- amendment -----------------------------------------------------------------------------


def test_19_21_an_amended_report_is_typed_as_people_type(house: ClaimHouse) -> None:
    page = reply("sione", AMEND, **{**REPORT, "pot": "1,234.50", "seats_dealt": "1, 2 3"})
    assert "Recorded and queued" in page
    house.post()
    report = report_of(house, 1)
    assert report["boards"] == [["Qs", "Js", "Ts", "2d", "3c"]]
    assert report["hands"][0]["hole"] == ["As", "Ks"]
    assert (report["pot"], report["seats_dealt"]) == (123450, [1, 2, 3])
    page = page_of("anahera")
    assert "Version 2 of the report".lower() in page.lower()
    assert BY_ANOTHER in page_of("sione")


def test_who_amends_alone_is_told_beforehand_and_afterwards(house: ClaimHouse) -> None:
    assert "You are the only game supervisor here." not in page_of("sione", AMEND)
    User.objects.filter(username="anahera").update(is_active=False)
    assert "You are the only game supervisor here." in page_of("sione", AMEND)
    reply("sione", AMEND, **REPORT)
    house.post()
    page = page_of("sione")
    assert BY_ANOTHER in page
    assert "Nobody is left to verify it." in page


def test_what_cannot_be_read_stays_typed_with_the_reason(house: ClaimHouse) -> None:
    wrong = {"hand-0-hole": "As Xs", "board": "qs js", "pot": "1.005"}
    answer = post("sione", AMEND, **{**REPORT, **wrong})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "&quot;Xs&quot; is not a card" in page
    assert "This currency has 2 decimals" in page
    assert 'value="As Xs"' in page
    assert 'value="qs js"' in page
    assert not Action.objects.exists()


def test_a_hand_is_added_and_taken_away_without_losing_what_was_typed(house: ClaimHouse) -> None:
    two = {**REPORT, "board": "qs js ts", "add": "hand"}
    page = post("sione", AMEND, **two).content.decode()
    assert 'name="hand-1-seat"' in page
    assert 'value="AsKs"' in page
    assert 'value="qs js ts"' in page
    second = {"hand-1-seat": "5", "hand-1-hole": "2c 2h", "hand-1-exposed": "yes"}
    reply("sione", AMEND, **{**REPORT, **second, "hand-TOTAL_FORMS": "2", "hand-0-DELETE": "on"})
    house.post()
    assert [hand["seat"] for hand in report_of(house, 1)["hands"]] == [5]


def test_a_called_hand_is_entered_from_the_layout(house: ClaimHouse) -> None:
    house.open("t7")
    house.press("t7")
    house.call("t7")
    house.post()
    page = page_of("sione", "/claims/main/2/")
    assert "The dealer called a hand for seat 3 and has not reported the cards yet" in page
    assert "Enter the report" in page
    reply("sione", "/claims/main/2/amend/", **REPORT)
    house.post()
    assert report_of(house, 2)["hands"][0]["hole"] == ["As", "Ks"]


# --- payment -------------------------------------------------------------------------------


@pytest.fixture
def to_pay(house: ClaimHouse) -> ClaimHouse:
    verify(house)
    confirm(house)
    return house


def test_19_15_parts_in_currency_units_come_to_the_amount(to_pay: ClaimHouse) -> None:
    parts = {"l1-chips": "500", "l1-cash": "501.01"}
    assert "Enter no more than the balance due." in words(paid_at_the_cage(**parts))
    parts |= {"l1-cash": "400.5", "l1-equivalent": "100.50"}
    assert paid_at_the_cage(**parts).status_code == 302
    to_pay.post()
    page = page_of("aroha")
    assert "This claim is closed" in page
    assert "Chips 500.00 Cash 400.50 Cash equivalent 100.50" in page
    assert Payout.objects.get().cashier == "aroha"


def test_paying_takes_the_password_again(to_pay: ClaimHouse) -> None:
    for password in ("", "guessed-by-somebody"):
        answer = paid_at_the_cage(password=password, **{"l1-cash": "1001"})
        assert answer.status_code == 422
        assert "Confirm with your password" in words(answer)
        assert "That is not your password" in words(answer)
    assert not Command.objects.filter(kind="pay").exists()
    cashed(1001)


def test_a_part_is_paid_now_and_the_rest_later(to_pay: ClaimHouse) -> None:
    cashed(400)
    to_pay.post()
    page = page_of("aroha")
    assert "Still due 601.00" in page
    assert "Part paid" in page
    cashed(601, method="chips")
    to_pay.post()
    assert "This claim is closed" in page_of("aroha")
    assert list(Payout.objects.values_list("line", "part", "amount")) == [
        (1, 1, 400_000_000),
        (1, 2, 601_000_000),
    ]


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("1001.001", "This currency has 2 decimals: write 1,234.50."),
        ("one", "This is not an amount: write it like 1,234.50."),
        ("-5", "This is not an amount"),
        ("1e3", "This is not an amount"),
        ("10,01", "This is not an amount"),
    ],
)
def test_an_amount_that_cannot_be_read_pays_nothing(
    to_pay: ClaimHouse, typed: str, why: str
) -> None:
    assert why in words(paid_at_the_cage(**{"l1-cash": typed}))
    assert not Command.objects.filter(kind="pay").exists()


def test_nobody_else_is_paid(to_pay: ClaimHouse) -> None:
    assert "Nothing was paid" in words(paid_at_the_cage(line="5", **{"l5-cash": "1001"}))


# --- who -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["aroha", "tane", "ines"])
def test_roles_without_the_permission_read_only(house: ClaimHouse, name: str) -> None:
    page = page_of(name)
    assert "Verify: For a game supervisor." in page
    assert "Save answers" not in page
    answer = refused(name, do="verify", **ALL_YES)
    assert "Your role does not allow this" in answer
    assert not Action.objects.exists()


def test_a_hand_that_wins_nothing_is_not_verified(db: None, house: ClaimHouse) -> None:
    house.open("t7")
    house.press("t7")
    house.call("t7")
    house.report("t7", PAIR)
    house.post()
    page = page_of("sione", "/claims/main/2/")
    assert "The rules find no seat that wins this prize" in page
    page = refused("sione", "/claims/main/2/", do="verify", **ALL_YES)
    assert "(Rule 19.5)" in page


def test_a_form_that_names_no_act_is_a_bad_request(house: ClaimHouse) -> None:
    assert post("sione", do="wish").status_code == 400


def report_of(house: ClaimHouse, number: int) -> dict[str, Any]:
    report = house.hit(number).report
    assert report is not None
    return report


def logged_page(name: str) -> Any:
    return logged_in(name).get(ADDRESS).content.decode()
