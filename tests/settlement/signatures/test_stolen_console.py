"""What a console that was taken over cannot do: it has every log-in, and no passkey."""

from __future__ import annotations

import datetime as dt
import json
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from settlement.claims import services as claims
from settlement.core import guards
from settlement.core.errors import BadSignature
from settlement.models import Action, SecondFactor, Signature
from settlement.people.rights.permissions import Reauthenticated
from settlement.signatures import acts, keys, signing
from settlement.signatures.acts import Act
from tests.support.cases.confirmed_house import person
from tests.support.cases.signing import (
    HELD,
    SigningHouse,
    console_taken_over,
    give_key,
    options_of,
    shows,
    signed,
)
from tests.support.people.access.soft_passkey import PRESENT, SoftPasskey
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
Change = Callable[[dict[str, Any]], None]


def build_house() -> SigningHouse:
    """The first of two managers approved, and signed it: the console has those bytes."""
    house = SigningHouse()
    house.approved()
    return house


house = kept_house(build_house)


@pytest.fixture(autouse=True)
def refusals_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """As they are, not in the words for people."""
    monkeypatch.setattr(guards, "refusal_of", lambda *_: None)


def confirm(house: SigningHouse, key: uuid.UUID) -> None:
    claims.confirm(house.claim, Reauthenticated(person("david")), HELD, key=key)


def changed(passkey: SoftPasskey, act: Act, change: Change) -> str:
    """A good signature of which something is another one."""
    body = json.loads(passkey.signs_act(options_of(act)))
    change(body)
    return json.dumps(body)


def response(name: str, value: bytes) -> Change:
    return lambda body: body["response"].update({name: signing.encoded(value)})


def in_a_frame(body: dict[str, Any]) -> None:
    client = json.loads(signing._decoded(body["response"]["clientDataJSON"]))
    raw = json.dumps(client | {"crossOrigin": True}).encode()
    body["response"]["clientDataJSON"] = signing.encoded(raw)


def other_words(body: dict[str, Any]) -> None:
    moment = f"{timezone.now() - dt.timedelta(minutes=1):%Y-%m-%dT%H:%M:%SZ}"
    body["statement"] = re.sub(r'"at":"[^"]*"', f'"at":"{moment}"', body["statement"])


def attempts(house: SigningHouse, act: Act) -> dict[str, tuple[str, str]]:
    """What the console shows of a confirmation by david, and how the database says no."""
    david, waiting = house.keys["david"], SoftPasskey()
    give_key("david", waiting)
    late = timezone.now() - dt.timedelta(minutes=16)
    elsewhere = SoftPasskey("http://console.example")
    elsewhere.key, elsewhere.credential = david.key, david.credential
    before = bytes(Signature.objects.get(source="settlement_action").signature)
    return {
        "nobody signed": ("", "is not signed with a key"),
        "a key that nobody endorsed": (waiting.signs_act(options_of(act)), "does not sign"),
        "an old one": (david.signs_act(options_of(act, at=late)), "too old"),
        "of nobody verified": (david.signs_act(options_of(act), PRESENT), "asked nobody"),
        "of another address": (elsewhere.signs_act(options_of(act)), "another address"),
        "in another page's frame": (changed(david, act, in_a_frame), "another address"),
        "what the browser never signed": (changed(david, act, other_words), "other bytes"),
        "another signature": (changed(david, act, response("signature", before)), "did not sign"),
        "another device's data": (
            changed(david, act, response("authenticatorData", bytes(37))),
            "another address",
        ),
    }


def test_it_confirms_nothing(house: SigningHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    key = uuid.uuid4()
    act = house.act("david", "confirm", {"amount": HELD}, key)
    for what, (text, match) in attempts(house, act).items():
        with console_taken_over(monkeypatch), refused(match):
            if text:
                with shows(text):
                    confirm(house, key)
            else:
                confirm(house, key)
        assert not Action.objects.filter(kind="confirm").exists(), what
    for passkey in (house.keys["mere"], SoftPasskey()):  # of a colleague, and of the thief
        with (
            console_taken_over(monkeypatch),
            pytest.raises(BadSignature),
            signed(passkey, act),
            transaction.atomic(),
        ):
            confirm(house, key)
    # Once his passkey has ended, david signs nothing either.
    SecondFactor.objects.filter(person=person("david")).update(
        ended_at=timezone.now(), ended_by=person("david")
    )
    with (
        console_taken_over(monkeypatch),
        refused("does not sign"),
        signed(house.keys["david"], act),
    ):
        confirm(house, key)


def test_what_was_signed_stands_behind_nothing_else(house: SigningHouse) -> None:
    """Rows by hand, past the services, with what somebody signed before."""
    approval = Signature.objects.get(source="settlement_action")
    other = give_key("david", SoftPasskey())
    insert = """INSERT INTO settlement_signature (source, row, person_id, key_id, statement,
        authenticator_data, client_data, signature, at)
        SELECT %s, %s, {0}, key_id, statement, authenticator_data, client_data, signature, now()
        FROM settlement_signature WHERE id = %s"""
    for who, source, row, match in (
        ("person_id", "settlement_action", 1, "says something else"),
        (str(person("david").pk), "settlement_action", approval.row, "somebody else"),
        ("person_id", "settlement_signingkey", other.pk, "says something else"),
    ):
        with acting_as("web"), refused(match), connection.cursor() as cursor:
            cursor.execute(insert.format(who), [source, row, approval.pk])


def test_a_key_that_it_adds_to_somebody_signs_nothing(house: SigningHouse) -> None:
    """Neither by itself nor by another one that waits; and a cashier endorses nobody's."""
    one, two = SoftPasskey(), SoftPasskey()
    key = give_key("david", one)
    give_key("david", two)
    for name, passkey, match in (
        ("david", one, "does not sign"),
        ("david", two, "does not sign"),
        ("aroha", house.keys["aroha"], "may not endorse"),
    ):
        act = acts.on_key(key, person(name))
        with acting_as("web"), refused(match), signed(passkey, act):
            signing.take_up(person(name), act, lambda: True).sign(keys.SOURCE, key.pk)
