"""The pages of displays are tried as those of the console are: in a browser, or by its client."""

from tests.settlement.conftest import no_static_files, quick_passwords
from tests.settlement.pages.conftest import browser, screen

__all__ = ["browser", "no_static_files", "quick_passwords", "screen"]
