"""The API keeps to its schema: every role, and none, sends what it allows, and what it does not.

The same each time; API_SEED=7 sends other things, API_EXAMPLES=50 more of them.
"""

import os
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, note, seed, settings
from hypothesis.errors import Unsatisfiable
from pytest_django import Settings
from rest_framework.test import APIClient
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks

from jackpot.terms.money import MICROS
from settlement.models import (
    ExclusionFile,
    Identification,
    Incident,
    Invitation,
    Payout,
    Proposal,
    Ruling,
    SetUpProposal,
    TaxRemittance,
    WebhookEndpoint,
)
from tables.protocol import messages
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.cases.exclusions import identified
from tests.support.pages.api_cases import CHECKS, SEED, all_operations, call
from tests.support.people.api_footage import REVIEW
from tests.support.people.api_keys import ADJUST
from tests.support.people.cast import ALL_YES, PASSWORD, REASON, ROLES, as_, rows_of
from tests.support.people.permissions.programs import bearer_of_program
from tests.support.people.permissions.rolled_back_people import noted_once
from tests.support.play.books import royal_terms
from tests.support.suite.run_length import share

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

EXAMPLES = int(os.environ.get("API_EXAMPLES") or share(3))  # of each operation and kind of data
PARTS = 2  # of the operations, for as many processes
PEOPLE = (*{role: name for name, role in ROLES.items()}.values(), "nobody")  # one of each role
EXCLUDED = {"name": "Ana Li", "born": "1975-06-01", "kind": "self", "since": "2025-01-01"}
EXCLUDED["reference"] = "SE-1"
REGISTER = "name,born,kind,from,reference\nAna Li,1975-06-01,self,2025-01-01,SE-2\n"
INCIDENT = {"system": "main", "happened_at": "2026-11-21T10:00:00Z", "kind": "button"}
GUEST = {"username": "rua", "last_name": "Tamati", "role": "Cashier"}
WEBHOOK: dict[str, Any] = {"events": ["claim.held"]}
WEBHOOK |= {"casino": "harbour", "name": "Signage", "url": "https://receiver.example/hooks"}


def number_of_player(house: ConfirmedHouse) -> int:
    identified(house.claim, document_number="LA 900")
    return Identification.objects.get().pk


def bodies(missed: int) -> list[tuple[str, str, dict[str, Any]]]:
    """Who sends what where, so that there is something; `missed`: a request that is refused."""
    terms = royal_terms(name="House Jackpot, second terms")
    paid = {"line": 1, "parts_micros": {"cash": MICROS, "tax": MICROS}, "password": PASSWORD}
    paid["withholding_reason"] = "By order of the court"
    return [
        ("aroha", "claims/main-1/pay/", paid),
        ("ines", "systems/main/remittances/", {"amount_micros": MICROS, "reference": "4711"}),
        ("tane", "claims/main-2/footage/", REVIEW),
        ("mere", "claims/main-2/notes/", {"text": "Waits in the lounge"}),
        ("anahera", "claims/main-2/verify/", {"answers": ALL_YES}),
        ("mere", "claims/main-2/propose-rejection/", REASON),
        ("sione", "claims/main-2/stop/", {"kind": "dispute", "reason": "It folded"}),
        ("tane", "incidents/", INCIDENT | {"note": "Stuck", "table": "t3"}),
        ("tane", "incidents/", INCIDENT | {"note": "All are stuck"}),
        ("sione", "pools/main/royal/propose-adjustment/", ADJUST),
        ("sione", "systems/main/propose-terms/", {"terms": terms, "force": "A new name"}),
        ("sione", f"requests/{missed}/refuse/", {"note": "Both are there"}),
        ("ines", "exclusions/harbour/", {"list": "Register", "persons": [EXCLUDED]}),
        ("ines", "exclusions/harbour/files/", {"list": "Register", "csv": REGISTER}),
        ("hana", "webhooks/", WEBHOOK),
        ("hana", "invitations/", {"guests": [GUEST], "password": PASSWORD}),
        ("hana", "accounts/tane/give-role/", {"role": "Cashier", "password": PASSWORD}),
    ]


