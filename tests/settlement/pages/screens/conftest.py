"""Each test has the limits of a minute for itself."""

import pytest

from jackpot.web.rate_limit import RateLimit
from settlement.screens import screens as service


@pytest.fixture(autouse=True)
def fresh_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_guesses", RateLimit())
    monkeypatch.setattr("jackpot.screens.views._asks", RateLimit())
