"""Roles, invitations and log-ins are signed: a console alone makes nobody who agrees."""

from __future__ import annotations

import base64
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from settlement.claims import services as claims
from settlement.claims.decisions import delegation
from settlement.core.errors import BadSignature, NotPermitted
from settlement.models import SetUpProposal, SigningKey
from settlement.people.rights import roles
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.staff import invitations, persons
from settlement.people.staff.invitations import Guest
from settlement.set_up import proposals
from settlement.signatures import acts, keys, registration, signing
from settlement.signatures.signing import SignatureNeeded
from tables.models import Alarm, Casino
from tests.support.cases.confirmed_house import person
from tests.support.cases.signing import SigningHouse, console_taken_over, give_key, signed
from tests.support.people.access.factors import events
from tests.support.people.access.soft_passkey import SoftPasskey
from tests.support.people.cast import REASON, as_
from tests.support.people.permissions.authorisation import at_the_end, refused
from tests.support.people.roles import acting_as
from tests.support.people.second_manager import limit
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
GUEST = Guest("rangi", "Rangi", "Hohepa", "", "Casino manager")


house = kept_house(SigningHouse)


def agree(house: SigningHouse, proposal: SetUpProposal) -> None:
    """Mere does, and signs it."""
    mere = person("mere")
    with pytest.raises(SignatureNeeded):
        proposals.agree(proposal, Reauthenticated(mere))
    with signed(house.keys["mere"], acts.on_set_up(proposal, mere)):
        proposals.agree(proposal, Reauthenticated(mere))
        at_the_end()


