"""The clock's part in posting, with time enough for a busy machine."""

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def patient_writer(settings: Settings) -> None:
    """No lease runs out and no gap is given up while a test works; where either shall, the test
    sets times of its own."""
    settings.POSTER_LEASE_S = 600.0
    settings.GAP_WAIT_S = 600.0
