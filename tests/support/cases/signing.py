"""Keys that sign, and acts that are signed with them."""

from __future__ import annotations

import html
import json
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.models import Claim, SecondFactor, SigningKey
from settlement.people.rights.permissions import Reauthenticated
from settlement.signatures import acts, endorsements, policy, registration, signing
from settlement.signatures.acts import Act
from tests.support.cases.confirmed_house import person
from tests.support.people.access.soft_passkey import SoftPasskey
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.people.permissions.authorisation import at_the_end
from tests.support.people.roles import acting_as
from tests.support.people.second_manager import limit

Endorser = tuple[str, SoftPasskey]
HELD = 1001 * MICROS
KEYS = ("hana", "mere", "david", "aroha", "sione")
_TO_SIGN = re.compile(r'data-passkey-act="([^"]*)"')


def give_key(name: str, passkey: SoftPasskey, endorser: Endorser | None = None) -> SigningKey:
    """A passkey of that person that signs, or waits for somebody where nobody endorses it."""
    person = User.objects.get(username=name)
    factor = SecondFactor.objects.create(
        person=person,
        kind=SecondFactor.Kind.PASSKEY,
        name=f"Key of {name}",
        material=bytes(passkey.credential),
        count=0,
    )
    with signed(
        passkey, acts.on_registration(registration.key_of(person, factor.pk, passkey.origin))
    ):
        key = registration.begin(person, factor.pk, passkey.origin)
    if endorser is not None:
        by = User.objects.get(username=endorser[0])
        with signed(endorser[1], acts.on_key(key, by)):
            endorsements.endorse(by, key)
    return key


def options_of(*what: Act, at: Any = None) -> dict[str, Any]:
    """What a browser gets to sign of these acts."""
    text = acts.statement(what, at or timezone.now())
    return {"statement": text, "challenge": signing.encoded(acts.challenge(text))}


@contextmanager
def signed(passkey: SoftPasskey, *what: Act, **options: Any) -> Iterator[None]:
    """What the block does comes with a signature of these acts."""
    with shows(passkey.signs_act(options_of(*what), **options)):
        yield


@contextmanager
def shows(text: str) -> Iterator[None]:
    """The block is a request with that assertion."""
    before = signing._assertion.set(signing._read(text))
    try:
        yield
    finally:
        signing._assertion.reset(before)


def to_sign(answer: Any) -> dict[str, Any]:
    """What the page wants to be signed."""
    assert answer.status_code == 200, answer.status_code
    form = _TO_SIGN.search(answer.content.decode())
    assert form, "nobody can sign there"
    options: dict[str, Any] = json.loads(html.unescape(form[1]))
    return options


def posts(client: Client, address: str, /, **fields: Any) -> Any:
    """The answer to a form, which the web process takes and the database judges to its end."""
    with acting_as("web"):
        answer = client.post(address, fields)
        at_the_end()
    return answer


def signs(client: Client, address: str, passkey: SoftPasskey, /, **fields: Any) -> Any:
    """The answer to a form that its person signs on the next page."""
    assertion = passkey.signs_act(to_sign(posts(client, address, **fields)))
    return posts(client, address, **fields, signature=assertion)


class SigningHouse(ClaimHouse):
    """A verified claim above the second manager's amount, and people with keys; hana's is first."""

    def __init__(self) -> None:
        super().__init__()
        limit("1,000")
        self.hit_royal()
        claims.catch_up(self.system)
        with acting_as("web"):
            claims.answer_checklist(self.claim, person("sione"), ALL_YES, {})
            claims.verify(self.claim, person("sione"))
            at_the_end()
        self.keys = {name: SoftPasskey() for name in KEYS}
        give_key("hana", self.keys["hana"])
        for name in KEYS[1:]:
            give_key(name, self.keys[name], ("hana", self.keys["hana"]))

    @property
    def claim(self) -> Claim:
        return Claim.objects.select_related("system__casino").get()

    def act(self, name: str, kind: str, body: dict[str, Any], key: uuid.UUID) -> acts.Act:
        return acts.on_claim(self.claim, kind, person(name), self.hit(1).report_entry, body, key)

    def approved(self) -> None:
        """Mere approves, and signs it."""
        key, body = uuid.uuid4(), {"amount": HELD, "confirmed": 0}
        with acting_as("web"), signed(self.keys["mere"], self.act("mere", "approve", body, key)):
            claims.approve(self.claim, Reauthenticated(person("mere")), HELD, key=key)


@contextmanager
def console_taken_over(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """It asks nobody for a signature, and has everybody's log-in in its hands."""
    with monkeypatch.context() as patch, acting_as("web"):
        for each in ("is_asked_of_action", "is_asked_of_proposal", "is_asked_of_set_up"):
            patch.setattr(policy, each, lambda *_: False)
        yield
