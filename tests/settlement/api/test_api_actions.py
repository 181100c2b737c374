"""Verify, confirm and reject through the API: who may, in which state, and only once."""

import threading
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from pytest_django import Settings
from rest_framework.test import APIClient

from jackpot.models import Command
from jackpot.terms.money import MICROS
from jackpot.writer.poster import Poster
from settlement.models import Action, CheckAnswer
from tests.support.people.cast import ALL_YES, PAIR, PASSWORD, REASON, ClaimHouse, action, as_, read
from tests.support.suite.kept_house import kept_house

CLAIM = "/api/claims/main-1/"
HELD = 1001 * MICROS
KEY = uuid.UUID("00000000-0000-4000-8000-000000000001")


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def confirm(name: str, key: uuid.UUID | None = None, **changes: Any) -> Any:
    body: dict[str, Any] = {"amount_micros": HELD, "password": PASSWORD, **changes}
    return action(name, "confirm", key, **body)


@pytest.mark.parametrize("what", ["verify", "confirm", "reject"])
def test_nobody_acts_without_logging_in(house: ClaimHouse, what: str) -> None:
    answer = APIClient().post(f"{CLAIM}{what}/", {}, format="json")
    assert answer.status_code == 401
    assert answer.json()["code"] == "not_authenticated"


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("verify", ["mere", "aroha", "tane", "ines"]),
        ("confirm", ["sione", "aroha", "tane", "ines"]),
        ("propose-rejection", ["aroha", "tane", "ines"]),
        ("second-rejection", ["sione", "aroha", "tane", "ines"]),
        ("reject", ["aroha", "tane", "ines"]),
    ],
)
def test_roles_decide_who_may(house: ClaimHouse, what: str, names: list[str]) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "verify": {"answers": ALL_YES},
        "confirm": {"amount_micros": HELD, "password": PASSWORD},
        "second-rejection": {"password": PASSWORD},
    }
    body = bodies.get(what, REASON)
    for name in [*names, "nobody"]:
        answer = action(name, what, **body)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_permitted"), name
    assert not Action.objects.exists()
    assert not CheckAnswer.objects.exists()


