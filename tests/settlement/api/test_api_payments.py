"""Payments and proposals through the API: the same services and permissions as on the pages."""

import uuid
from typing import Any

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from jackpot.terms.money import MICROS
from settlement.models import Action, Proposal, SecondManagerLimit
from settlement.people.rights.staff_play import name
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.cast import ALL_YES, PASSWORD, action, as_, read, rows_of
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
CLAIM = "/api/claims/main-1/"
ADJUST = "/api/pools/main/royal/propose-adjustment/"
ADJUSTMENT: dict[str, Any] = {
    "source": "drop",
    "amount_micros": 25 * MICROS,
    "reason": "A06",
    "evidence": "Count sheet 17",
}


house = kept_house(ConfirmedHouse)


def send(who: str, address: str, **body: Any) -> Any:
    return as_(who).post(address, body, format="json")


def payee() -> Any:
    return read(CLAIM)["payees"][0]


def test_part_now_and_the_rest_later(house: ConfirmedHouse) -> None:
    key = uuid.uuid4()
    for _ in range(2):
        answer = action(
            "aroha", "pay", key, password=PASSWORD, line=1, parts_micros={"chips": MICROS}
        )
        assert (answer.status_code, answer.json()) == (202, {"queued": True})
    house.post()
    assert (payee()["state"], payee()["paid_micros"]) == ("part_paid", MICROS)
    answer = action("aroha", "pay", password=PASSWORD, line=1, parts_micros={"cash": house.amount})
    assert (answer.status_code, answer.json()["rule"]) == (422, "19.15")
    action("aroha", "pay", password=PASSWORD, line=1, parts_micros={"cash": house.amount - MICROS})
    house.post()
    assert (read(CLAIM)["standing"], len(payee()["payouts"])) == ("closed", 2)
    answer = action("aroha", "pay", password=PASSWORD, line=1, parts_micros={"cash": 1})
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_state")


def test_paying_takes_the_password_again(house: ConfirmedHouse) -> None:
    due: dict[str, Any] = {"line": 1, "parts_micros": {"cash": house.amount}}
    answer = action("aroha", "pay", **due)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["password"])
    answer = action("aroha", "pay", password="guessed-by-somebody", **due)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_password")
    assert not Action.objects.filter(kind=Action.Kind.PAY).exists()
    assert action("aroha", "pay", password=PASSWORD, **due).status_code == 202


def test_withheld_released_and_unclaimed(house: ConfirmedHouse, settings: Settings) -> None:
    settings.UNCLAIMED_AFTER_DAYS = 0
    why: dict[str, Any] = {"reason": "The passport"}
    for what, who, body, state in (
        ("withhold", "aroha", why, "withheld"),
        ("release", "mere", why, "due"),
        ("unclaimed", "david", {}, "unclaimed"),
    ):
        assert action(who, what, line=1, **body).status_code == 202
        house.post()
        assert payee()["state"] == state
    assert action("mere", "withhold", line=1).json()["fields"].keys() == {"reason"}
    assert action("mere", "withhold", line=7, reason="x").status_code == 409


@pytest.mark.parametrize(
    ("what", "body", "proposer", "other"),
    [
        ("propose-forfeit", {"line": 1, "reason": "Barred by law"}, "david", "mere"),
        ("propose-reversal", {"reason": "R13", "evidence": "Camera 4"}, "anahera", "david"),
    ],
)
def test_one_proposes_and_another_agrees(
    house: ConfirmedHouse, what: str, body: dict[str, Any], proposer: str, other: str
) -> None:
    pool = house.balance("royal:pool")
    assert action(proposer, what, **body).status_code == 200
    (proposal,) = rows_of("/api/proposals/")
    assert (proposal["person"], proposal["subject"], proposal["decision"]) == (
        proposer,
        "1",
        "open",
    )
    agree = f"/api/proposals/{proposal['proposal']}/agree/"
    answer = send(other, agree, password="guess")
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_password")
    if proposer == "david":
        assert send("david", agree, password=PASSWORD).json()["code"] == "same_person"
    assert send(other, agree, password=PASSWORD).status_code == 202
    house.post()
    assert house.balance("royal:pool") == pool + house.amount
    assert read(f"/api/proposals/{proposal['proposal']}/")["decision"] == "agreed"
    answer = send(other, agree, password=PASSWORD)
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_state")


