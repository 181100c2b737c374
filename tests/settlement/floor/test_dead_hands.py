"""Dead hands are marked in the report, misdeals named with the void round: the rules judge both."""

import datetime as dt
import uuid
from typing import Any, get_args

import pytest
from django.db import connection

from jackpot.models import Command
from jackpot.writer import commands
from rules.dead_hands import DEAD_HANDS, MISDEALS, VOID_REASONS
from settlement.approvals import proposals
from settlement.claims import services as claims
from settlement.claims.decisions import reversals
from settlement.core.errors import BadReason, BadReport
from settlement.evidence.assessment import examine
from settlement.floor import missed_rounds, rulings
from settlement.models import Claim, Ruling
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable
from tables.protocol.messages import VoidReason
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.settlement_entered_hands import HAND
from tests.support.pages.page_staff import logged_in, page_of, reply, words
from tests.support.people.cast import ClaimHouse, as_
from tests.support.people.permissions.authorisation import at_the_end, refused
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house
from verifier.check import look
from verifier.fold.terms import misdeals

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
BOARD = ["Qs", "Js", "Ts", "2d", "3c"]
RULE = "/irregularities/main/t3/round/"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    return house


house = kept_house(build_house)


def amend(house: ClaimHouse, *hands: dict[str, Any], board: list[str] = BOARD) -> None:
    claim = Claim.objects.select_related("system").get()
    with acting_as("web"):
        claims.amend(claim, person("sione"), {"boards": [board], "hands": list(hands)})
    house.post()


def codes(house: ClaimHouse) -> set[str]:
    verdict = examine(claims.hit_of(Claim.objects.get())).verdict
    assert verdict is not None
    return {reason.code for reason in verdict.reasons}


def agrees() -> None:
    assert look(connection.connection, settled=False).findings == []


def decide(**changes: Any) -> None:
    table = GamingTable.objects.select_related("system__casino").get(code="t3")
    fields: dict[str, Any] = {"reason": "cards_exposed", "note": "Camera 4"}
    with acting_as("web"):
        ruling = rulings.RoundRuling("void_round", table, 1, **fields | changes)
        rulings.decide(ruling, person("sione"), key=uuid.uuid4())
        at_the_end()


# --- one list -------------------------------------------------------------------------------------


def test_what_dealers_ask_by_are_the_misdeals_in_groups() -> None:
    assert set(VOID_REASONS) == set(get_args(VoidReason))
    assert {each.asked_as for each in MISDEALS.values()} == set(VOID_REASONS)
    assert not any(each.asked_as for each in DEAD_HANDS.values())


def test_the_verifier_has_the_same_list_and_the_same_games() -> None:
    by_reason = {
        reason: tuple(each.code for each in MISDEALS.values() if each.asked_as == reason)
        for reason in VOID_REASONS
    }
    assert by_reason == misdeals.MISDEALS
    assert tuple(DEAD_HANDS) == misdeals.DEAD_HANDS
    both = {**MISDEALS, **DEAD_HANDS}.values()
    assert {each.code: each.games for each in both if each.games} == misdeals.GAMES


# --- dead hands -----------------------------------------------------------------------------------


def test_a_hand_that_was_ruled_dead_wins_nothing_and_the_reason_says_why(
    house: ClaimHouse,
) -> None:
    amend(house, {**HAND, "dead": "in_the_muck"})
    assert house.hit(1).report["hands"][0]["dead"] == "in_the_muck"  # type: ignore[index]
    page = page_of("sione")
    assert "has a dead hand: the player has cards lost in the muck" in page
    assert "Robert's 3, dead hands 2" in page.replace("&#x27;", "'")
    assert "dead_hand" in codes(house)
    agrees()
    amend(house, HAND)  # it was not: the claim has its prize as before
    assert "dead_hand" not in codes(house)
    assert "dead" not in house.hit(1).report["hands"][0]  # type: ignore[index]
    agrees()


