"""The console's clock in a test's hands: what the writer, the beat and the intake take for now."""

import datetime as dt
from typing import Any

import pytest

READERS = (
    "jackpot.writer.poster.timezone",
    "jackpot.display.period_calls.timezone",
    "jackpot.display.dark_displays.timezone",
    "jackpot.writer.commands.timezone",
    "tests.support.play.house.timezone",
)


class Clock:
    """Stands still unless it is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: dt.datetime) -> None:
        self.at = at
        for reader in READERS:
            monkeypatch.setattr(reader, self)

    def now(self) -> dt.datetime:
        return self.at

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"only now() is asked of this clock, not {name}")
