"""The pages of displays are tried as those of the console are: in a browser, or by its client."""

from tests.support.pages.browser.browsers import browser, screen
from tests.support.suite.quick_settings import no_static_files, quick_passwords

__all__ = ["browser", "no_static_files", "quick_passwords", "screen"]
