"""Quick passwords and clients, and pages that do not wait for a writer that does not run."""

import datetime as dt

import pytest
from pytest_django import Settings

from settlement.people.passwords import SealedArgon2PasswordHasher


@pytest.fixture
def no_writer(settings: Settings) -> None:
    """Commands stay queued until the test lets the house post."""
    settings.CLAIM_WAIT_S = 0


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a test wants sealed ones, they cost little: in a casino each takes a quarter second."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    for name, cost in {"time_cost": 1, "memory_cost": 8, "parallelism": 1}.items():
        monkeypatch.setattr(SealedArgon2PasswordHasher, name, cost)


@pytest.fixture(autouse=True)
def no_static_files(settings: Settings) -> None:
    """Each client of a test would look through them all before its first page."""
    settings.WHITENOISE_USE_FINDERS = False


@pytest.fixture(autouse=True)
def events_of_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units of a house record on one day for good (`House.recorded_at`), which lies further back
    every day: that is no wrong clock, as it would be seven days later."""
    monkeypatch.setattr("tables.floor.unit_clocks.LONGEST_WAIT", dt.timedelta(days=3_650))
