"""The days of play of the pages' tests."""

from tests.settlement.pages.conftest import browser, days, kept_days, no_writer, screen

__all__ = ["browser", "days", "kept_days", "no_writer", "screen"]
