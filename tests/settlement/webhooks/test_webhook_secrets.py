"""A webhook's secret is exchanged while both sign; a test event; a program has it sent again."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.core.errors import BadSetUp, WrongState
from settlement.events import reading
from settlement.models import (
    SetUpChange,
    SetUpProposal,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
)
from settlement.people.passwords import SealedArgon2PasswordHasher
from settlement.people.programs import programs
from settlement.people.programs.programs import NewProgram
from settlement.people.rights.permissions import Reauthenticated
from settlement.set_up import proposals
from settlement.webhooks import endpoints, outbox
from tests.support.cases.confirmed_house import person
from tests.support.cases.webhook_receiver import Receiver, endpoint_of, send_all
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, ClaimHouse, as_
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def posts(client: Client, number: int, **fields: Any) -> Any:
    with acting_as("web"):
        return client.post(f"/webhooks/{number}/", fields)


def secret_on(answer: Any) -> str:
    (secret,) = re.findall(r"whsec_[\w+/=]{44}", answer.content.decode())
    return str(secret)


def test_both_secrets_sign_until_the_old_one_ends(receiver: Receiver) -> None:
    ClaimHouse()
    reading.collect(outbox.give_out)  # what was before anybody listened is not told
    hana = logged_in("hana")
    endpoint = endpoint_of(receiver)
    first = secret_on(posts(hana, endpoint.pk, do="secret", hours="0"))
    answer = posts(hana, endpoint.pk, do="secret", hours="24")
    second = secret_on(answer)
    assert "each delivery bears two signatures" in words(answer)
    assert "whsec_" not in hana.get(f"/webhooks/{endpoint.pk}/").content.decode()
    posts(hana, endpoint.pk, do="test")
    send_all()
    assert receiver.types == ["webhook.test"]
    assert [receiver.requests[0].is_signed(each) for each in (first, second)] == [True, True]
    assert len(receiver.requests[0].headers["webhook-signature"].split()) == 2
    WebhookEndpoint.objects.update(old_until=timezone.now())
    posts(hana, endpoint.pk, do="test")
    send_all()
    assert [receiver.requests[1].is_signed(each) for each in (first, second)] == [False, True]
    third = secret_on(posts(hana, endpoint.pk, do="secret", hours="168"))
    assert posts(hana, endpoint.pk, do="secret", hours="1").status_code == 302
    assert "Two secrets of this webhook sign already" in words(
        hana.get(f"/webhooks/{endpoint.pk}/")
    )
    posts(hana, endpoint.pk, do="test")
    send_all()
    signed = [receiver.requests[2].is_signed(each) for each in (second, third)]
    assert signed == [True, True], "a second click ends nothing"
    fourth = secret_on(posts(hana, endpoint.pk, do="secret", hours="0"))
    posts(hana, endpoint.pk, do="test")
    send_all()
    signed = [receiver.requests[3].is_signed(each) for each in (second, third, fourth)]
    assert signed == [False, False, True], "those before end now"
    changes = SetUpChange.objects.filter(kind="webhook", what="rekeyed").order_by("id")
    assert [each.after for each in changes] == [{"hours": hours} for hours in (0, 24, 168, 0)]
    assert {each.by for each in changes} == {"hana"}
    row = WebhookEndpoint.objects.get()
    assert fourth.encode() not in bytes(row.secret) + bytes(row.old_secret or b"")


def test_a_test_event_has_the_next_number_and_ends_a_pause(receiver: Receiver) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    endpoint = endpoint_of(receiver, "claim.held")
    WebhookEndpoint.objects.update(not_before=timezone.now() + timedelta(hours=1), failures=9)
    with acting_as("web"):
        assert endpoints.test(person("hana"), endpoint, None) == 1
    row = WebhookEndpoint.objects.get()
    assert (row.not_before, row.failures) == (None, 0)
    house.hit_royal()
    send_all()
    assert receiver.numbers == [1, 2]
    assert receiver.types == ["webhook.test", "claim.held"]
    with acting_as("web"):
        endpoints.test(person("hana"), endpoint, None)
    assert WebhookEvent.objects.filter(kind="webhook.test").count() == 2
    assert "Test event" in words(logged_in("hana").get(f"/webhooks/{endpoint.pk}/"))


def test_who_may_not_set_up_and_what_has_ended(receiver: Receiver) -> None:
    ClaimHouse()
    endpoint = endpoint_of(receiver)
    before = bytes(WebhookEndpoint.objects.get().secret)
    mere = logged_in("mere")
    for do in ("secret", "test", "replay"):
        posts(mere, endpoint.pk, do=do, hours="24", first="1")
    assert bytes(WebhookEndpoint.objects.get().secret) == before
    assert not WebhookDelivery.objects.exists()
    with pytest.raises(BadSetUp):
        endpoints.rotate(person("hana"), endpoint, timedelta(days=8))
    endpoints.end(person("hana"), endpoint)
    for action in (
        lambda: endpoints.rotate(person("hana"), endpoint, None),
        lambda: endpoints.test(person("hana"), endpoint, None),
    ):
        with pytest.raises(WrongState, match="has ended"):
            action()


def test_the_api_does_the_same(receiver: Receiver) -> None:
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    endpoint = endpoint_of(receiver, "claim.held")
    house.hit_royal()
    send_all()
    address = f"/api/webhooks/{endpoint.pk}/"
    hana = as_("hana")
    secret = hana.post(f"{address}secret/", {"hours": 1}, format="json").json()["secret"]
    refused = hana.post(f"{address}secret/", {"hours": 1}, format="json")
    assert refused.status_code == 409, "a request sent again ends no secret"
    key = {"Idempotency-Key": str(uuid4())}
    for _ in range(2):
        answer = hana.post(f"{address}test/", {}, format="json", headers=key)
        assert answer.json() == {"number": 2}
    assert WebhookEvent.objects.filter(kind="webhook.test").count() == 1
    other = endpoint_of(receiver, "claim.held")
    answer = hana.post(f"/api/webhooks/{other.pk}/test/", {}, format="json", headers=key)
    assert answer.json() == {"number": 1}, "of an endpoint"
    endpoints.end(person("hana"), other)
    assert hana.post(f"{address}secret/", {"hours": 169}, format="json").status_code == 422
    send_all()
    assert receiver.requests[-1].is_signed(secret)


def program_token(house: ClaimHouse, name: str, scopes: tuple[str, ...], **more: Any) -> str:
    """A program that two people let in, and its token."""
    hana = person("hana")
    new = NewProgram(
        username=name,
        name=name,
        purpose="Signage",
        owner=person("ines"),
        casino=house.system.casino,
        scopes=scopes,
        **more,
    )
    program = programs.add(hana, new)
    proposals.agree(SetUpProposal.objects.latest("id"), Reauthenticated(person("mere")))
    hana.proof = SealedArgon2PasswordHasher().proof(PASSWORD, hana.password)
    return programs.issue(Reauthenticated(hana), program, "Sign 1", 30)[1]


def test_a_program_has_it_sent_again_by_its_scope(receiver: Receiver, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    house = ClaimHouse()
    reading.collect(outbox.give_out)
    endpoint = endpoint_of(receiver, "claim.held")
    house.hit_royal()
    send_all()
    address = f"/api/webhooks/{endpoint.pk}/"
    tokens = (
        (program_token(house, "sign", ("write:webhooks",)), 200),
        (program_token(house, "reader", ("read:floor",)), 403),
        (program_token(house, "narrow", ("write:webhooks",), systems=(house.system,)), 403),
    )
    for token, status in tokens:
        client = Client(headers={"Authorization": f"Bearer {token}"})
        with acting_as("web", logged_in=False):
            again = client.post(f"{address}replay/", {"first": 1}, "application/json")
            assert again.status_code == status, again.content
            secret = client.post(f"{address}secret/", {"hours": 1}, "application/json")
            assert secret.status_code == 403, "a person does it"
    send_all()
    assert receiver.numbers == [1, 1]
