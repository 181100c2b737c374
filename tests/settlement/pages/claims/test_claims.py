"""Overview, list of claims and the claim: what they show, to whom, at what cost."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from jackpot.display import values as display
from jackpot.models import Head, Hit
from settlement.audit.reconciliation import reconcile
from settlement.pages.shared.context import console
from tables.alarms import raise_alarm
from tables.models import Alarm, Casino, JackpotSystem
from tables.protocol import messages
from tests.support.pages.page_staff import (
    ADDRESS,
    cashed,
    confirm,
    logged_in,
    page_of,
    refused,
    reply,
    verify,
)
from tests.support.people.cast import PAIR, ROYAL, ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def hands(house: ClaimHouse, number: int) -> None:
    """So many royal flushes, each in a round of its own."""
    for _ in range(number):
        house.hit_royal()


# --- who sees ------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/", "/claims/", ADDRESS, f"{ADDRESS}print/"])
def test_nobody_looks_without_logging_in(house: ClaimHouse, address: str) -> None:
    answer = Client().get(address)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/login/?next=")


def test_a_form_that_is_sent_without_a_log_in_leads_back_to_its_page(house: ClaimHouse) -> None:
    house.hit_royal()
    answer = Client().post(
        f"{ADDRESS}notes/", {"text": "Typed"}, headers={"referer": f"http://testserver{ADDRESS}"}
    )
    assert (answer.status_code, answer["Location"]) == (302, f"/login/?next={ADDRESS}")
    for referer in ("https://elsewhere.example/claims/", ""):
        answer = Client().post(f"{ADDRESS}notes/", {"text": "Typed"}, headers={"referer": referer})
        assert answer["Location"] == "/login/?next=/"


@pytest.mark.parametrize("address", ["/", "/claims/", ADDRESS])
def test_a_person_without_a_role_is_told_so(house: ClaimHouse, address: str) -> None:
    house.hit_royal()
    answer = logged_in("nobody").get(address)
    assert answer.status_code == 403
    assert b"Your role does not allow this" in answer.content


@pytest.mark.parametrize("address", ["/claims/main/9/", "/claims/nowhere/1/"])
def test_a_claim_that_is_not_there(house: ClaimHouse, address: str) -> None:
    assert logged_in("sione").get(address).status_code == 404


def test_pages_are_not_kept_for_the_next_person(house: ClaimHouse) -> None:
    assert "no-store" in logged_in("sione").get("/")["Cache-Control"]


def test_the_shell_asks_nothing_for_anybody_unknown(
    house: ClaimHouse, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    request = RequestFactory().get("/")
    with django_assert_num_queries(0):
        assert console(request) == {"rehearses": False}
        request.user = AnonymousUser()
        assert console(request) == {"rehearses": False}


# --- overview ------------------------------------------------------------------------------


def test_a_quiet_night(house: ClaimHouse) -> None:
    page = page_of("sione", "/")
    assert "No claim is open" in page
    assert "No alarm is open" in page
    assert "Nothing in 24 hours" in page
    assert "Main floor never yet" in page
    assert "Needs you now" not in page


def test_an_installation_without_anything(db: None, house: ClaimHouse) -> None:
    JackpotSystem.objects.create(casino=Casino.objects.get(), code="new", name="New room")
    assert "No terms are in effect on this system yet" in page_of("sione", "/")


def test_what_needs_me_depends_on_who_i_am(house: ClaimHouse) -> None:
    house.hit_royal()
    assert "Needs you now" in page_of("sione", "/")
    page = page_of("mere", "/")
    assert "Needs you now" not in page
    assert "Waits for a game supervisor to verify" in page
    verify(house)
    assert "Needs you now" in page_of("mere", "/")
    confirm(house)
    assert "Needs you now" in page_of("aroha", "/")


def test_of_equal_claims_the_oldest_comes_first(house: ClaimHouse) -> None:
    hands(house, 3)
    page = page_of("sione", "/")
    assert page.index("MAIN-1,") < page.index("MAIN-2,") < page.index("MAIN-3,")


def test_pools_alarms_and_a_halted_system_are_seen(house: ClaimHouse) -> None:
    raise_alarm("quarantine", "main/t4", "A message was quarantined.", house.system)
    reconcile(house.system)
    Head.objects.filter(pk=house.system.pk).update(
        halted_at=timezone.now(), halted_on="entry 12 (hand_called)"
    )
    answer = logged_in("mere").get("/").content.decode()
    assert 'data-live-tier="main/royal"' in answer
    page = page_of("mere", "/")
    assert "Main floor has been halted since" in page
    assert "It could not process entry 12 (hand_called)" in page
    assert "A message was quarantined." in page
    assert ", balanced" in page


def test_an_alarm_is_cleared_with_a_note_by_those_who_may(house: ClaimHouse) -> None:
    raise_alarm("quarantine", "main/t4", "A message was quarantined.", house.system)
    assert "Clear this alarm" not in page_of("sione", "/")
    assert "Clear this alarm" in page_of("mere", "/")
    alarm = Alarm.objects.get()
    logged_in("mere").post(f"/alarms/{alarm.pk}/clear/", {"note": "Unit of table 4 replaced"})
    alarm.refresh_from_db()
    assert (alarm.cleared_by, alarm.cleared_note) == ("mere", "Unit of table 4 replaced")


# --- list ----------------------------------------------------------------------------------


def test_open_claims_first_and_the_rest_by_choice(house: ClaimHouse) -> None:
    hands(house, 2)
    verify(house)
    confirm(house)
    cashed(house.hit(1).held // 10**6)
    house.post()
    assert "MAIN-1" not in page_of("sione", "/claims/")
    assert "MAIN-2" in page_of("sione", "/claims/")
    page = page_of("sione", "/claims/?standing=closed")
    assert "MAIN-1" in page
    assert "MAIN-2" not in page
    page = page_of("sione", "/claims/?standing=all")
    assert page.index("MAIN-2") < page.index("MAIN-1")
    assert "No claim matches" in page_of("sione", "/claims/?standing=rejected")
    table = house.system.tables.get(code="t7")
    assert "No claim matches" in page_of("sione", f"/claims/?standing=all&table={table.pk}")
    tier = house.system.tiers.get()
    assert "MAIN-2" in page_of("sione", f"/claims/?tier={tier.pk}&system=main")
    assert "MAIN-2" in page_of("sione", "/claims/?standing=nonsense&table=x&page=99")


def test_a_page_at_a_time(house: ClaimHouse) -> None:
    hands(house, 27)
    page = page_of("sione", "/claims/")
    assert "25 claims on this page" in page
    answer = logged_in("sione").get("/claims/").content.decode()
    match = re.search(r'rel="next" href="([^"]+)"', answer)
    assert match
    assert "2 claims on this page" in page_of("sione", f"/claims/{match[1]}")


@pytest.mark.parametrize("address", ["/", "/claims/"])
def test_the_number_of_claims_costs_no_query(
    house: ClaimHouse, address: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = logged_in("sione")
    costs = []
    for number in (1, 12):
        hands(house, number)
        client.get(address)  # opens the claims
        with django_assert_max_num_queries(28) as captured:
            client.get(address)
        costs.append(len(captured))
    assert costs[0] == costs[1]


def test_a_claim_is_a_fixed_number_of_queries(
    house: ClaimHouse, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    hands(house, 12)
    client = logged_in("sione")
    client.get(ADDRESS)
    with django_assert_max_num_queries(41):
        client.get("/claims/main/12/")


# --- claim ---------------------------------------------------------------------------------


def test_the_cards_and_what_the_rules_say(house: ClaimHouse) -> None:
    house.hit_royal()
    answer = logged_in("sione").get(ADDRESS).content.decode()
    assert answer.count('card-face counts"') == 5
    page = page_of("sione")
    assert "NZD 1,001.00" in page
    assert "Wins the prize" in page
    assert "Royal Flush: royal flush" in page
    assert "9 Hearts" not in page
    assert "13 Hearts" in page
    assert "Seat 3 NZD 1,001.00" in page
    assert "Pool at its place 1,000.50 Rounded up to 1.00 Added by the operator 0.50" in page


def test_what_the_display_had_shown_is_evidence(house: ClaimHouse) -> None:
    display.refresh(house.system.pk)
    house.hit_royal()
    page = page_of("sione")
    assert "Royal Flush This claim 1,000.50 1,000.00" in page
    assert "does not count" not in page


def test_19_14_what_the_display_showed_before_another_hit_does_not_count(
    house: ClaimHouse,
) -> None:
    display.refresh(house.system.pk)
    hands(house, 2)
    page = page_of("sione", "/claims/main/2/")
    assert "1,000.00 hit since: does not count" in page
    assert "Display showed more" not in page


def test_19_18_later_boards_are_evidence(house: ClaimHouse) -> None:
    house.open("t3")
    house.press("t3")
    hand = messages.ReportedHand(
        seat=3,
        hole=["As", "Ks"],
        exposed="yes",
        folded=False,
        participating=True,
        won_pot=True,
    )
    boards = [["2h", "3h", "4c", "5d", "9c"], ROYAL[1].split()]
    house.say("t3", messages.HandReported, round=house.rounds["t3"], boards=boards, hands=[hand])
    house.post()
    page = page_of("sione")
    assert "Board 2: evidence, does not count (19.18)" in page
    assert "No hand qualifies" in page


def test_a_faulty_report_is_shown_as_it_was_typed(house: ClaimHouse) -> None:
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.report("t3", ("As <b>", ROYAL[1]))
    house.post()
    answer = logged_in("sione").get(ADDRESS).content.decode()
    assert "&lt;b&gt;" in answer
    assert "<b>" not in answer
    page = page_of("sione")
    assert "Faulty report" in page
    assert "The claim keeps its place and its amount." in page


def test_a_later_claim_says_what_is_safe_and_what_it_waits_for(house: ClaimHouse) -> None:
    house.hit_royal()
    for _ in range(3):
        house.press("t3")
    house.hit_royal()
    page = page_of("sione", "/claims/main/2/")
    assert "Depends on MAIN-1" in page
    assert "NZD 1,002.00 is safe whatever is decided on it" in page
    assert "it may rise to NZD 1,003.00 if that one is rejected" in page
    assert "and can be confirmed and paid at once" in page
    assert "Provisional" in page


def test_what_is_out_of_the_ordinary_stands_in_the_head(house: ClaimHouse) -> None:
    house.open("t3")
    house.rounds["t3"] = 1
    house.call("t3", "quads")
    house.report("t3")
    house.post()
    reply("sione", do="checklist", sealed="no", **{"sealed-note": "Bag torn"})
    head = page_of("sione").partition("Table 3, Main floor")[0]
    assert "Button not pressed (19.19)" in head
    assert "Called for a prize not known here" in head
    assert "1 “no” on the checklist" in head
    house.hit_royal("t7")
    assert "19.19" not in page_of("sione", "/claims/main/2/").partition("Table 7, Main floor")[0]


def test_a_hand_that_acts_later_than_its_place_says_so(house: ClaimHouse) -> None:
    house.hit_royal()
    hit = house.hit(1)
    assert "Actions at" not in page_of("sione")
    Hit.objects.filter(system=hit.system_id, number=1).update(acts_at=hit.place + 7)
    page = page_of("sione")
    assert f"Takes effect at sequence no. {hit.place + 7} " in page
    assert (
        f"Takes effect at sequence no. {hit.place + 7}: a later claim was already confirmed" in page
    )


def test_other_prizes_are_named_apart(db: None, settings: Settings) -> None:
    settings.CLAIM_WAIT_S = 0
    terms = royal_terms()
    pair = {
        **terms["tiers"][0],
        "code": "pair",
        "name": "Any Pair",
        "rank": 2,
        "qualifying": {"weakest": {"category": "one_pair", "ranks": ["2"]}, "games": ["holdem"]},
    }
    house = ClaimHouse({**terms, "tiers": [terms["tiers"][0], pair]})
    house.open("t3")
    house.press("t3")
    house.call("t3", "pair")
    house.report("t3", PAIR)
    house.post()
    page = page_of("sione")
    assert "Claim MAIN-1: Any Pair" in page
    assert "About other prizes" in page
    assert "Royal Flush: " in page.partition("About other prizes")[2]


def test_what_happened_is_told_with_who_and_on_which_report(house: ClaimHouse) -> None:
    house.hit_royal()
    assert "Nobody has acted on this claim yet" in page_of("tane")
    verify(house)
    page = page_of("tane").partition("Activity")[2]
    assert "sione" in page
    assert "on version 1 of the report" in page
    assert "Hand called Table 3" in page
    assert "Hand reported Table 3, version 1 of the report" in page


def test_the_page_can_tell_that_the_claim_changed(house: ClaimHouse) -> None:
    house.hit_royal()
    client = logged_in("tane")

    def version() -> Any:
        return client.get(f"{ADDRESS}version/").content.decode()

    before = version()
    assert f'data-version="{before}"' in client.get(ADDRESS).content.decode()
    assert version() == before
    refused("sione", do="verify", frozen="yes")
    assert version() != before


def test_the_paper_has_lines_to_sign(house: ClaimHouse) -> None:
    house.hit_royal()
    assert "Game supervisor Casino manager" in page_of("tane", f"{ADDRESS}print/")
    verify(house)
    confirm(house)
    page = page_of("tane", f"{ADDRESS}print/")
    assert "Received NZD 1,001.00, seat 3: name and signature" in page
