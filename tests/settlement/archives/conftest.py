"""What archives are made of: a house with two days of play, and a key that signs."""

import pytest
from pytest_django import Settings

from settlement.audit import file_keys
from settlement.core import signing
from settlement.evidence import attachments
from settlement.models import Claim
from tables.models import JackpotSystem
from tests.support.cases.claims.evidence import JPEG
from tests.support.cases.confirmed_house import person
from tests.support.cases.exclusions import identified
from tests.support.pages.page_ledger import Clock, LedgerHouse
from tests.support.suite.databases import FreshDatabase


@pytest.fixture
def key(settings: Settings) -> str:
    settings.BUNDLE_SIGNING_KEY, settings.CLAIM_WAIT_S = signing.new_key(), 0
    return signing.public_key()


@pytest.fixture
def house(fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch, key: str) -> LedgerHouse:
    """Friday a claim with its player and a file, Saturday a round, on Sunday it is."""
    file_keys.begin()
    house = LedgerHouse(Clock(monkeypatch))
    house.press("t7")
    house.hit_royal("t3")
    claim = Claim.objects.get()
    identified(claim)
    attachments.attach(claim, person("sione"), "The layout; “as dealt”,\nby camera 4", JPEG)
    house.post()
    house.clock.on(days=1)
    house.press("t3")
    house.post()
    house.clock.on(days=1)
    house.system = JackpotSystem.objects.select_related("casino").get()
    return house
