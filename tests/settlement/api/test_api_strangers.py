"""Who comes without credentials, or with ones that do not hold, reaches no operation of the API.

Each operation is sent what its schema allows and what it does not, by `API_SEED`: the same each
time, and few, as a refusal must not depend on what was sent.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from pytest_django import Settings
from rest_framework.test import APIClient
from schemathesis import GenerationMode

from jackpot.web.problems import MEDIA
from settlement.api.problem_types import PROBLEM_TYPES
from settlement.models import Action, Incident, Invitation, Proposal
from tables.models import DeviceCredential
from tests.support.pages.api_cases import CHECKS, SEED, all_operations, call
from tests.support.people.cast import ClaimHouse

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

EXAMPLES = 2  # of each operation and kind of data
PARTS = {"number": 1, "entry": 1, "payout": 1, "system": "main", "code": "main", "table": "t3"}
PARTS |= {"tier": "royal", "casino": "harbour", "username": "aroha", "sharer": 1}
RECORDS = (Action, Incident, Invitation, Proposal, DeviceCredential)
# What a stranger comes with; behind the first none, a token, a name and a password that are none.
HEADERS: dict[str, tuple[dict[str, str], str]] = {
    "nothing": ({}, "not_authenticated"),
    "a token": ({"Authorization": "Bearer jmc_guessed"}, "authentication_failed"),
    "half a token": ({"Authorization": "Bearer"}, "authentication_failed"),
    "no base64": ({"Authorization": "Basic *"}, "authentication_failed"),
}


@pytest.fixture(scope="module")
def operations() -> list[Any]:
    return all_operations()


def cases(operation: Any, kind: GenerationMode) -> list[Any]:
    """A few cases of an operation; none where there is nothing wrong to be sent."""
    names = {each.name for each in operation.path_parameters}
    parts = {name: PARTS[name] for name in names}
    kept_cases: list[Any] = []

    @seed(SEED)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(kind, path_parameters=parts or None))
    def keep(case: Any) -> None:
        kept_cases.append(case)

    try:
        keep()
    except Unsatisfiable:
        return []
    return kept_cases


def faults(operation: Any, kind: GenerationMode) -> Iterator[str]:
    """What is wrong with how strangers are refused."""
    statuses = {each.code: each.status for each in PROBLEM_TYPES}
    for case in cases(operation, kind):
        for who, (headers, code) in HEADERS.items():
            answer = call(APIClient(headers=headers), case)
            label = f"{operation.label} with {who}"
            if answer.status_code != 401:
                yield f"{label}: {answer.status_code}"
                continue
            problem = answer.json()
            if answer.headers["content-type"] != [MEDIA] or problem["code"] != code:
                yield f"{label}: {problem}"
            if statuses.get(problem["code"]) != 401 or "www-authenticate" not in answer.headers:
                yield f"{label}: is no documented problem"
            case.validate_response(answer, checks=CHECKS)


@pytest.mark.parametrize("kind", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_strangers_are_refused_by_every_operation(
    operations: list[Any], kind: GenerationMode, settings: Settings
) -> None:
    settings.API_PER_MINUTE = 0
    ClaimHouse().hit_royal()
    assert len(operations) > 80
    refusals = [fault for each in operations for fault in faults(each, kind)]
    assert not refusals, f"API_SEED={SEED}:\n" + "\n".join(refusals)
    assert not any(model.objects.exists() for model in RECORDS)


def test_a_name_and_password_that_are_wrong_are_refused(operations: list[Any]) -> None:
    """Once, and not at every operation: who guesses is locked out after a few."""
    ClaimHouse()
    (accounts,) = (each for each in operations if each.label == "GET /api/accounts/")
    (case, *_more) = cases(accounts, GenerationMode.POSITIVE)
    guess = base64.b64encode(b"hana:guess").decode()
    answer = call(APIClient(headers={"Authorization": f"Basic {guess}"}), case)
    assert (answer.status_code, answer.json()["code"]) == (401, "authentication_failed")
    assert answer.headers["www-authenticate"][0].startswith("Basic")
