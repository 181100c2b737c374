"""Fixtures: the house of a claim on a primary, and a standby of it at which reports are read."""

from collections.abc import Iterator
from pathlib import Path

import environ
import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker, Settings

from jackpot.models import Block
from settlement.audit import file_keys
from tests.support.people.cast import ClaimHouse
from tests.support.servers.streaming_standby import Primary, Standby, streaming_primary

ROLE = "jackpot_worker"


@pytest.fixture(scope="module")
def primary(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Primary]:
    """With all roles, and the worker's password."""
    with streaming_primary(django_db_blocker) as primary:
        call_command("grant_roles", verbosity=0)
        primary.let_in(ROLE)
        yield primary


@pytest.fixture(scope="module")
def first_house(primary: Primary) -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


@pytest.fixture
def house(first_house: ClaimHouse, settings: Settings, tmp_path: Path) -> ClaimHouse:
    """What each test adds to it stays."""
    settings.EXPORT_DIR = str(tmp_path / "exports")
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    file_keys.begin()
    settings.CLAIM_WAIT_S = 0
    return first_house


@pytest.fixture
def standby(primary: Primary, house: ClaimHouse, settings: Settings) -> Iterator[Standby]:
    """One that is read at, by the worker's own role."""
    with primary.standby("standby") as standby:
        read_at(standby, settings)
        yield standby


def read_at(standby: Standby, settings: Settings, role: str = ROLE) -> None:
    """Let READ_DATABASE_URL name it."""
    server = standby.server
    url = server.url_as(role) if role else server.url
    settings.READ_DATABASE = environ.Env.db_url_config(url)


def play(house: ClaimHouse) -> Block:
    """A round more; the newest block then."""
    if "t7" not in house.seqs:
        house.open("t7")
    house.press("t7")
    house.post()
    return newest()


def newest() -> Block:
    return Block.objects.latest("number")
