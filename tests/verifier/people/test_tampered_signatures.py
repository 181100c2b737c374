"""Whoever owns the database writes past the guards; what nobody signed is named all the same."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection, transaction

from settlement.claims import services as claims
from settlement.models import RoleChange
from settlement.people.rights.permissions import Reauthenticated
from settlement.set_up import proposals
from settlement.signatures import acts, endorsements, policy
from tests.support.cases.confirmed_house import person
from tests.support.cases.signing import HELD, SigningHouse, give_key, signed
from tests.support.people.access.soft_passkey import SoftPasskey
from tests.support.people.permissions.authorisation import at_the_end
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.kept_house import kept_house
from verifier.check import look
from verifier.people.signatures import KIND

pytestmark = pytest.mark.django_db
OF_CONFIRM = """source = 'settlement_action'
    AND row = (SELECT id FROM settlement_action WHERE kind = 'confirm')"""
OF_DAVID = "(SELECT k.id FROM settlement_signingkey k JOIN auth_user u ON u.id = k.person_id"
OF_DAVID += " WHERE u.username = 'david')"
OF_BEFORE = ("settlement_signingkey", "settlement_signature", "settlement_secondmanagerlimit")
ROLES = ("settlement_rolechange", "settlement_rolepermissions")
DEVICE, CLIENT = "authenticator_data", "client_data"


def change(column: str, value: str) -> tuple[str, str]:
    query = f"UPDATE settlement_signature SET {column} = {value} WHERE {OF_CONFIRM}"
    return "settlement_signature", query


TAMPERED: dict[str, tuple[tuple[str, str], str]] = {
    "the signature": (
        change("signature", "set_byte(signature, 20, get_byte(signature, 20) # 1)"),
        "the signature of david is not good: the key did not sign it",
    ),
    "the person was not verified": (
        change(DEVICE, f"set_byte({DEVICE}, 32, 1)"),
        "the device did not ask who is there",
    ),
    "another host": (
        change(DEVICE, f"set_byte({DEVICE}, 0, get_byte({DEVICE}, 0) # 1)"),
        "it was signed for another address",
    ),
    "another address": (
        change(
            CLIENT,
            f"convert_to(replace(convert_from({CLIENT}, 'UTF8'), 'testserver',"
            " 'console.example'), 'UTF8')",
        ),
        "it was signed for another address",
    ),
    "other bytes": (
        change(
            "statement",
            "regexp_replace(statement, '.Z\"', CASE WHEN statement LIKE '%0Z\"%'"
            " THEN '1Z\"' ELSE '0Z\"' END)",
        ),
        "other bytes were signed",
    ),
    "bytes that are not canonical": (
        change("statement", "replace(statement, ',', ', ')"),
        "its bytes are not canonical",
    ),
    "an invitation beside it": (
        change(
            "statement",
            """replace(statement, '"acts":[', '"acts":[{"act":"agree_set_up","kind":"invite"},')""",
        ),
        "it says more than one act, and neither payments of one claim nor invitations",
    ),
    "another time": (change("at", "at + interval '20 minutes'"), "it was signed at another time"),
    "another person": (
        change("person_id", "(SELECT id FROM auth_user WHERE username = 'mere')"),
        "the key, or the act, is somebody else's",
    ),
    "no signature": (
        ("settlement_signature", f"DELETE FROM settlement_signature WHERE {OF_CONFIRM}"),
        "claim 1, action {confirm} (confirm): the house wants it signed, and david did not sign it",
    ),
    "the amount": (
        (
            "settlement_action",
            "UPDATE settlement_action SET body = jsonb_set(body, '{amount}', '2') WHERE kind ="
            " 'confirm'",
        ),
        "it says something else than was done",
    ),
    "an act that is gone": (
        ("settlement_signature", "UPDATE settlement_signature SET row = 999 WHERE " + OF_CONFIRM),
        "settlement_action 999: david signed it, and there is no such act",
    ),
    "another key": (
        (
            "settlement_signingkey",
            "UPDATE settlement_signingkey SET public_key = (SELECT public_key FROM"
            f" settlement_signingkey WHERE is_first) WHERE id = {OF_DAVID}",
        ),
        "of david: the signature of hana is not good: it says something else than was done",
    ),
    "a first key with a number before the first": (
        (
            "settlement_signingkey",
            "INSERT INTO settlement_signingkey (id, person_id, factor, name, credential_id,"
            " algorithm, public_key, origin, is_first, at) SELECT -1, person_id, -1, 'x', 'x',"
            " algorithm, public_key, origin, true, now() FROM settlement_signingkey"
            f" WHERE id = {OF_DAVID}",
        ),
        "settlement_signingkey -1: of david: it is not the first of the house",
    ),
    "a second first key": (
        (
            "settlement_signingkey",
            f"UPDATE settlement_signingkey SET is_first = true WHERE id = {OF_DAVID}",
        ),
        "of david: it is not the first of the house",
    ),
    "no endorsement": (
        (
            "settlement_signature",
            "DELETE FROM settlement_signature WHERE source = 'settlement_signingkey'"
            f" AND row = {OF_DAVID}",
        ),
        "the signature of david is not good: nobody had endorsed the key",
    ),
    "a rule that nobody agreed to": (
        (
            "settlement_signaturepolicy",
            "INSERT INTO settlement_signaturepolicy (casino_id, acts, first, second, at)"
            " SELECT id, 'none', 'hana', 'mere', now() FROM tables_casino",
        ),
        "the rule signatures of number",
    ),
    "a limit that nobody agreed to": (
        (
            "settlement_secondmanagerlimit",
            "INSERT INTO settlement_secondmanagerlimit (casino_id, amount, first, second, at)"
            " SELECT id, NULL, 'hana', 'mere', now() FROM tables_casino",
        ),
        "nobody agreed to it: mere is named, amount None",
    ),
    "a role that nobody agreed to": (
        (
            "settlement_rolechange",
            "INSERT INTO settlement_rolechange (person_id, role_id, granted, by, at)"
            " SELECT u.id, g.id, true, 'hana and mere', now() FROM auth_user u, auth_group g"
            " WHERE u.username = 'tane' AND g.name = 'Casino manager'",
        ),
        "the role Casino manager of tane (number",
    ),
    "a role that a group gave": (
        (
            "settlement_rolechange",
            "INSERT INTO settlement_rolechange (person_id, role_id, granted, by, at)"
            " SELECT u.id, g.id, true, 'the log-in provider', now() FROM auth_user u, auth_group g"
            " WHERE u.username = 'tane' AND g.name = 'Casino manager'",
        ),
        "the role Casino manager of tane (number",
    ),
    "a role that came back with nothing taken": (
        (
            "settlement_rolechange",
            "INSERT INTO settlement_rolechange (person_id, role_id, granted, by, at)"
            " SELECT u.id, g.id, true, 'the log-in provider', now() FROM auth_user u, auth_group g"
            " WHERE u.username = 'mere' AND g.name = 'Casino manager'",
        ),
        "the role Casino manager of mere (number",
    ),
    "a log-in that nobody agreed to open": (
        (
            "settlement_rolechange",
            "INSERT INTO settlement_rolechange (person_id, granted, by, at)"
            " SELECT id, true, 'hana', now() FROM auth_user WHERE username = 'mere'",
        ),
        "the log-in of mere, opened again (number",
    ),
    "a registration that is gone": (
        (
            "settlement_signature",
            f"DELETE FROM settlement_signature WHERE source = 'registration' AND row = {OF_DAVID}",
        ),
        "of david: it did not sign its registration",
    ),
    "a key that had ended": (
        (
            "settlement_signingkeyend",
            "INSERT INTO settlement_signingkeyend (key_id, at, by)"
            f" SELECT id, at, 'mere' FROM settlement_signingkey WHERE id = {OF_DAVID}",
        ),
        "the signature of david is not good: the key had ended",
    ),
}


def build_house() -> SigningHouse:
    """A confirmed claim: mere approved it, david confirmed it, and both signed."""
    house = SigningHouse()
    for table in (*OF_BEFORE, *ROLES):  # long decided, roles before keys
        ago = 90 if table in ROLES else 30
        with owner_without_guards(table), connection.cursor() as cursor:
            cursor.execute(f"UPDATE {table} SET at = at - interval '{ago} seconds'")
    at_the_end()
    house.approved()
    key = uuid.uuid4()
    act = house.act("david", "confirm", {"amount": HELD}, key)
    with acting_as("web"), signed(house.keys["david"], act):
        claims.confirm(house.claim, Reauthenticated(person("david")), HELD, key=key)
        at_the_end()
    house.post()
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def findings(kind: str = KIND) -> str:
    """What the verifier finds of that kind."""
    report = look(connection.connection, settled=False)
    return "\n".join(sentence for name, sentence in report.findings if name == kind)


def test_a_signature_that_was_changed_is_named(house: SigningHouse) -> None:
    assert not findings()
    confirm = str(house.claim.actions.get(kind="confirm").pk)
    for what, ((table, query), sentence) in TAMPERED.items():
        with transaction.atomic():
            with owner_without_guards(table), connection.cursor() as cursor:
                cursor.execute(query)
                assert cursor.rowcount == 1, what
            assert sentence.replace("{confirm}", confirm) in findings(), what
            transaction.set_rollback(True)


def test_a_role_that_comes_back_with_its_group_is_the_one_that_two_people_gave(
    house: SigningHouse,
) -> None:
    mapped = '[["Casino manager", null]]'
    with connection.cursor() as cursor:
        for groups in ("[]", mapped, "[]", mapped):
            cursor.execute("SELECT follow_groups(%s, %s, %s)", [person("mere").pk, mapped, groups])
    assert RoleChange.objects.filter(by="the log-in provider").count() == 4
    assert not findings()
    with owner_without_guards("settlement_rolechange"), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE settlement_rolechange SET by = 'hana' WHERE id = (SELECT max(id) - 1 FROM"
            " settlement_rolechange)"
        )
    assert "the role Casino manager of mere (number" in findings()


def test_acts_that_the_owner_wrote_unsigned_are_named(
    house: SigningHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the owner no guard asks for a signature; the house wanted one all the same."""
    for each in ("is_asked_of_action", "is_asked_of_set_up"):
        monkeypatch.setattr(policy, each, lambda *_: False)
    claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": HELD})
    proposals.propose_signatures(person("hana"), house.system.casino, "none")
    proposals.agree(proposals.open_proposals().get(), Reauthenticated(person("mere")))
    house.post()
    sentences = findings()
    assert "(pay): the house wants it signed, and aroha did not sign it" in sentences
    assert "(signatures): the house wants it signed, and mere did not sign it" in sentences