def test_the_wrong_number_of_a_dead_hand_faults_nobody_else(house: ClaimHouse) -> None:
    dead = {**HAND, "seat": 5, "hole": ["Ah"], "won_pot": False}
    amend(house, HAND, dead)
    assert "hole_count" in codes(house)
    amend(house, HAND, {**dead, "dead": "acted_on_wrong_count"})
    assert "hole_count" not in codes(house)
    assert house.hit(1).tier is not None
    agrees()


def test_who_asks_for_the_flop_may_be_alone_with_a_dead_hand(house: ClaimHouse) -> None:
    dead = {**HAND, "seat": 5, "hole": ["Ah", "Ad"], "won_pot": False, "dead": "out_of_time"}
    claim = Claim.objects.select_related("system").get()
    report = {"boards": [BOARD[:3]], "hands": [HAND, dead], "flop_on_request": True}
    with acting_as("web"):
        claims.amend(claim, person("sione"), report)
    house.post()
    assert "others_not_folded" not in codes(house)
    agrees()


def test_what_the_game_does_not_have_is_a_fault(house: ClaimHouse) -> None:
    amend(house, {**HAND, "dead": "not_discarded"})
    assert "dead_hand_of_another_game" in codes(house)
    agrees()


def test_what_is_not_of_the_list_is_not_taken(house: ClaimHouse) -> None:
    with pytest.raises(BadReport):
        amend(house, {**HAND, "dead": "unlucky"})
    answer = house.decide(
        "amend_hand",
        "sione",
        None,
        hit=1,
        report={"boards": [BOARD], "hands": [{**HAND, "dead": ""}]},
    )
    assert "cannot be read" in str(answer.refused)
    agrees()


def test_it_is_chosen_in_the_form_and_stands_there_again(house: ClaimHouse) -> None:
    form = {"board": "Qs Js Ts 2d 3c", "hand-TOTAL_FORMS": "1", "hand-INITIAL_FORMS": "1"}
    form |= {"hand-0-seat": "3", "hand-0-hole": "As Ks", "hand-0-exposed": "yes"}
    form |= {"hand-0-participating": "on", "hand-0-dead": "mixed"}
    reply("sione", "/claims/main/1/amend/", **form)
    house.post()
    assert house.hit(1).report["hands"][0]["dead"] == "mixed"  # type: ignore[index]
    page = logged_in("sione").get("/claims/main/1/amend/").content.decode()
    assert '<option value="mixed" selected>' in page
    row = as_("tane").get("/api/claims/main-1/").json()["report"]["hands"][0]
    assert row["dead"] == "mixed"


# --- misdeals -------------------------------------------------------------------------------------


def test_the_misdeal_is_named_and_the_verdict_has_it(house: ClaimHouse) -> None:
    decide(misdeal="exposed_holes")
    house.post()
    assert Command.objects.get(kind="void_round").body["misdeal"] == "exposed_holes"
    assert Ruling.objects.get().misdeal == "exposed_holes"
    page = page_of("sione")
    assert "The round is void: several cards were exposed, so no hand of it can qualify" in page
    assert "20.1(p)" in page
    assert "Several cards were exposed" in page_of("sione", "/irregularities/")
    agrees()


def test_where_the_game_has_one_alone_it_needs_no_name(house: ClaimHouse) -> None:
    decide()
    assert Ruling.objects.get().misdeal == "exposed_holes"


@pytest.mark.parametrize(
    "changes",
    [
        {"misdeal": "exposed_holes_manila"},
        {"misdeal": "defective_deck"},
        {"misdeal": "bad_luck"},
    ],
)
def test_another_games_or_another_reasons_is_not_taken(
    house: ClaimHouse, changes: dict[str, Any]
) -> None:
    with pytest.raises(BadReason, match="Choose the misdeal"):
        decide(**changes)
    body = {"table": "t3", "round": 1, "reason": "cards_exposed", "note": "x", **changes}
    assert "Choose a misdeal" in str(house.decide("void_round", "sione", None, **body).refused)
    agrees()


