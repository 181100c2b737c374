"""Acts that people sign: from the first key to a paid claim, and what a stolen console cannot."""

from __future__ import annotations

import base64
import json
import uuid
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from pytest_django import Settings

from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.models import (
    Action,
    Claim,
    Payout,
    SecondFactor,
    SecurityEvent,
    SetUpProposal,
    Signature,
    SignaturePolicy,
    SigningKey,
)
from settlement.payments.slips import slip_of
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools import adjustments
from settlement.set_up import house_rules, proposals
from settlement.signatures import acts, keys
from settlement.signatures.signing import SignatureNeeded
from tables.models import Alarm, Casino
from tests.support.cases.claims.payees import SixPayees
from tests.support.cases.confirmed_house import person
from tests.support.cases.signing import (
    HELD,
    KEYS,
    SigningHouse,
    console_taken_over,
    give_key,
    posts,
    signed,
    signs,
    to_sign,
)
from tests.support.pages.page_staff import logged_in, page_of, words
from tests.support.people.access.soft_passkey import SoftPasskey
from tests.support.people.cast import ALL_YES, PASSWORD, ClaimHouse, as_
from tests.support.people.permissions.authorisation import at_the_end, refused
from tests.support.people.roles import acting_as
from tests.support.people.second_manager import limit
from tests.support.proof.bundles import KEY, exported, files_of, resigned, verifier_findings
from tests.support.suite.kept_house import kept_house
from verifier.check import look
from verifier.people.signatures import fingerprint

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
PAGE = "/claims/main/1/"


house = kept_house(SigningHouse)


class Browsers:
    """Everybody's browser and passkey at the pages of a house where nobody has a key yet."""

    def __init__(self) -> None:
        self.of = {name: logged_in(name) for name in KEYS}
        self.passkeys = {name: SoftPasskey() for name in KEYS}

    def post(self, name: str, address: str, /, **fields: Any) -> Any:
        return posts(self.of[name], address, **fields)

    def sign(self, name: str, address: str, key_of: str = "", /, **fields: Any) -> Any:
        """By the person's own key, or by another one's."""
        return signs(self.of[name], address, self.passkeys[key_of or name], **fields)

    def let_passkeys_sign(self) -> None:
        for name, browser in self.of.items():
            answer = self.passkeys[name].makes(browser.get("/account/passkey/options/").json())
            form = {"name": "Key", "password": PASSWORD, "passkey": answer}
            assert self.post(name, "/account/passkey/", **form).status_code == 200
            number = SecondFactor.objects.get(person=person(name)).pk
            begin = f"/signing-keys/passkeys/{number}/"
            assert "Use this passkey to sign" in words(self.post(name, begin, password=PASSWORD))
            assert not SigningKey.objects.filter(person=person(name)).exists()
            assert self.sign(name, begin).status_code == 302
            assert SigningKey.objects.get(person=person(name)).is_first is (name == "hana")

    def endorse(self) -> None:
        """By a manager or an administrator whose key signs, and by nobody for oneself."""
        endorse = {
            key.person.username: f"/signing-keys/{key.pk}/endorse/"
            for key in SigningKey.objects.select_related("person")
        }
        assert "Your passkey waits" in words(self.post("mere", endorse["mere"]))
        self.post("sione", endorse["mere"])
        assert "you may not endorse it" in words(self.of["sione"].get("/signing-keys/"))
        for name in KEYS[1:]:
            assert self.sign("hana", endorse[name]).status_code == 302


def test_from_the_first_key_to_a_paid_claim() -> None:
    """By pages and API, as the web process does it."""
    house = ClaimHouse()
    limit("1,000")
    house.hit_royal()
    claims.catch_up(house.system)
    claims.answer_checklist(Claim.objects.get(), person("sione"), ALL_YES, {})
    claims.verify(Claim.objects.get(), person("sione"))
    assert "None yet: it begins as soon as passkeys of two people sign" in page_of(
        "mere", "/house-rules/"
    )
    browsers = Browsers()
    browsers.let_passkeys_sign()
    assert "None yet" in page_of("mere", "/house-rules/")
    assert "as soon as it is endorsed" in words(browsers.of["mere"].get("/signing-keys/"))
    browsers.endorse()
    assert "confirmation and payment of claims above" in page_of("mere", "/house-rules/")
    page = words(browsers.of["mere"].get(PAGE))
    assert "You sign it with your passkey on the next page." in page
    assert "Confirm with your password" not in page

    approve = {"do": "approve", "amount": HELD, "key": str(uuid.uuid4())}
    answer = browsers.post("mere", PAGE, **approve, password=PASSWORD)
    assert "Approve, as the first of two managers, MAIN-1: NZD 1,001.00" in words(answer)
    assert browsers.sign("mere", PAGE, **approve).status_code == 302
    confirmed = {"do": "confirm", "amount": HELD, "key": str(uuid.uuid4())}
    answer = browsers.sign("david", PAGE, "mere", **confirmed)
    assert "does not sign for you" in words(answer)
    assert not Action.objects.filter(kind="confirm").exists()
    confirmed["key"] = str(uuid.uuid4())
    assert browsers.sign("david", PAGE, **confirmed).status_code == 302
    house.post()
    pay_by_api(browsers.passkeys["aroha"])
    house.post()
    assert house.hit(1).payees[0]["state"] == "paid"
    assert_traced()


