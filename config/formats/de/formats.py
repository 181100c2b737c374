"""See `config.formats.every_language`."""

from config.formats.every_language import *  # noqa: F403 - Django reads a module's names

DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
