"""Quick passwords and clients, and pages that do not wait for a writer that does not run."""

from tests.support.suite.quick_settings import (
    events_of_long_ago,
    no_static_files,
    no_writer,
    quick_passwords,
)

__all__ = ["events_of_long_ago", "no_static_files", "no_writer", "quick_passwords"]