def test_an_adjustment_is_proposed_withdrawn_and_agreed_to(house: ConfirmedHouse) -> None:
    pool = house.balance("royal:pool")
    first = send("sione", ADJUST, **ADJUSTMENT)
    assert first.status_code == 201
    withdraw = f"/api/proposals/{first.json()['proposal']}/withdraw/"
    assert send("sione", withdraw, note=" ").status_code == 422
    answer = send("sione", withdraw, note="The count was right")
    assert answer.json()["decision"] == "withdrawn"
    second = send("sione", ADJUST, **ADJUSTMENT).json()["proposal"]
    assert send("mere", f"/api/proposals/{second}/agree/", password=PASSWORD).status_code == 202
    house.post()
    assert house.balance("royal:pool") == pool + 25 * MICROS
    assert send("sione", ADJUST, **ADJUSTMENT | {"amount_micros": 0}).status_code == 422
    assert send("sione", ADJUST, **ADJUSTMENT | {"reason": "A99"}).status_code == 422
    assert (
        send("sione", "/api/pools/main/none/propose-adjustment/", **ADJUSTMENT).status_code == 404
    )
    assert as_("sione").get("/api/proposals/999/").status_code == 404


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("approve", {"amount_micros": 1, "password": PASSWORD}),
        ("pay", {"line": 1, "parts_micros": {"cash": 1}, "password": PASSWORD}),
        ("withhold", {"line": 1, "reason": "x"}),
        ("release", {"line": 1, "reason": "x"}),
        ("unclaimed", {"line": 1}),
        ("propose-forfeit", {"line": 1, "reason": "x"}),
        ("propose-reversal", {"reason": "R13", "evidence": "x"}),
    ],
)
def test_only_those_who_may(house: ConfirmedHouse, what: str, body: dict[str, Any]) -> None:
    before = Action.objects.count()
    for who in ("tane", "ines", "nobody"):
        answer = action(who, what, **body)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_permitted"), who
    assert send("tane", ADJUST, **ADJUSTMENT).status_code == 403
    assert (Action.objects.count(), Proposal.objects.count()) == (before, 0)


def test_two_managers_and_a_player(house: ConfirmedHouse) -> None:
    SecondManagerLimit.objects.create(
        casino=house.system.casino, amount=MICROS, first="mere", second="david"
    )
    house.hit_royal("t7")
    due = action("anahera", "verify", number=2, answers=ALL_YES).json()["due_micros"]
    body: dict[str, Any] = {"amount_micros": due, "password": PASSWORD}
    answer = action("david", "confirm", number=2, **body)
    assert (answer.status_code, answer.json()["code"]) == (409, "second_manager_needed")
    assert action("mere", "approve", number=2, **body).status_code == 200
    assert action("david", "confirm", number=2, **body).status_code == 202
    name(house.claim, person("aroha"), person("tane"))
    answer = action("aroha", "pay", password=PASSWORD, line=1, parts_micros={"cash": house.amount})
    assert (answer.status_code, answer.json()["code"]) == (403, "own_hand")


def test_whoever_is_locked_out_reads_json(house: ConfirmedHouse, settings: Settings) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT + 1):
        answer = action("mere", "confirm", amount_micros=1, password="guess")
    assert (answer.status_code, answer["Content-Type"]) == (429, "application/problem+json")
    assert answer.json()["code"] == "locked_out"
    assert "wait 15 minutes" in answer.json()["detail"]
    page = APIClient().post("/login/", {"username": "mere", "password": "guess"})
    assert page.status_code == 429
    assert b"Log-in locked" in page.content


def test_json_that_is_nested_too_deeply_is_malformed(house: ConfirmedHouse) -> None:
    deep = '{"answers":' + "[" * 100_000 + "]" * 100_000 + "}"
    answer = as_("sione").post(f"{CLAIM}verify/", deep, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")


def test_the_page_of_the_api_runs_only_its_own_scripts(house: ConfirmedHouse) -> None:
    answer = as_("tane").get("/api/docs/")
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy  # so default-src counts: no inline script
    assert "unsafe" not in policy
    assert b"<script>" not in answer.content
