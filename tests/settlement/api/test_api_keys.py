"""A key is of one request: sent again it answers for the first, with another body it is refused."""

import uuid
from typing import Any

import pytest

from jackpot.models import Command
from jackpot.terms.money import MICROS
from settlement.models import Action, CheckAnswer, Footage, Incident, Note, Proposal, Ruling
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.people.api_footage import REVIEW
from tests.support.people.api_keys import ADJUST, HAND, VOID, WEBHOOK
from tests.support.people.cast import ALL_YES, PASSWORD, REASON, as_
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer", "house")]

CLAIM, NEXT = "/api/claims/main-1/", "/api/claims/main-2/"
TABLE = "/api/tables/main/t3/"
INCIDENT = {
    "system": "main",
    "table": "t3",
    "kind": "button",
    "happened_at": "2026-11-21T10:00:00Z",
    "note": "Stuck",
}
EXCLUDED = {"name": "Ana Li", "born": "1975-06-01", "kind": "self", "since": "2025-01-01"}
EXCLUDED["reference"] = "SE-1"
PAY = {"line": 1, "parts_micros": {"cash": 5 * MICROS}, "password": PASSWORD}


def build_house() -> ConfirmedHouse:
    house = ConfirmedHouse()
    house.hit_royal("t7")
    return house


house = kept_house(build_house)


def recorded() -> list[int]:
    kinds: tuple[Any, ...] = (
        Action,
        CheckAnswer,
        Command,
        Footage,
        Incident,
        Note,
        Proposal,
        Ruling,
    )
    return [kind.objects.count() for kind in kinds]


@pytest.mark.parametrize(
    ("who", "address", "body", "other"),
    [
        ("anahera", f"{NEXT}verify/", {"answers": ALL_YES}, {"note": "seen"}),
        (
            "anahera",
            f"{NEXT}verify/",
            {"answers": ALL_YES},
            {"answers": ALL_YES | {"sealed": "na"}},
        ),
        ("mere", f"{NEXT}propose-rejection/", REASON, {"evidence": "Camera 13"}),
        ("mere", f"{NEXT}propose-rejection/", REASON, {"affected": False}),
        ("aroha", f"{CLAIM}pay/", PAY, {"parts_micros": {"cash": 6 * MICROS}}),
        ("aroha", f"{CLAIM}withhold/", {"line": 1, "reason": "Passport"}, {"reason": "Visa"}),
        ("sione", f"{NEXT}stop/", {"kind": "dispute", "reason": "It folded"}, {"reason": "Late"}),
        ("sione", f"{NEXT}notes/", {"text": "In the lounge"}, {"text": "At the bar"}),
        ("tane", f"{NEXT}footage/", REVIEW, {"camera": "13"}),
        ("tane", "/api/incidents/", INCIDENT, {"table": None}),
        ("tane", "/api/incidents/", INCIDENT, {"happened_at": "2026-11-21T11:00:00Z"}),
        ("sione", f"{TABLE}rule-round/", VOID, {"note": "One card short"}),
        ("sione", f"{TABLE}rule-round/", VOID, {"reason": "defective_deck"}),
        ("sione", f"{TABLE}enter-hand/", HAND, {"seats": [5]}),
        ("sione", f"{TABLE}enter-hand/", HAND, {"tier": None}),
        (
            "sione",
            f"{TABLE}credit-missed/",
            {"count": 2, "evidence": "Footage"},
            {"figures_micros": {"pot": MICROS}, "count": 1},
        ),
        ("sione", "/api/pools/main/royal/propose-adjustment/", ADJUST, {"amount_micros": 2}),
    ],
)
def test_a_key_is_of_one_body(
    who: str, address: str, body: dict[str, Any], other: dict[str, Any]
) -> None:
    headers = {"Idempotency-Key": str(uuid.uuid4())}

    def send(**changes: Any) -> Any:
        return as_(who).post(address, body | changes, format="json", headers=headers)

    first = send()
    assert first.status_code in (200, 201, 202), first.content
    before = recorded()
    again = send()
    assert again.status_code == first.status_code, again.content
    refused = send(**other)
    assert (refused.status_code, refused.json()["code"]) == (422, "key_used"), refused.content
    assert recorded() == before


def test_a_key_of_one_address_is_refused_at_another_that_would_queue_it_again() -> None:
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    assert (
        as_("sione").post(f"{TABLE}enter-hand/", HAND, format="json", headers=headers).status_code
        == 202
    )
    for address, body in (
        (f"{TABLE}rule-round/", VOID),
        (f"{TABLE}credit-missed/", {"count": 1, "evidence": "Footage"}),
    ):
        answer = as_("sione").post(address, body, format="json", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (422, "key_used")


def test_what_is_done_once_answers_for_the_first_to_who_did_it() -> None:
    """Such acts keep no key: who did it, and in which words, is asked of what was recorded."""

    def number_of(who: str, address: str, body: dict[str, Any], number: str) -> int:
        answer = as_(who).post(f"/api/{address}", body, format="json")
        assert answer.status_code == 201, answer.content
        return int(answer.json()[number])

    adjust = "pools/main/royal/propose-adjustment/"
    withdrawn, agreed = (number_of("sione", adjust, ADJUST, "proposal") for _ in range(2))
    incident = number_of("tane", "incidents/", INCIDENT, "incident")
    listing = {"list": "Register", "persons": [EXCLUDED]}
    assert as_("ines").post("/api/exclusions/harbour/", listing, format="json").status_code == 201
    (entry,) = as_("ines").get("/api/exclusions/harbour/").json()["results"]
    webhook = number_of("hana", "webhooks/", WEBHOOK, "webhook")
    acts: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
        ("sione", f"proposals/{withdrawn}/withdraw/", {"note": "Counted wrong"}, {"note": "No"}),
        ("mere", f"proposals/{agreed}/agree/", {"password": PASSWORD}, {}),
        ("mere", f"incidents/{incident}/resolve/", {"note": "New button"}, {"note": "Old"}),
        ("ines", f"exclusion-entries/{entry['entry']}/end/", {"reason": "Over"}, {"reason": "x"}),
        ("hana", f"webhooks/{webhook}/end/", {}, {}),
    ]
    for who, address, body, other in acts:
        headers = {"Idempotency-Key": str(uuid.uuid4())}

        def status_of(words: dict[str, Any], **more: Any) -> int:
            answer = as_(who).post(f"/api/{address}", words, format="json", **more)  # noqa: B023
            return int(answer.status_code)

        assert status_of(body, headers=headers) in (200, 202), address
        assert status_of(body, headers=headers) == 200, address
        assert status_of(body) == 409, address
        if other:
            assert status_of(body | other, headers=headers) == 409, address
