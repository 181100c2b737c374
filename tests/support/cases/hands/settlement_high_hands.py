"""A night with high hands whose claims are open, half a period at a time."""

import pytest

from jackpot.display.period_calls import call_periods
from settlement.claims import services as claims
from tests.support.cases.hands.periods import Night, utc
from tests.support.people.cast import hire
from tests.support.play.high_hands import HOUSE, NINES, high_terms
from tests.support.suite.clock import Clock


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