def pay_by_api(passkey: SoftPasskey) -> None:
    """The program is told what is to be signed, and sends the same request again with it."""
    address = "/api/claims/main-1/pay/"
    body = {"line": 1, "parts_micros": {"cash": HELD}, "password": ""}
    headers, cashier = {"Idempotency-Key": str(uuid.uuid4())}, as_("aroha")
    with acting_as("web"):
        answer = cashier.post(address, body, format="json", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (428, "signature_needed")
        assertion = passkey.signs_act(answer.json()["to_sign"])
        headers["Passkey-Assertion"] = base64.urlsafe_b64encode(assertion.encode()).decode()
        answer = cashier.post(address, body, format="json", headers=headers)
        assert answer.status_code == 202, answer.content
        at_the_end()


def assert_traced() -> None:
    """On the claim's page and the slip, in the security log, and by the verifier."""
    people = {each.did: each.name for each in slip_of(Payout.objects.get()).people}
    signed_by = [name for name in people.values() if name.endswith(", signed with a passkey")]
    assert len(signed_by) == 3, people
    who = Signature.objects.filter(source="settlement_action").order_by("id")
    assert list(who.values_list("person__username", flat=True)) == ["mere", "david", "aroha"]
    assert page_of("tane").count("Signed with a passkey") == 3
    alarms = Alarm.objects.filter(kind="key_endorsed").values_list("subject", flat=True)
    assert set(alarms) == {f"{name} by hana" for name in KEYS[1:]}
    log = SecurityEvent.objects.filter(what__startswith="signing_key")
    assert all("; by hana" in each.detail for each in log.filter(what="signing_key_endorsed"))
    assert log.count() == 2 * len(KEYS) - 1
    report = look(connection.connection, settled=False)
    assert report.ok, report.findings
    first = SigningKey.objects.get(is_first=True)
    assert (
        "the key of hana is the first of the house: believed as it came; its fingerprint is"
        f" {fingerprint(first.public_key)}" in report.remarks
    )
    assert report.counts["signatures"] == 3 + len(KEYS) + len(KEYS) - 1


def test_the_cage_takes_one_signature_for_its_form(house: SigningHouse) -> None:
    """One assertion stands behind all acts that it names, and behind no other."""
    house.approved()
    key = uuid.uuid4()
    confirmed = house.act("david", "confirm", {"amount": HELD}, key)
    with acting_as("web"), signed(house.keys["david"], confirmed):
        claims.confirm(house.claim, Reauthenticated(person("david")), HELD, key=key)
        at_the_end()
    house.post()
    half = HELD // 2
    line = house.hit(1).payee_lines[0]
    cage = f"{PAGE}cage/"
    browser = logged_in("aroha")
    assert "You sign it with your passkey on the next page." in words(browser.get(cage))
    form = {"l1-key": str(uuid.uuid4()), "l1-cash": "500.50", "l1-without": "on", "do": "pay"}
    answer = posts(browser, cage, **form)
    assert f"payment 1, seat {line.seat}: NZD 500.50 in cash" in words(answer)
    assert signs(browser, cage, house.keys["aroha"], **form).status_code == 302
    paid = Action.objects.get(kind="pay")
    assert paid.body["parts"]["cash"] == half
    assert Signature.objects.filter(row=paid.pk, source="settlement_action").exists()


def proposed(of_acts: str) -> SetUpProposal:
    proposals.propose_signatures(person("hana"), Casino.objects.get(), of_acts)
    return SetUpProposal.objects.latest("id")


def test_what_is_signed_is_decided_by_a_signed_agreement(
    house: SigningHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    harbour, mere = Casino.objects.get(), person("mere")
    with acting_as("web"):
        off = proposed("none")
        with pytest.raises(SignatureNeeded):
            proposals.agree(off, Reauthenticated(mere))
        proposals.propose_amount(person("hana"), harbour, None)
        amount = SetUpProposal.objects.latest("id")
    for each in (off, amount):
        with console_taken_over(monkeypatch), refused("is not signed"):
            proposals.agree(each, Reauthenticated(mere))
    with acting_as("web"):
        with signed(house.keys["mere"], acts.on_set_up(off, mere)):
            proposals.agree(off, Reauthenticated(mere))
            at_the_end()
        proposals.agree(proposed("all"), Reauthenticated(person("david")))  # nothing is signed now
        at_the_end()
    assert list(SignaturePolicy.objects.values_list("acts", "first", "second")) == [
        ("none", "hana", "mere"),
        ("all", "hana", "david"),
    ]
    (rule,) = (r for r in house_rules.rules_of(harbour) if r.kind == SetUpProposal.Kind.SIGNATURES)
    assert rule.value.startswith("All:")
    report = look(connection.connection, settled=False)
    assert report.ok, report.findings


def test_all_acts_are_verification_and_agreement_too(
    house: SigningHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    tier, mere = house.hit(1).tier, person("mere")
    everything = proposed("all")
    with acting_as("web"), signed(house.keys["mere"], acts.on_set_up(everything, mere)):
        proposals.agree(everything, Reauthenticated(mere))
        at_the_end()
    assert tier is not None
    adjustment = adjustments.PoolAdjustment(tier, "pool", "operator", MICROS, "A01", "Count 4")
    with acting_as("web"):
        proposal, again = (adjustments.propose(adjustment, person("sione")) for _ in range(2))
        with pytest.raises(SignatureNeeded):
            adjustments.agree(proposal, Reauthenticated(mere))
        with signed(house.keys["mere"], acts.on_proposal(proposal, mere)):
            adjustments.agree(proposal, Reauthenticated(mere))
            at_the_end()
    page = page_of("mere", f"/pools/main/{tier.code}/")
    assert "Approve adjustment" in page
    assert "Confirm with your password" not in page
    with console_taken_over(monkeypatch), refused("is not signed"):
        adjustments.agree(again, Reauthenticated(mere))
    house.hit_royal("t7")
    claims.catch_up(house.system)
    second = Claim.objects.get(number=2)
    with acting_as("web"):
        claims.answer_checklist(second, person("sione"), ALL_YES, {})
        with pytest.raises(SignatureNeeded) as needed:
            claims.verify(second, person("sione"))
        (act,) = needed.value.acts
        with signed(house.keys["sione"], act):
            claims.verify(second, person("sione"), key=uuid.UUID(act["key"]))
            at_the_end()
    house.post()
    report = look(connection.connection, settled=False)
    assert report.ok, report.findings


def test_a_further_key_is_endorsed_by_its_own_person(house: SigningHouse) -> None:
    further = SoftPasskey()
    give_key("mere", further, ("mere", house.keys["mere"]))
    assert {each.name for each in keys.that_sign(person("mere"))} == {"Key of mere"}
    assert keys.that_sign(person("mere")).count() == 2
    key, waits = give_key("tane", SoftPasskey()), "/signing-keys/"
    shown_to_both = f"fingerprint {keys.fingerprint(bytes(key.public_key))}"
    assert all(shown_to_both in page_of(name, waits) for name in ("tane", "hana"))
    assert to_sign(logged_in("hana").post(waiting_of("tane"), {}))["allowCredentials"]
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        SigningKey.objects.update(origin="http://console.example")


def waiting_of(name: str) -> str:
    return f"/signing-keys/{give_key(name, SoftPasskey()).pk}/endorse/"


def test_a_dispute_bundle_has_what_was_signed(house: SigningHouse, settings: Settings) -> None:
    """And whoever has the house's key, and no passkey, changes an amount in it in vain."""
    settings.BUNDLE_SIGNING_KEY = KEY
    house.approved()
    archive = exported(house.claim, "ines")
    assert verifier_findings(archive) == []
    files = files_of(archive)
    approvals = json.loads(files["approvals.json"])
    (approval,) = (each for each in approvals["actions"] if each["kind"] == "approve")
    assert approval["signature"]["origin"] == "http://testserver"
    approval["said"]["amount"] += MICROS
    files["approvals.json"] = json.dumps(approvals).encode()
    assert verifier_findings(resigned(files)) == ["approve by mere: the signature does not hold"]


def test_two_payees_are_paid_with_one_assertion(settings: Settings) -> None:
    settings.CLAIM_WAIT_S = 0
    house = SixPayees().confirmed()
    at_the_end()
    limit("1")
    passkeys = {name: SoftPasskey() for name in ("hana", "aroha")}
    give_key("hana", passkeys["hana"])
    give_key("aroha", passkeys["aroha"], ("hana", passkeys["hana"]))
    due = {line["line"]: str(line["amount"] // MICROS) for line in house.hit(1).payees}
    form = {"do": "pay", **{f"l{n}-key": str(uuid.uuid4()) for n in (1, 2)}}
    form |= {f"l{n}-cash": due[n] for n in (1, 2)}
    browser, cage = logged_in("aroha"), f"{PAGE}cage/"
    assert len(json.loads(to_sign(posts(browser, cage, **form))["statement"])["acts"]) == 2
    assert not Action.objects.filter(kind="pay").exists()
    assert signs(browser, cage, passkeys["aroha"], **form).status_code == 302
    paid = list(Action.objects.filter(kind="pay").order_by("id"))
    assert [each.body["line"] for each in paid] == [1, 2]
    signatures = Signature.objects.filter(source="settlement_action")
    assert set(signatures.values_list("row", flat=True)) == {each.pk for each in paid}
    assert len({bytes(each.signature) for each in signatures}) == 1
    house.post()
    report = look(connection.connection, settled=False)
    assert report.ok, report.findings