def test_whoever_is_let_in_or_gets_a_role_was_agreed_to_by_a_signature(
    house: SigningHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.filter(username="tane").update(is_active=False)  # by the owner, for anybody
    hana = person("hana")
    with acting_as("web"):
        assert not persons.unlock(hana, person("tane"))
        assert not persons.give_role(hana, person("aroha"), "Casino manager", None)
        _row, secret = invitations.invite(hana, GUEST)
    waiting = list(proposals.open_proposals())
    assert [each.kind for each in waiting] == ["unlock", "give_role", "invite"]
    assert waiting[2].body["username"] == "rangi", "who is invited stands in what is signed"
    for each in waiting:
        with console_taken_over(monkeypatch), refused("is not signed"):
            proposals.agree(each, Reauthenticated(person("mere")))
    with acting_as("web"):
        for each in waiting:
            agree(house, each)
        invitations.accept(secret, "tablet-counter-nine")
    assert person("tane").is_active
    assert roles.held(person("aroha")).may("confirm_claim")
    assert roles.held(person("rangi")).may("confirm_claim")
    report = look(connection.connection, settled=False)
    assert report.ok, report.findings


def test_by_the_api_a_role_is_agreed_to_by_a_signature(house: SigningHouse) -> None:
    """The program is told what is to be signed, and that nothing holds before."""
    mere, body = as_("mere"), {"password": ""}
    with acting_as("web"):
        assert not persons.give_role(person("hana"), person("aroha"), "Casino manager", None)
        address = f"/api/account-proposals/{SetUpProposal.objects.get().pk}/approve/"
        answer = mere.post(address, body, format="json")
        assert (answer.status_code, answer.json()["code"]) == (428, "signature_needed")
        assert not roles.held(person("aroha")).may("confirm_claim")
        assertion = house.keys["mere"].signs_act(answer.json()["to_sign"])
        headers = {"Passkey-Assertion": base64.urlsafe_b64encode(assertion.encode()).decode()}
        answer = mere.post(address, body, format="json", headers=headers)
        assert answer.status_code == 200, answer.content
        at_the_end()
    assert roles.held(person("aroha")).may("confirm_claim")


def test_a_delegated_decision_is_signed(
    house: SigningHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = {"person": person("ines"), "capacity": "manager", "reason": "Nobody else is left"}
    with acting_as("web"):
        proposal = delegation.propose(house.claim, person("anahera"), **why)
        with pytest.raises(SignatureNeeded):
            delegation.agree(proposal, Reauthenticated(person("sione")))
    with console_taken_over(monkeypatch), refused("is not signed"):
        delegation.agree(proposal, Reauthenticated(person("sione")))
    with (
        acting_as("web"),
        signed(house.keys["sione"], acts.on_proposal(proposal, person("sione"))),
    ):
        delegation.agree(proposal, Reauthenticated(person("sione")))
        at_the_end()


def test_a_passkey_is_let_sign_by_itself_alone(house: SigningHouse) -> None:
    """Not by the password, another passkey, or what it signed for another key."""
    passkey, other = SoftPasskey(), SoftPasskey()
    first = give_key("tane", SoftPasskey())
    with acting_as("web"):
        factor = factor_of("tane", passkey)
        key = registration.key_of(person("tane"), factor, passkey.origin)
        with pytest.raises(SignatureNeeded) as needed:
            registration.begin(person("tane"), factor, passkey.origin)
        (only,) = needed.value.options()["allowCredentials"]
        assert only["id"] == signing.encoded(passkey.credential.credential_id)
        with refused("did not sign its registration"):
            key.save(force_insert=True)
        for by, act in (
            (other, acts.on_registration(key)),
            (passkey, acts.on_registration(first)),
        ):
            with pytest.raises(BadSignature), signed(by, act):
                registration.begin(person("tane"), factor, passkey.origin)
        assert SigningKey.objects.filter(person=person("tane")).count() == 1


def factor_of(name: str, passkey: SoftPasskey) -> int:
    return (
        person(name)
        .second_factors.create(
            kind="passkey", name="Key", material=bytes(passkey.credential), count=0
        )
        .pk
    )


def test_an_agreement_to_reject_names_its_proposal(
    house: SigningHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was signed for one proposal is nothing for the next one, word for word the same."""
    with acting_as("web"):
        proposals.propose_signatures(person("hana"), Casino.objects.get(), "all")
        agree(house, proposals.open_proposals().get())
        claims.propose_rejection(house.claim, person("sione"), **REASON)
        with pytest.raises(SignatureNeeded) as needed:
            claims.second_rejection(house.claim, Reauthenticated(person("mere")))
        (act,) = needed.value.acts
        first = house.claim.actions.get(kind="propose_rejection")
        assert act["body"] == {"proposal": str(first.key)}
        claims.withdraw_rejection(house.claim, person("sione"), note="Looked again")
        claims.propose_rejection(house.claim, person("sione"), **REASON)
        with pytest.raises(BadSignature), signed(house.keys["mere"], act):
            claims.second_rejection(house.claim, Reauthenticated(person("mere")), key=act["key"])
        second = house.claim.actions.filter(kind="propose_rejection").latest("id")
        act["body"] = {"proposal": str(second.key)}
        with signed(house.keys["mere"], act):
            claims.second_rejection(house.claim, Reauthenticated(person("mere")), key=act["key"])
            at_the_end()
    house.post()
    report = look(connection.connection, settled=False)
    assert report.ok, report.findings


def test_who_is_renamed_signed_what_they_signed(house: SigningHouse) -> None:
    house.approved()
    with acting_as("web"):
        proposals.propose_amount(person("hana"), Casino.objects.get(), None)
        agree(house, proposals.open_proposals().get())
    User.objects.filter(username="mere").update(username="mere.t")
    User.objects.filter(username="hana").update(username="hana.r")
    sentences = [
        s for kind, s in look(connection.connection, settled=False).findings if kind == "signatures"
    ]
    assert not sentences


def test_who_has_no_role_there_is_endorsed_by_nobody(house: SigningHouse) -> None:
    bay = Casino.objects.create(code="bay", name="Bay", currency="NZD")
    for name in ("moana", "rewi", "kahu"):
        User.objects.create_user(name)
    roles.grant(person("moana"), "Casino manager", bay)
    roles.grant(person("kahu"), "Cashier", bay)
    give_key("moana", SoftPasskey(), ("hana", house.keys["hana"]))
    nobodys, kahus = (give_key(name, SoftPasskey()) for name in ("rewi", "kahu"))
    assert keys.to_endorse(person("moana")) == [kahus]
    with pytest.raises(NotPermitted):
        give_key("nobody", SoftPasskey(), ("hana", house.keys["hana"]))
    assert nobodys not in keys.to_endorse(person("hana"))


def test_the_owner_endorses_where_nobody_is_left(house: SigningHouse) -> None:
    key = give_key("ines", SoftPasskey())
    digits = keys.fingerprint(bytes(key.public_key))

    def endorse(fingerprint: str) -> None:
        call_command(
            "endorse_key", "ines", fingerprint, by="anna and david", note="All lost",
            stdout=StringIO(),
        )  # fmt: skip

    with pytest.raises(CommandError, match="david, hana, mere can endorse it"):
        endorse(digits)
    for name in ("hana", "mere", "david"):
        person(name).second_factors.update(ended_at="2026-01-01T00:00Z", ended_by=person(name))
    with pytest.raises(CommandError, match="with this fingerprint waits"):
        endorse("0" * 16)
    endorse(digits.upper())
    assert list(keys.that_sign(person("ines"))) == [key]
    by = "the owner of the database, anna and david"
    assert Alarm.objects.filter(kind="key_endorsed", subject=f"ines by {by}").exists()
    assert events("ines")[-1] == f"signing_key_endorsed: Key of ines; by {by}"
    report = look(connection.connection, settled=False)
    assert report.ok, report.findings
    assert any("was endorsed by the owner of the database" in each for each in report.remarks)


def test_rules_are_decided_by_people_with_a_role_there() -> None:
    SigningHouse()
    User.objects.create_user("rewi")
    for first, second in (("rewi", "mere"), ("mere", "nobody")):
        people: Any = [f"--first={first}", f"--second={second}"]
        with pytest.raises(CommandError, match=r"has no role in .*staff_role"):
            call_command("set_second_manager", "harbour", "5", *people)
    assert limit("5")
