"""A passkey ends while its person signs: the signature came before, or is refused."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.utils import timezone

from settlement.claims import services as claims
from settlement.core.errors import BadSignature
from settlement.models import Signature
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.cases.signing import HELD, SigningHouse, signed
from tests.support.people.at_once import waiting
from tests.support.people.roles import acting_as
from tests.support.suite.waiting import wait_until


@pytest.mark.usefixtures("fresh_database")
def test_who_signs_while_the_passkey_ends_waits_and_is_refused() -> None:
    house, key = SigningHouse(), uuid.uuid4()
    act = house.act("mere", "approve", {"amount": HELD, "confirmed": 0}, key)

    def approve() -> str:
        try:
            with acting_as("web"), signed(house.keys["mere"], act):
                claims.approve(house.claim, Reauthenticated(person("mere")), HELD, key=key)
        except BadSignature as refusal:
            return str(refusal)
        finally:
            connection.close()
        return "it was signed"

    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            mere = person("mere")
            mere.second_factors.update(ended_at=timezone.now(), ended_by=mere)
            signing = other.submit(approve)
            wait_until(lambda: waiting() or signing.done(), what="mere to wait for the key")
        assert "is not valid" in signing.result()
    assert not Signature.objects.filter(source="settlement_action").exists()