def test_verification_needs_the_whole_checklist(house: ClaimHouse) -> None:
    for word in ("no", "na"):
        answer = action("sione", "verify", answers={**ALL_YES, "sealed": word})
        assert answer.json()["code"] == "checklist_incomplete"
        assert "needs a note" in answer.json()["detail"]
    some = {code: "yes" for code in ALL_YES if code != "frozen"}
    answer = action("sione", "verify", answers=some)
    assert (answer.status_code, answer.json()["rule"]) == (422, "19.12")
    assert "Pot not pushed" in answer.json()["detail"]
    assert not CheckAnswer.objects.exists(), "all of it or nothing"
    body: dict[str, Any] = {"answers": {**ALL_YES, "sealed": "yes"}, "note": "clear"}
    answer = action("sione", "verify", **body)
    assert (answer.status_code, answer.json()["code"]) == (422, "checklist_incomplete")
    assert "Bag number is missing" in answer.json()["detail"]
    bag = {"sealed": {"bag": "H-41"}}
    answer = action("sione", "verify", **body, things=bag, notes={"sealed": "in the safe"})
    assert answer.status_code == 200
    assert answer.json()["standing"] == "verified"
    by_item = {row["item"]: row for row in answer.json()["checklist"]}
    assert by_item["sealed"]["note"] == "in the safe"
    assert by_item["sealed"]["evidence"] == {"bag": "H-41"}
    assert by_item["sealed"]["asked_above_micros"] is None
    assert by_item["sealed"]["person"] == "sione"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"answers": {"weather": "yes"}}, "weather"),
        ({"answers": {"sealed": "perhaps"}}, "answers.sealed"),
        ({"notes": {"sealed": "x" * 501}}, "notes.sealed"),
        ({"note": "x" * 2001}, "note"),
        ({"things": {"frozen": {"bag": "1"}}}, "frozen"),
        ({"things": {"sealed": {"bag": {"a": 1}}}}, "things.sealed"),
    ],
)
def test_what_does_not_fit_is_named(house: ClaimHouse, body: dict[str, Any], name: str) -> None:
    answer = action("sione", "verify", **body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert name in answer.json()["detail"]


def test_a_body_that_is_no_object_and_a_key_that_is_no_uuid(house: ClaimHouse) -> None:
    for who, what in (("sione", "verify"), ("mere", "confirm"), ("mere", "reject")):
        answer = as_(who).post(f"{CLAIM}{what}/", [1], format="json")
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    answer = as_("sione").post(
        f"{CLAIM}verify/", {}, format="json", headers={"Idempotency-Key": "again"}
    )
    assert answer.json()["fields"] == {"Idempotency-Key": ["Give a UUID."]}
    answer = as_("sione").post(f"{CLAIM}verify/", "{", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")


def test_a_hand_that_wins_nothing_cannot_be_verified(db: None, no_writer: None) -> None:
    house = ClaimHouse()
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.report("t3", PAIR)
    house.post()
    answer = action("sione", "verify", answers=ALL_YES)
    assert (answer.status_code, answer.json()["code"]) == (422, "hand_does_not_qualify")
    assert answer.json()["rule"] == "19.5"


def test_a_confirmation_waits_for_the_writer(house: ClaimHouse) -> None:
    action("sione", "verify", answers=ALL_YES)
    answer = confirm("mere")
    assert (answer.status_code, answer.json()) == (202, {"queued": True})
    assert read(CLAIM)["standing"] == "verified"
    house.post()
    claim = read(CLAIM)
    assert claim["standing"] == "confirmed"
    assert [(a["kind"], a["person"]) for a in claim["actions"]] == [
        ("verify", "sione"),
        ("confirm", "mere"),
    ]
    assert claim["payees"] == [
        {
            "line": 1,
            "role": "winner",
            "seat": 3,
            "amount_micros": HELD,
            "state": "due",
            "paid_micros": 0,
            "payouts": [],
        }
    ]


def test_what_is_not_verified_is_not_confirmed(house: ClaimHouse) -> None:
    answer = confirm("mere")
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_state")


def test_nobody_confirms_what_he_verified(house: ClaimHouse) -> None:
    User.objects.get(username="sione").groups.add(Group.objects.get(name="Casino manager"))
    action("sione", "verify", answers=ALL_YES)
    answer = confirm("sione")
    assert (answer.status_code, answer.json()["code"]) == (409, "same_person")
    assert answer.json()["rule"] == "19.12"
    assert house.hit(1).state == "held"


def test_a_confirmation_needs_the_password(house: ClaimHouse) -> None:
    action("sione", "verify", answers=ALL_YES)
    answer = confirm("mere", password="guess")
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_password")
    answer = action("mere", "confirm", amount_micros=HELD)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["password"])
    assert not Command.objects.filter(kind="confirm_claim").exists()


def test_wrong_passwords_lock_the_person_out(house: ClaimHouse, settings: Settings) -> None:
    action("sione", "verify", answers=ALL_YES)
    for _ in range(settings.AXES_FAILURE_LIMIT):
        confirm("mere", password="guess")
    assert confirm("mere").status_code == 429
    assert not Command.objects.filter(kind="confirm_claim").exists()
    assert confirm("david").status_code == 202


def test_an_amount_that_changed_is_not_confirmed(house: ClaimHouse) -> None:
    action("sione", "verify", answers=ALL_YES)
    answer = confirm("mere", amount_micros=HELD - 1)
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_state")
    assert "read it again" in answer.json()["detail"]


def test_what_the_writer_declines_is_a_conflict(house: ClaimHouse) -> None:
    house.hit_royal("t7")
    answer = action("sione", "verify", number=2, answers=ALL_YES)
    body: dict[str, Any] = {"amount_micros": answer.json()["due_micros"], "password": PASSWORD}
    assert action("mere", "confirm", uuid.uuid4(), 2, **body).status_code == 202
    assert action("david", "confirm", KEY, 2, **body).status_code == 202  # both before the writer
    house.post()
    answer = action("david", "confirm", KEY, 2, **body)
    assert (answer.status_code, answer.json()["code"]) == (409, "declined")
    assert "confirmed already" in answer.json()["detail"]


def test_the_second_click_with_the_same_key_is_the_first(house: ClaimHouse) -> None:
    verified = uuid.uuid4()
    for _ in range(2):
        assert action("sione", "verify", verified, answers=ALL_YES).json()["standing"] == "verified"
    assert confirm("mere", KEY).status_code == 202
    assert confirm("mere", KEY).status_code == 202
    house.post()
    answer = confirm("mere", KEY)
    assert (answer.status_code, answer.json()["standing"]) == (200, "confirmed")
    assert confirm("mere", uuid.uuid4()).status_code == 409
    assert list(Action.objects.values_list("kind", flat=True)) == ["verify", "confirm"]
    assert Command.objects.filter(kind="confirm_claim").count() == 1


def test_a_key_belongs_to_one_act_of_one_person(house: ClaimHouse) -> None:
    action("sione", "verify", KEY, answers=ALL_YES)
    for answer in (
        confirm("mere", KEY),
        action("anahera", "verify", KEY, answers=ALL_YES),
        action("sione", "reject", KEY, **REASON),
    ):
        assert (answer.status_code, answer.json()["code"]) == (422, "key_used")
    assert Action.objects.count() == 1


@pytest.mark.parametrize("ways", [("propose-rejection", "second-rejection"), ("reject", "reject")])
def test_two_people_reject(house: ClaimHouse, ways: tuple[str, str]) -> None:
    propose, second = ways
    answer = action("mere", propose, **REASON)
    assert answer.status_code == 200
    assert (answer.json()["standing"], answer.json()["rejection_proposed"]) == ("reported", True)
    answer = action("mere", second, password=PASSWORD)
    assert (answer.status_code, answer.json()["code"]) == (409, "same_person")
    assert action("mere", propose, **REASON).json()["code"] == "wrong_state"
    answer = action("david", second, password="guess")
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_password")
    answer = action("david", second, KEY, password=PASSWORD)
    assert answer.status_code == 202
    house.post()
    answer = action("david", second, KEY, password=PASSWORD)
    assert (answer.status_code, answer.json()["standing"]) == (200, "rejected")
    assert [(a["kind"], a["person"]) for a in answer.json()["actions"]] == [
        ("propose_rejection", "mere"),
        ("second_rejection", "david"),
    ]
    assert answer.json()["actions"][0]["details"] == REASON


def test_rejecting_for_another_reason_than_the_colleague(house: ClaimHouse) -> None:
    action("mere", "reject", **REASON)
    answer = action("david", "reject", password=PASSWORD, reason="R05")
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_state")
    assert "R04" in answer.json()["detail"]


def test_a_rejection_needs_a_closed_reason_and_evidence(house: ClaimHouse) -> None:
    for changes in ({"reason": "R99"}, {"evidence": " "}, {"affected": None}):
        assert action("mere", "propose-rejection", **{**REASON, **changes}).status_code == 422
    missing = action("mere", "propose-rejection").json()["fields"]
    assert missing.keys() == {"reason", "evidence", "affected"}
    assert action("mere", "reject").json()["code"] == "bad_reason"
    assert action("david", "second-rejection", password=PASSWORD).json()["code"] == "wrong_state"


def test_unknown_claims_are_not_found(house: ClaimHouse) -> None:
    for name in ("main-2", "nowhere-1", "main-99999999999999999999"):
        answer = as_("sione").post(f"/api/claims/{name}/verify/", {}, format="json")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.usefixtures("fresh_database")
def test_with_the_writer_running_a_confirmation_is_answered_at_once(
    settings: Settings,
) -> None:
    settings.CLAIM_WAIT_S = 60
    house = ClaimHouse()
    house.hit_royal()
    house.poster.give_up()
    action("sione", "verify", answers=ALL_YES)
    stop = threading.Event()

    def post() -> None:
        try:
            Poster("running").run(stop)
        finally:
            connection.close()

    writer = threading.Thread(target=post)
    writer.start()
    try:
        answer = confirm("mere", KEY)
        assert (answer.status_code, answer.json()["standing"]) == (200, "confirmed")
        assert confirm("mere", KEY).json()["standing"] == "confirmed"
    finally:
        stop.set()
        writer.join()
