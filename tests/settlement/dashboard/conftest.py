"""The days of play of the pages' tests."""

from tests.settlement.pages.conftest import browser, days, days_once, no_writer, screen

__all__ = ["browser", "days", "days_once", "no_writer", "screen"]
