"""Rows by hand, as the web's role with every log-in: none makes a large act small, or unsigned."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from settlement.claims import services as claims
from settlement.core.errors import BadSignature, NotPermitted
from settlement.people.rights.permissions import Reauthenticated
from settlement.signatures import acts, endorsements, keys, policy, signing
from tests.support.cases.confirmed_house import person
from tests.support.cases.signing import HELD, SigningHouse, give_key, options_of, shows, signed
from tests.support.people.access.soft_passkey import SoftPasskey
from tests.support.people.cast import ClaimHouse
from tests.support.people.permissions.authorisation import at_the_end
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
ACTION = """INSERT INTO settlement_action ({0}claim_id, kind, person_id, report_entry, command,
        body, key, at)
    SELECT {1}c.id, '{2}', u.id, h.report_entry, NULL, '{3}', gen_random_uuid(), now()
    FROM settlement_claim c JOIN jackpot_hit h ON (h.system_id, h.number) = (c.system_id, c.number)
    JOIN auth_user u ON u.username = '{4}'"""
AGREE = """SELECT decide_set_up((SELECT id FROM auth_user WHERE username = 'mere'),
    propose_set_up((SELECT id FROM auth_user WHERE username = 'hana'), '{0}',
        (SELECT id FROM tables_casino), '{1}'), true, '')"""
OFF, NO_LIMIT = (
    AGREE.format("signatures", '{"acts": "none"}'),
    AGREE.format("second_manager", '{"amount": null}'),
)
UNSIGNED = "is not signed with a key"
PAY = '{"line": 1, "seat": 1, "parts": {"cash": 1}}'


def action(kind: str, body: str, who: str, number: str = "") -> str:
    return ACTION.format("id, " if number else "", number and f"{number}, ", kind, body, who)


BEFORE_CONFIRMATION = {
    "a number of its own": ((action("pay", PAY, "aroha", "-1"),), "permission denied"),
    "paid before it is confirmed": ((action("pay", PAY, "aroha"),), UNSIGNED),
    "less than nothing": (
        (action("confirm", '{"amount": -1000000000000}', "david"),),
        "has no amount",
    ),
    "no amount": ((action("confirm", "{}", "david"),), "has no amount"),
    "an amount in words": ((action("confirm", '{"amount": "1"}', "david"),), "has no amount"),
    "approved for less than nothing": (
        (action("approve", '{"amount": -1, "confirmed": 0}', "mere"),),
        "has no amount",
    ),
    "a list": ((action("confirm", "[1]", "david"),), "has no amount"),
    "the rule is off": ((OFF,), UNSIGNED),
    "the rule is off twice": ((OFF, OFF), UNSIGNED),
    "off, all, and off": ((OFF, AGREE.format("signatures", '{"acts": "all"}'), OFF), UNSIGNED),
    "no limit": ((NO_LIMIT,), UNSIGNED),
    "no limit, and the rule is off": ((NO_LIMIT, OFF, OFF), UNSIGNED),
    "the rule is off, and no limit": ((OFF, OFF, NO_LIMIT), UNSIGNED),
    "the rule is off, and it is paid": ((OFF, OFF, action("pay", PAY, "aroha")), UNSIGNED),
}
AFTER_CONFIRMATION = {
    "paid": ((action("pay", PAY, "aroha"),), UNSIGNED),
    "a negative one beside it": (
        (
            action("confirm", '{"amount": -1000000000000}', "david"),
            action("pay", PAY, "aroha"),
        ),
        "has no amount|" + UNSIGNED,
    ),
    "confirmed for nothing more": ((action("confirm", '{"amount": 0}', "david"),), UNSIGNED),
}


def carry_out(what: str, *statements: tuple[str, Any]) -> None:
    with connection.cursor() as cursor:
        for each, values in statements:
            cursor.execute(each, values)
    at_the_end()
    pytest.fail(f"it was recorded: {what}")


def assert_refused(cases: dict[str, tuple[tuple[str, ...], str]]) -> None:
    for what, (statements, match) in cases.items():
        with acting_as("web"), pytest.raises(DatabaseError, match=match), transaction.atomic():
            carry_out(what, *((each, None) for each in statements))


def test_no_row_makes_a_large_act_small() -> None:
    house = SigningHouse()
    house.approved()
    assert_refused(BEFORE_CONFIRMATION)
    key = uuid.uuid4()
    act = house.act("david", "confirm", {"amount": HELD}, key)
    with acting_as("web"), signed(house.keys["david"], act):
        claims.confirm(house.claim, Reauthenticated(person("david")), HELD, key=key)
        at_the_end()
    house.post()
    assert_refused(AFTER_CONFIRMATION)


SIGN = """INSERT INTO settlement_signature (source, row, person_id, key_id, statement,
    authenticator_data, client_data, signature, at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, now())"""


def test_bytes_are_canonical_and_say_one_act() -> None:
    """An endorsement stands alone; a longer list has payments of one claim, or invitations."""
    house = SigningHouse()
    key, hana = give_key("tane", SoftPasskey()), person("hana")
    act = acts.on_key(key, hana)
    pay = house.act("hana", "pay", {"line": 1}, uuid.uuid4())
    good: str = options_of(act)["statement"]
    statements = {
        good.replace(',"v":1', ', "v":1'): "not canonical",
        good.replace('"v":1', '"v":1,"w":1'): "not canonical",
        good.replace('"v":1', '"v":1.0'): "not canonical",
        good.replace('"v":1', '"v":2'): "not canonical",
        good.replace('Z"', '+00:00"'): "not canonical",
        good[:-1] + ',"acts":[],"at":"2026-01-01T00:00:00Z","v":1}': "not canonical",
        "x" + good: "invalid input syntax|not canonical",
        options_of(act, act)["statement"]: "more than one act",
        options_of(act, pay)["statement"]: "more than one act",
        options_of(pay, act)["statement"]: "more than one act",
    }
    for statement, match in statements.items():
        values = signature_of(house.keys["hana"], statement)
        row = [keys.SOURCE, key.pk, hana.pk, keys.that_sign(hana).get().pk, statement, *values]
        with acting_as("web"), pytest.raises(DatabaseError, match=match), transaction.atomic():
            carry_out(statement, (SIGN, row))


def signature_of(passkey: SoftPasskey, statement: str) -> list[Any]:
    """What the device and the browser make of these bytes."""
    challenge = signing.encoded(acts.challenge(statement))
    signature = signing._read(passkey.signs_act({"statement": statement, "challenge": challenge}))
    return (
        [signature.authenticator_data, signature.client_data, signature.signature]
        if signature
        else [b"", b"", b""]
    )


def test_the_first_key_is_of_somebody_who_endorses() -> None:
    """A cashier's would lock the house: nobody could endorse another one."""
    ClaimHouse()
    with acting_as("web"):
        for name in ("aroha", "sione"):
            with pytest.raises(NotPermitted, match="who manages people"):
                give_key(name, SoftPasskey())
        assert policy.of_casino(None) == "none"
        assert give_key("hana", SoftPasskey()).is_first
        assert policy.of_casino(None) == "none"


def test_what_the_database_cannot_read_is_refused_in_words() -> None:
    house = SigningHouse()
    key, hana = give_key("tane", SoftPasskey()), person("hana")
    act = acts.on_key(key, hana)
    answer = json.loads(house.keys["hana"].signs_act(options_of(act)))
    statement = options_of(act)["statement"]
    answer["statement"] = re.sub(r'"at":"[^"]*"', '"at":"2026-99-99T99:99:99Z"', statement)
    with acting_as("web"), shows(json.dumps(answer)), pytest.raises(BadSignature):
        endorsements.endorse(hana, key)
