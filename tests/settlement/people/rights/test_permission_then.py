"""The database refuses what is recorded in the name of somebody whose role does not allow it."""

import json
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from settlement.approvals import proposals
from settlement.claims.decisions import stops
from settlement.models import Action, Claim, Proposal, Ruling
from settlement.pages.claims.queue.next_action import PERMISSIONS
from settlement.people.rights import roles
from tests.support.people.cast import ClaimHouse
from tests.support.people.permissions.permission_then import CASES, REQUIRED, WRITE, behind, house
from tests.support.people.roles import acting_as

__all__ = ["house"]

RECORDED = """
    SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'is_recorded' ORDER BY 1
"""
ACT = """
    INSERT INTO settlement_action (claim_id, kind, person_id, at, body, key)
    VALUES (%s, %s, %s, now(), '{}', %s)
"""


def refusal(statement: str, *params: Any) -> str:
    """What the database says to the web process; nothing where it does so."""
    try:
        with acting_as("web"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, params)
    except IntegrityError as error:
        return str(error)
    return ""


def forged(claim: Claim, kind: str, person: User) -> str:
    """The same of an action in somebody's name."""
    return refusal(ACT, claim.pk, kind, person.pk, uuid.uuid4())


def test_nobody_is_named_whose_role_does_not_allow_it(house: ClaimHouse) -> None:
    """Of each recorded table and kind: every role passes exactly where it allows it."""
    anna = User.objects.create(username="anna")
    people = {role: User.objects.create(username=f"of {role}") for role in roles.ROLES}
    for role, person in people.items():
        roles.grant(anna, role)
        roles.grant(person, role, house.system.casino)
    row = 10_000
    for source, column, kind, allowed in CASES:
        fields = behind(source, kind, house)
        passed = set()
        for role, person in people.items():
            row += 1
            names = dict.fromkeys(REQUIRED[source], anna) | {column: person}
            body = fields | {
                each: who.pk if each.endswith("_id") else who.username
                for each, who in names.items()
            }
            refusal_text = refusal(WRITE, house.system.pk, source, row, json.dumps(body))
            assert not refusal_text or "permission: " in refusal_text
            if not refusal_text:
                passed.add(role)
        by_role = {
            role
            for role, permissions_of_role in roles.ROLES.items()
            if set(allowed) & set(permissions_of_role)
        }
        assert passed == by_role != set(), (source, kind)


def test_every_recorded_table_and_every_kind_has_its_line(house: ClaimHouse) -> None:
    with connection.cursor() as cursor:
        cursor.execute(RECORDED)
        assert {table for (table,) in cursor.fetchall()} == set(REQUIRED)
    assert "nobody has said" in refusal(WRITE, house.system.pk, "settlement_other", 1, "{}")
    decided = REQUIRED["settlement_proposaldecision"]["person_id"]
    pairs = {
        Proposal.Kind(kind): (permission, decided[f"{kind} true"])
        for kind, permission in REQUIRED["settlement_proposal"]["person_id"].items()
    }
    assert pairs == proposals.PERMISSIONS
    actions = REQUIRED["settlement_action"]["person_id"]
    assert set(actions) == set(Action.Kind.values)
    assert set(REQUIRED["settlement_ruling"]["person_id"]) == set(Ruling.Kind.values)
    assert PERMISSIONS.items() <= {Action.Kind(k): v for k, v in actions.items()}.items()
    assert {actions["dispute"], actions["hold_claim"]} == set(stops.MAY_OPEN.values())


FORGED = [
    ("verify", "aroha", "a cashier"),
    ("verify", "nobody", "somebody without a role"),
    ("pay", "mere", "a manager"),
    ("amend", "tane", "surveillance"),
    ("hold_claim", "sione", "a supervisor"),
]


@pytest.mark.parametrize(("kind", "name", "_who"), FORGED)
def test_the_web_password_alone_forges_no_act(
    house: ClaimHouse, kind: str, name: str, _who: str
) -> None:
    assert "permission: " in forged(Claim.objects.get(), kind, User.objects.get(username=name))


def test_a_role_of_another_casino_is_none_here(house: ClaimHouse) -> None:
    other = type(house.system.casino).objects.create(code="alpine", name="Alpine", currency="NZD")
    person = User.objects.create(username="of alpine")
    roles.grant(person, "Game supervisor", other)
    claim = Claim.objects.get()
    assert "permission: " in forged(claim, "dispute", person)
    roles.grant(person, "Game supervisor", house.system.casino)
    roles.revoke(person, "Game supervisor", house.system.casino)
    assert "permission: " in forged(claim, "dispute", person)
    roles.grant(person, "Game supervisor", house.system.casino)
    assert not forged(claim, "dispute", person)


def test_one_persons_word_at_once_takes_the_permission(house: ClaimHouse) -> None:
    command = """
        INSERT INTO jackpot_command (system_id, number, kind, body, first, issued_at, key)
        VALUES (%s, (SELECT max(number) + 1 FROM jackpot_command), 'suspend', '{}', %s, now(),
                gen_random_uuid())
    """
    assert "permission: aroha" in refusal(command, house.system.pk, "aroha")
    assert refusal(command, house.system.pk, "sione") == ""