@pytest.fixture
def there(settings: Settings) -> dict[str, Any]:
    """Where things are, in a house in which each list has something to show."""
    settings.API_PER_MINUTE = 0
    house = ConfirmedHouse()
    house.hit_royal("t7")
    house.press("t3")
    house.say("t3", messages.VoidRequested, round=2, reason="wrong_count", note="Six cards")
    house.say("t3", messages.RoundsMissed, count=2)
    house.post()
    missed, void = (row["request"] for row in rows_of("/api/requests/"))
    for who, address, body in bodies(missed):
        answer = as_(who).post(f"/api/{address}", body, format="json")
        assert answer.status_code in (200, 201, 202), answer.content
        house.post()
    return {
        "system": "main",
        "code": "main",
        "casino": "harbour",
        "systems": TaxRemittance.objects.get().pk,
        "table": "t3",
        "tier": "royal",
        "claims": 2,
        "requests": void,
        "rulings": Ruling.objects.get().pk,
        "entry": rows_of("/api/stops/")[0]["entry"],
        "incidents": Incident.objects.earliest("id").pk,
        "exclusion-files": ExclusionFile.objects.get().pk,
        "exclusion-entries": rows_of("/api/exclusions/harbour/", "ines")[0]["entry"],
        "drafts": Proposal.objects.get(kind="put_terms").pk,
        "webhooks": WebhookEndpoint.objects.get().pk,
        "players": number_of_player(house),
        "invitations": Invitation.objects.get().pk,
        "account-proposals": SetUpProposal.objects.get(kind="give_role").pk,
        "username": "aroha",
        "sharer": 1,
        "payout": Payout.objects.get().pk,
        "form-filings": 1,  # none: this house's place asks for no form
        "filing-files": 1,
        "proposals": Proposal.objects.get(kind="adjust_pool").pk,
    }


@pytest.fixture(scope="module")
def operations() -> list[Any]:
    return all_operations()


@pytest.mark.parametrize("part", range(1, PARTS + 1))
@pytest.mark.parametrize("kind", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_answer_is_in_the_schema(
    there: dict[str, Any],
    operations: list[Any],
    kind: GenerationMode,
    part: int,
    record_property: Callable[[str, object], None],
) -> None:
    record_property("seed", f"the API's contract, {kind.value}, part {part}: {SEED}")
    clients = {name: noted_once(as_(name)) for name in PEOPLE}
    clients["a program"] = APIClient(headers=bearer_of_program())
    faults_of_all = [
        fault
        for each in operations[part - 1 :: PARTS]
        for fault in faults(each, there, clients, kind)
    ]
    assert not faults_of_all, f"API_SEED={SEED}:\n" + "\n\n".join(faults_of_all)


def faults(
    operation: Any, there: dict[str, Any], clients: dict[str, APIClient], kind: GenerationMode
) -> Iterator[str]:
    """What is wrong with the answers of one operation; each example is sent by everybody, as making
    it takes longer than answering it, and undone."""
    of = operation.path.split("/")[2]
    names = {each.name for each in operation.path_parameters}
    parts = {part: there[of] if part == "number" else there[part] for part in names}

    @seed(SEED)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(kind, path_parameters=parts or None))
    def send(case: Any) -> None:
        if kind == GenerationMode.POSITIVE and isinstance(case.body, dict):
            case.body |= {"password": PASSWORD} if "password" in case.body else {}
        if kind == GenerationMode.POSITIVE:
            case.query.pop("cursor", None)  # nobody makes one up
        for name, client in clients.items():
            note(f"sent by {name}")
            with transaction.atomic():
                answer = call(client, case)
                transaction.set_rollback(True)
            case.validate_response(answer, checks=[*CHECKS, fits(kind)])

    try:
        send()
    except Unsatisfiable:  # a GET without parameters has no wrong ones
        pass
    except (AssertionError, FailureGroup) as fault:
        texts = [fault, *getattr(fault, "exceptions", ())]
        yield "\n".join([operation.label, *map(str, texts)])


def fits(kind: GenerationMode) -> Any:
    """What the schema allows is never answered as malformed; what it does not, always refused."""

    def is_refused(ctx: Any, response: Any, case: Any) -> Any:
        # `If-Match` is asked before the body is read (RFC 9110, 13.2.1): that is a refusal, too.
        if response.status_code == HTTPStatus.PRECONDITION_FAILED:
            return None
        return checks.negative_data_rejection(ctx, response, case)

    def is_read(_ctx: Any, response: Any, _case: Any) -> None:
        if response.status_code in (400, 422):
            assert response.json()["code"] not in ("invalid", "parse_error"), response.json()

    return is_refused if kind == GenerationMode.NEGATIVE else is_read