def test_large_is_what_the_order_confirmed_whatever_rows_say(
    house: SigningHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "is_asked_of_action", lambda *_: False)
    claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": HELD})
    house.post()
    for trick in (
        "UPDATE settlement_action SET id = -1 WHERE kind = 'pay'",
        "UPDATE settlement_action SET body = '{\"amount\": -1}' WHERE kind = 'confirm'",
        "UPDATE settlement_action SET body = '{}' WHERE kind IN ('confirm', 'approve')",
        'UPDATE settlement_action SET body = \'{"amount": "x", "confirmed": []}\'',
        "UPDATE settlement_action SET body = '[1]' WHERE kind = 'pay'",
        "UPDATE settlement_action SET body = 'null' WHERE kind = 'pay'",
    ):
        with transaction.atomic():
            with owner_without_guards("settlement_action"), connection.cursor() as cursor:
                cursor.execute(trick)
            assert "(pay): the house wants it signed, and aroha did not sign it" in findings(), (
                trick
            )
            transaction.set_rollback(True)


_statement = """'{{"acts":[{0}],"at":"{1}","v":1}}'"""
READ = {
    "acts that are no objects": _statement.format('1,null,"x",[]', "2026-01-01T00:00:00Z"),
    "a system that is a list": _statement.format('{"system":[1]}', "2026-01-01T00:00:00Z"),
    "a time without a zone": _statement.format("{}", "2026-01-01T00:00:00"),
    "no day": _statement.format("{}", "2026-99-99T99:99:99Z"),
    "no number": _statement.format("NaN", "2026-01-01T00:00:00Z"),
    "nothing": "''",
    "a depth that nobody reads": "repeat('[', 200000)",
}


def test_what_cannot_be_read_is_a_finding(house: SigningHouse) -> None:
    """Of bytes that are signed, of what the browser says, and of rows that lost their act."""
    for what, statement in READ.items():
        for column, value in (
            ("statement", statement),
            ("row = 999, statement", statement),
            (CLIENT, f"convert_to({statement}, 'UTF8')"),
        ):
            with transaction.atomic():
                table, query = change(column, value)
                with owner_without_guards(table), connection.cursor() as cursor:
                    cursor.execute(query)
                assert "david" in findings(), (what, column)
                transaction.set_rollback(True)


def test_a_key_that_somebody_endorsed_who_may_not_is_named(house: SigningHouse) -> None:
    key = give_key("tane", SoftPasskey())
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION may_endorse_key(by_person integer, of_person integer)"
            " RETURNS boolean LANGUAGE sql AS 'SELECT true'"
        )
    with signed(house.keys["sione"], acts.on_key(key, person("sione"))):
        endorsements.endorse(person("sione"), key)
    assert "sione was not permitted to endorse keys of others" in findings()
