"""A browser of these tests, and days of play to look at."""

from tests.support.pages.browser.browsers import browser, screen
from tests.support.pages.page_ledger import days, kept_days
from tests.support.suite.quick_settings import no_static_files, no_writer, quick_passwords

__all__ = [
    "browser",
    "days",
    "kept_days",
    "no_static_files",
    "no_writer",
    "quick_passwords",
    "screen",
]
