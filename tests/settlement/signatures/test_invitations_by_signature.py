"""Several invitations are approved by one signature, which says each of them."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from settlement.core.errors import BadSignature
from settlement.models import Invitation, SetUpDecision, SetUpProposal, Signature, SignaturePolicy
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.staff import invitations, persons
from settlement.people.staff.invitations import Guest
from settlement.set_up import many_invitations, proposals
from settlement.signatures import acts, signing
from settlement.signatures.signing import SignatureNeeded
from tests.support.cases.confirmed_house import person
from tests.support.cases.signing import SigningHouse, posts, signed, signs, to_sign
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, as_
from tests.support.people.permissions.authorisation import at_the_end
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
PAGE = "/house-rules/invitations/"
house = kept_house(SigningHouse)


def invite(count: int) -> list[SetUpProposal]:
    """By hana; the proposals, the oldest first."""
    with acting_as("web"):
        for number in range(count):
            guest = Guest(f"guest-{number}", "Rua", f"Ngata {number}", "", "Cashier")
            invitations.invite(person("hana"), guest)
    return list(proposals.open_proposals().order_by("pk"))


def numbers(rows: list[SetUpProposal]) -> list[int]:
    return [each.pk for each in rows]


def approved() -> list[int]:
    rows = SetUpDecision.objects.filter(agreed=True, person__username="mere")
    return list(rows.order_by("proposal").values_list("proposal", flat=True))


def of_decisions() -> list[Signature]:
    return list(Signature.objects.filter(source="settlement_setupdecision").order_by("row"))


def test_twenty_are_approved_with_one_touch(house: SigningHouse) -> None:
    rows, mere = invite(20), logged_in("mere")
    page = mere.get(PAGE)
    assert "your passkey signs all that are ticked with one touch" in words(page)
    assert 'name="password"' not in page.content.decode()
    form: dict[str, Any] = {"proposal": numbers(rows), "do": "approve"}
    answer = posts(mere, PAGE, **form)
    assert words(answer).count("Approve: Rua Ngata") == 20
    assert not SetUpDecision.objects.exists()
    answer = signs(mere, PAGE, house.keys["mere"], **form)
    assert answer.status_code == 302
    assert approved() == numbers(rows)
    assert len(of_decisions()) == 20
    assert len({bytes(each.signature) for each in of_decisions()}) == 1
    report = look(connection.connection, settled=False)
    assert report.ok, report.findings


def test_one_that_is_refused_stops_no_other(house: SigningHouse) -> None:
    rows, mere = invite(3), logged_in("mere")
    Invitation.objects.filter(username="guest-0").update(expires_at=timezone.now())
    answer = signs(mere, PAGE, house.keys["mere"], proposal=numbers(rows), do="approve")
    assert answer.status_code == 422
    assert "invite the person again" in words(answer)
    assert approved() == numbers(rows)[1:]


def test_what_was_not_signed_is_not_approved(house: SigningHouse) -> None:
    """One that was ticked after the person had signed."""
    rows, mere = invite(3), logged_in("mere")
    options = to_sign(posts(mere, PAGE, proposal=numbers(rows)[:2], do="approve"))
    signature = house.keys["mere"].signs_act(options)
    answer = posts(mere, PAGE, proposal=numbers(rows), do="approve", signature=signature)
    assert "Something else was signed" in words(answer)
    assert approved() == numbers(rows)[:2]


def test_a_program_is_told_what_is_signed_of_all(house: SigningHouse) -> None:
    rows = invite(3)
    mere, body = as_("mere"), {"proposals": numbers(rows), "password": ""}
    address = "/api/invitations/approve/"
    with acting_as("web"):
        answer = mere.post(address, body, format="json")
        assert (answer.status_code, answer.json()["code"]) == (428, "signature_needed")
        assertion = house.keys["mere"].signs_act(answer.json()["to_sign"])
        headers = {"Passkey-Assertion": base64.urlsafe_b64encode(assertion.encode()).decode()}
        answer = mere.post(address, body, format="json", headers=headers)
        at_the_end()
    assert answer.json() == {"decided": numbers(rows), "refused": []}
    assert approved() == numbers(rows)


def test_where_nothing_is_signed_the_password_stands_behind_all(house: SigningHouse) -> None:
    rows, mere = invite(2), logged_in("mere")
    SignaturePolicy.objects.create(
        casino=house.system.casino, acts="none", first="sione", second="mere", at=timezone.now()
    )
    for password in ("", "guess"):
        answer = posts(mere, PAGE, proposal=numbers(rows), do="approve", password=password)
        assert words(answer).count("That is not your password") == 1
    posts(mere, PAGE, proposal=numbers(rows), do="approve", password=PASSWORD)
    assert approved() == numbers(rows)
    assert not of_decisions()


def test_no_other_act_hides_among_invitations(house: SigningHouse) -> None:
    first, second = invite(2)
    with acting_as("web"):
        assert not persons.give_role(person("hana"), person("aroha"), "Casino manager", None)

    def agree(proposal: SetUpProposal) -> None:
        proposals.agree(proposal, Reauthenticated(mere))
        at_the_end()

    role, mere = proposals.open_proposals().get(kind="give_role"), person("mere")
    by_proposal = {each.pk: acts.on_set_up(each, mere) for each in (first, second, role)}
    lists = ((first, second, role), (role, first), (first, first, role))
    for each in lists:
        statement = [by_proposal[one.pk] for one in each]
        for proposal in (each[0], role):
            with (
                acting_as("web"),
                signed(house.keys["mere"], *statement),
                pytest.raises((BadSignature, DatabaseError)),
                transaction.atomic(),
            ):
                agree(proposal)
    assert not SetUpDecision.objects.exists()


def test_more_than_one_signature_holds_is_said(
    house: SigningHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = many_invitations.among(numbers(invite(3)))
    with acting_as("web"):
        with pytest.raises(SignatureNeeded) as needed:
            many_invitations.approve(rows, Reauthenticated(person("mere")))
        size = len(acts.statement(needed.value.acts, timezone.now()).encode())
        monkeypatch.setattr(signing, "LONGEST_STATEMENT", size - 1)
        with pytest.raises(BadSignature, match="Choose fewer"):
            many_invitations.approve(rows, Reauthenticated(person("mere")))