def test_the_form_offers_what_the_game_has(house: ClaimHouse) -> None:
    page = page_of("sione", RULE)
    assert "Several cards were exposed (20.1(p))" in page
    assert "20.1(l)" not in page
    reply("sione", RULE, round="1", note="x", reason="void_round:defective_deck:defective_deck")
    assert Ruling.objects.get().misdeal == "defective_deck"


@pytest.mark.parametrize(("ruled", "misdeal"), [("", "exposed_holes"), ("exposed_holes", None)])
def test_the_database_asks_that_command_and_ruling_name_the_same(
    house: ClaimHouse, ruled: str, misdeal: str | None
) -> None:
    body = {"table": "t3", "round": 1, "reason": "cards_exposed", "note": "x"}
    body |= {"misdeal": misdeal} if misdeal else {}
    with acting_as("web"), refused("says something else"):
        number = commands.queue(house.system, "void_round", body, first="sione")
        Ruling.objects.create(
            system=house.system,
            table=GamingTable.objects.get(code="t3"),
            kind="void_round",
            round=1,
            reason="cards_exposed",
            misdeal=ruled,
            note="x",
            day=dt.date(2026, 11, 21),
            command=number,
            person=person("sione"),
            key=uuid.uuid4(),
        )


def test_a_missed_completion_is_taken_from_the_web_process(house: ClaimHouse) -> None:
    """Its ruling says `completion`, its command has no reason: that is no contradiction."""
    table = GamingTable.objects.select_related("system__casino").get(code="t3")
    with acting_as("web"):
        missed_rounds.credit(
            table,
            person("sione"),
            missed_rounds.MissedCredit(
                count=1,
                evidence="Camera 4",
                rounds=[1],
                completion=True,
                figures={"pot": 100_000_000},
            ),
            key=uuid.uuid4(),
        )
        at_the_end()


# --- reversals ------------------------------------------------------------------------------------


def test_a_reversal_names_which() -> None:
    house = ConfirmedHouse()
    fields: dict[str, Any] = {"evidence": "Camera 4", "recovered": {}}
    david = logged_in("david")  # the database lets nobody log in without a password
    with acting_as("web"):
        for reason, which in (("R08", None), ("R10", "defective_deck"), ("R13", "joker")):
            with pytest.raises(BadReason, match="choose the misdeal"):
                reversals.propose(
                    house.claim, person("anahera"), reason=reason, irregularity=which, **fields
                )
        proposal = reversals.propose(
            house.claim, person("anahera"), reason="R10", irregularity="mixed", **fields
        )
        assert "threw cards into another player" in words(david.get("/claims/main/1/"))
        reversals.agree(proposal, Reauthenticated(person("david")))
    house.post()
    assert house.hit(1).state == "reversed"
    assert Command.objects.get(kind="reverse_claim").body["irregularity"] == "mixed"
    assert proposals.of_claim(house.claim)
    agrees()


@pytest.mark.parametrize("which", ["joker", "bad_luck"])
def test_fold_and_verifier_take_no_other(which: str) -> None:
    house = ConfirmedHouse()
    body: dict[str, Any] = {"hit": 1, "reason": "R08", "evidence": "x", "irregularity": which}
    answer = house.decide("reverse_claim", "anahera", "david", **body)
    assert "Choose one of the misdeals" in str(answer.refused)
    agrees()


def test_a_reversal_names_which_on_the_page_and_by_the_api() -> None:
    house = ConfirmedHouse()
    page = "/claims/main/1/reverse/"
    assert "20.33: did not discard in time" in page_of("anahera", page)
    answer = as_("anahera").post(
        "/api/claims/main-1/propose-reversal/",
        {"reason": "R08", "evidence": "x", "irregularity": "bad_luck"},
        format="json",
    )
    assert answer.status_code == 422
    reply("anahera", page, reason="R08", irregularity="exposed_holes", evidence="Camera 4")
    assert "Misdeal: several cards were exposed" in page_of("david")
    assert house.hit(1).state == "confirmed"
