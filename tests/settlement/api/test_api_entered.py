"""Hands entered through the API: the page's service, its people, once for each key."""

import uuid
from typing import Any

import pytest

from jackpot.models import Command
from jackpot.terms.money import MICROS
from settlement.models import Ruling
from settlement.people.rights import staff_play
from tables.models import GamingTable
from tests.support.cases.confirmed_house import person
from tests.support.cases.settlement_entered_hands import REPORT
from tests.support.people.cast import ClaimHouse, action, as_, read
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
ENTER = "/api/tables/main/t3/enter-hand/"
HAND: dict[str, Any] = {
    "game": "holdem",
    "seats": [3],
    "tier": "royal",
    "seen": 0,
    "note": "The unit is dark",
}


def build_house() -> ClaimHouse:
    claim_house = ClaimHouse()
    claim_house.open("t3")
    claim_house.press("t3")
    claim_house.post()
    return claim_house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def enter(who: str = "sione", key: uuid.UUID | None = None, **changes: Any) -> Any:
    headers = {"Idempotency-Key": str(key)} if key else {}
    body = {name: text for name, text in (HAND | changes).items() if text != "left out"}
    return as_(who).post(ENTER, body, format="json", headers=headers)


def test_a_hand_takes_its_place_and_holds_its_prize(house: ClaimHouse) -> None:
    answer = enter()
    assert (answer.status_code, answer.json()) == (202, {"queued": True, "claim": None})
    house.post()
    assert house.hit(1).held == 1001 * MICROS  # 1,000.50 rounded up
    claim = read("/api/claims/main-1/")
    assert (claim["entered_by"], claim["round"]) == ("sione", None)


def test_the_same_key_is_the_same_hand(house: ClaimHouse) -> None:
    key = uuid.uuid4()
    enter(key=key)
    house.post()
    again = enter(key=key)
    assert (again.status_code, again.json()) == (200, {"queued": False, "claim": 1})
    assert house.head.hit_number == Ruling.objects.count() == 1
    assert enter(key=key, who="anahera").status_code == 422
    assert (
        as_("sione").post(ENTER, HAND, format="json", headers={"Idempotency-Key": "x"}).status_code
        == 400
    )


def test_cards_decide_and_are_written_as_elsewhere(house: ClaimHouse) -> None:
    assert enter(tier=None, report=REPORT, round=1).status_code == 202
    house.post()
    hit = house.hit(1)
    report: Any = hit.report
    assert (hit.round, hit.held, report["hands"][0]["hole"]) == (1, 1001 * MICROS, ["As", "Ks"])


def test_a_prize_is_chosen_or_left_open_on_purpose(house: ClaimHouse) -> None:
    answer = enter(tier="left out")
    assert (answer.status_code, Command.objects.filter(kind="enter_hand").count()) == (422, 0)
    assert enter(tier=None).status_code == 202
    house.post()
    assert (house.hit(1).tier, house.hit(1).held) == (None, 0)


@pytest.mark.parametrize("who", ["tane", "david", "aroha", "ines"])
def test_only_supervisors(house: ClaimHouse, who: str) -> None:
    assert enter(who).status_code == 403
    for what in ("separate", "unpair", "name-round"):
        house.call("t3")
        house.post()
        assert action(who, what, note="x", round=2).status_code == 403


def test_whoever_plays_there_and_what_cannot_be_read(house: ClaimHouse) -> None:
    for wrong in ({"game": "whist"}, {"deck": 48}, {"seats": [99]}, {"note": ""}, {"round": 0}):
        assert enter(**wrong).status_code == 422
    assert enter(seats=[]).status_code == 422
    assert enter(report={"boards": []}).status_code == 422
    assert (
        as_("sione").post("/api/tables/main/t99/enter-hand/", HAND, format="json").status_code
        == 404
    )
    table = GamingTable.objects.get(code="t3")
    staff_play.sit_down(person("sione"), table, person("anahera"))
    assert enter().status_code == 403
    assert not Command.objects.filter(kind="enter_hand").exists()


def test_a_pair_is_made_undone_and_kept_apart(house: ClaimHouse) -> None:
    enter()
    house.post()
    house.press("t3")
    house.call("t3")
    house.post()
    assert action("anahera", "name-round", round=2, note="Camera 4").status_code == 202
    house.post()
    assert read("/api/claims/main-2/")["same_as"] == "main-1"
    assert action("anahera", "unpair", note="Seat 5, not 3").status_code == 202
    house.post()
    assert read("/api/claims/main-2/")["same_as"] is None
    assert house.hit(2).held == 1001 * MICROS  # 1,000.50: the press after the first hand
    assert action("anahera", "unpair", note="x").status_code == 409
    assert action("anahera", "separate", note="x").status_code == 409


def test_the_schema_names_them(house: ClaimHouse) -> None:
    paths = as_("sione").get("/api/schema/?format=json").json()["paths"]
    assert paths["/api/tables/{system}/{table}/enter-hand/"]["post"]["operationId"] == "enter_hand"
    for what in ("name-round", "separate", "unpair"):
        assert f"/api/claims/{{system}}-{{number}}/{what}/" in paths
