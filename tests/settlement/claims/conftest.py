"""A room of two claims, with a writer and without."""

from collections.abc import Generator

import pytest
from pytest_django import Settings

from jackpot.models import Account
from settlement.audit.reconciliation import reconcile
from settlement.claims import services as claims
from tests.support.houses.room_at_once import Room
from tests.support.people.at_once import writing
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase
from verifier import verify


@pytest.fixture
def unanswered_room(fresh_database: FreshDatabase, settings: Settings) -> Generator[Room]:
    """Nobody writes. Closed with the books balanced, by the product's word and the verifier's."""
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    room = Room()
    yield room
    claims.catch_up(room.system)
    assert sum(Account.objects.values_list("balance", flat=True)) == 0
    with acting_as("worker"):
        assert reconcile(room.system).differences == []
    report = verify(fresh_database.url)
    assert report.ok, report.lines()


@pytest.fixture
def room(unanswered_room: Room, settings: Settings) -> Generator[Room]:
    """The writer answers everybody."""
    settings.CLAIM_WAIT_S = 60
    with writing():
        yield unanswered_room
