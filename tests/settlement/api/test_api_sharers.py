"""Who shares a prize and sat nowhere, through the API: entered once a key, listed without names."""

import uuid
from typing import Any

import pytest

from jackpot.terms.money import MICROS
from settlement.models import Sharer
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.people.cast import as_, read
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer", "house")]
SHARERS = "/api/claims/main-1/sharers/"
JO: dict[str, Any] = {
    "seat": 3,
    "amount_micros": 400 * MICROS,
    "name": "Jo Falk",
    "born": "1979-08-07",
    "document": "passport",
    "document_number": "LK 41-88",
}

house = kept_house(ConfirmedHouse)


def send(who: str, address: str, key: uuid.UUID | None = None, **body: Any) -> Any:
    headers = {"Idempotency-Key": str(key)} if key else {}
    return as_(who).post(address, body, format="json", headers=headers)


def test_entered_once_a_key_listed_without_names_and_withdrawn() -> None:
    key = uuid.uuid4()
    answers = [send("aroha", SHARERS, key, **JO) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    (row,) = read(SHARERS)["results"]
    assert row == answers[0].json() == answers[1].json()
    assert (row["kind"], row["amount_micros"], row["person"]) == ("added", 400 * MICROS, "aroha")
    assert "Jo Falk" not in str(row)
    another = send("aroha", SHARERS, key, **{**JO, "amount_micros": MICROS})
    assert (another.status_code, another.json()["code"]) == (422, "key_used")
    withdrawal = f"{SHARERS}{row['sharer']}/withdraw/"
    answer = send("aroha", withdrawal, reason="She keeps it")
    assert (answer.status_code, answer.json()["reverses"]) == (201, row["sharer"])
    assert send("aroha", withdrawal, reason="Again").json()["code"] == "wrong_state"
    assert send("aroha", f"{SHARERS}999/withdraw/", reason="x").status_code == 404


def test_what_is_refused_says_why() -> None:
    answer = send("aroha", SHARERS, **{**JO, "amount_micros": 10**15})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_sharer")
    answer = send("aroha", SHARERS, **{**JO, "country": "XX"})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_identification")
    assert send("aroha", SHARERS, **{**JO, "born": "yesterday"}).status_code == 422
    assert send("tane", SHARERS, **JO).status_code == 403
    assert not Sharer.objects.exists()
