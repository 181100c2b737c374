"""The pages of irregularities and incidents."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jackpot.terms.money import MICROS
from settlement.models import Incident, Proposal, Ruling
from tables.protocol import messages
from tests.support.cases.terms.limits import alone_up_to
from tests.support.pages.page_staff import logged_in, page_of, refused, reply
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PAGE = "/irregularities/"
ROUND = f"{PAGE}main/t3/round/"
MISSED = f"{PAGE}main/t3/missed/"


def build_house() -> ClaimHouse:
    claim_house = ClaimHouse()
    claim_house.open("t3")
    claim_house.press("t3")
    claim_house.post()
    return claim_house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def ask(house: ClaimHouse, **fields: Any) -> int:
    house.say("t3", messages.VoidRequested, round=1, reason="wrong_count", **fields)
    house.post()
    from settlement.floor.rulings import open_requests

    return open_requests("void_requested")[0].entry.event_id or 0


def test_nothing_is_said_plainly(house: ClaimHouse) -> None:
    page = page_of("tane", PAGE)
    for sentence in (
        "No request is open",
        "No signs of missed rounds",
        "Nothing to countersign",
    ):
        assert sentence in page
    assert "No decisions yet" in page
    assert "Void or cancel a round" not in page
    assert "No request is open" in page_of("tane", "/")


def test_a_request_is_decided_on_its_page(house: ClaimHouse) -> None:
    number = ask(house, note="Six cards")
    assert "1 open request" in page_of("sione", "/")
    page = page_of("sione", PAGE)
    assert "Round 1 void?" in page
    assert "wrong number of cards. “Six cards”" in page
    form = f"{ROUND}?request={number}"
    decision = page_of("sione", form)
    assert "The dealer asked" in decision
    assert "wrong number of cards, noticed before substantial action (20.1(e))" in decision
    assert "The deck is defective and the pot not yet pushed (20.1(h))" in decision
    fields = {"round": "1", "reason": "void_round:wrong_count:wrong_count", "note": "Camera 4"}
    assert "Describe what you saw." in refused("sione", form, **{**fields, "note": ""})
    page = reply("sione", form, **fields)
    assert "Queued" in page
    assert "No request is open" in page
    assert "Declared the round void" in page
    house.post()
    assert "decided on it already" in page_of("sione", form)
    assert "just decided" in refused("sione", form, **fields)


def test_a_request_is_refused_with_a_reason(house: ClaimHouse) -> None:
    number = ask(house)
    refuse = f"{PAGE}requests/{number}/refuse/"
    assert "Enter why" in reply("sione", refuse, note="")
    page = reply("sione", refuse, note="Counted again: right")
    assert "Refused the request" in page
    assert "Counted again: right" in page
    assert logged_in("sione").post(f"{PAGE}requests/0/refuse/").status_code == 404


def test_missed_rounds_are_credited_and_countersigned(house: ClaimHouse) -> None:
    alone_up_to(4)
    pool = house.balance("royal:pool")
    assert "4 more rounds" in page_of("sione", MISSED)
    fields = {"count": "3", "evidence": "Camera 4"}
    assert "Write round numbers" in refused("sione", MISSED, **{**fields, "rounds": "x"})
    assert "as many" in refused("sione", MISSED, **{**fields, "rounds": "18"})
    reply("sione", MISSED, **fields)
    house.post()
    assert house.balance("royal:pool") == pool + 3 * MICROS // 2
    page = page_of("mere", PAGE)
    assert "3 missed rounds, Table 3 Camera 4" in page
    assert "3 missed rounds at Table 3, Main floor, by sione Camera 4" in page_of(
        "mere", "/handover/"
    )
    sign = f"{PAGE}missed/{Ruling.objects.get().pk}/countersign/"
    assert "Countersigned." in reply("mere", sign)
    assert "Nothing to countersign" in page_of("mere", PAGE)
    assert "Above today's limit" in reply("sione", MISSED, **fields).replace("&#x27;", "'")
    assert "sione proposes to credit missed rounds" in page_of("mere", "/")
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "You proposed this" in page_of("sione", PAGE)
    assert "Agreed and queued" in reply("mere", agree, password=PASSWORD)
    house.post()
    assert house.balance("royal:pool") == pool + 3 * MICROS


def test_signs_lead_to_the_form(house: ClaimHouse) -> None:
    house.rounds["t3"] = 4
    house.call("t3")
    house.post()
    page = page_of("sione", PAGE)
    assert "A hand, button not pressed" in page
    entry = house.hit(1).place
    assert f"Evidence: sequence no. {entry}" in page_of("sione", f"{MISSED}?entry={entry}&round=4")


def test_a_withdrawn_hand_is_shown_on_its_claim(house: ClaimHouse) -> None:
    house.hit_royal()
    house.say("t3", messages.HandWithdrawn, round=2, reason="Wrong seat")
    house.post()
    page = page_of("sione")
    assert "The dealer asked to withdraw this hand “Wrong seat”" in page
    from settlement.floor.rulings import withdrawals_of
    from settlement.models import Claim

    (withdrawal,) = withdrawals_of(Claim.objects.get())
    decide = f"/claims/main/1/withdrawals/{withdrawal.entry.event_id}/"
    page = reply("sione", decide, note="No royal on camera 4", decision="reject")
    assert "The rejection is proposed" in page
    assert "sione proposed to reject it" in page
    assert "just decided" in reply("sione", decide, note="again", decision="keep")
    assert logged_in("sione").post("/claims/main/1/withdrawals/999999/").status_code == 404


def test_incidents_are_entered_and_resolved(house: ClaimHouse) -> None:
    assert "No incident is open" in page_of("ines", "/incidents/")
    assert "Enter an incident" not in page_of("ines", "/incidents/")
    fields = {"kind": "button", "where": "main/t3", "note": "It sticks"}
    assert "Enter when" in refused("tane", "/incidents/", **fields)
    fields["happened_at"] = "2026-01-02T03:04"
    assert "It stays open" in reply("tane", "/incidents/", **fields)
    assert "1 open incident" in page_of("sione", "/")
    assert "Jackpot button: Table 3 It sticks" in page_of("sione", "/handover/")
    page = page_of("sione", "/incidents/")
    assert "Jackpot button Table 3, Main floor It sticks" in page
    end = f"/incidents/{Incident.objects.get().pk}/resolve/"
    assert "Enter what was done" in reply("sione", end, note="")
    page = reply("sione", end, note="Button changed")
    assert "No incident is open" in page
    assert "Button changed" in page


def test_only_those_who_may(house: ClaimHouse) -> None:
    number = ask(house)
    posts = [ROUND, MISSED, f"{PAGE}requests/{number}/refuse/", f"{PAGE}missed/1/countersign/"]
    for address in posts:
        assert logged_in("tane").post(address).status_code == 403
    assert logged_in("aroha").post("/incidents/1/resolve/").status_code == 403
    fields = {"kind": "button", "where": "main", "note": "x", "happened_at": "2026-01-02T03:04"}
    assert "Your role does not allow this" in refused("ines", "/incidents/", **fields)


@pytest.mark.parametrize("address", [PAGE, "/incidents/"])
def test_pages_ask_a_fixed_number_of_queries(house: ClaimHouse, address: str) -> None:
    client = logged_in("mere")

    def query_count() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(address).status_code == 200
        return len(queries)

    def more() -> None:
        ask(house)
        reply("sione", MISSED, count="1", evidence="Camera 4")
        fields = {"kind": "button", "where": "main/t3", "note": "x"}
        reply("sione", "/incidents/", **fields, happened_at="2026-01-02T03:04")
        reply("sione", "/incidents/", **fields, happened_at="2026-01-02T03:05")
        end = f"/incidents/{Incident.objects.filter(end=None)[0].pk}/resolve/"
        reply("sione", end, note="done")
        house.post()

    more()
    query_count()  # notes that its reader is there
    before = query_count()
    more()
    more()
    assert query_count() == before
