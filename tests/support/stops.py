"""Shared by tests: stops."""

import pytest
from pytest_django import Settings

from tests.support.cast import ClaimHouse
from tests.support.page_staff import ADDRESS, reply, verify

STOP = f"{ADDRESS}stop/"


@pytest.fixture
def house(settings: Settings) -> ClaimHouse:
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    house = ClaimHouse()
    house.hit_royal()
    verify(house)
    return house


def stop(house: ClaimHouse, by: str, kind: str, reason: str) -> str:
    page = reply(by, STOP, kind=kind, reason=reason)
    house.post()
    return page
