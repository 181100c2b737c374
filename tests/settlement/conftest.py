"""Quick passwords and clients, and pages that do not wait for a writer that does not run."""

import pytest
from pytest_django import Settings


@pytest.fixture
def no_writer(settings: Settings) -> None:
    """Commands stay queued until the test lets the house post."""
    settings.CLAIM_WAIT_S = 0


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def no_static_files(settings: Settings) -> None:
    """Each client of a test would look through them all before its first page."""
    settings.WHITENOISE_USE_FINDERS = False
