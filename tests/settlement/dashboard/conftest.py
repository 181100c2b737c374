"""The days of play of the pages' tests."""

from tests.support.pages.page_ledger import days, kept_days
from tests.support.suite.quick_settings import no_writer

__all__ = ["days", "kept_days", "no_writer"]
