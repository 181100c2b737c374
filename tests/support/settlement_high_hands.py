"""Shared by tests: high hands."""

import pytest

from jackpot.display.period_calls import call_periods
from settlement.claims import services as claims
from tests.support.cast import hire
from tests.support.clock import Clock
from tests.support.high_hands import HOUSE, NINES, high_terms
from tests.support.periods import Night, utc


@pytest.fixture
def night(db: None, monkeypatch: pytest.MonkeyPatch) -> Night:
    night = Night(Clock(monkeypatch, utc("2026-11-21 10:10")), high_terms())
    hire()
    night.show("t3", HOUSE)
    night.show("t7", NINES)
    night.post()
    claims.catch_up(night.system)
    return night


def half_past(night: Night) -> None:
    night.set("10:30")
    call_periods()
    night.post()
