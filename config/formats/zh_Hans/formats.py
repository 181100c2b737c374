"""See `config.formats.common`."""

from config.formats.common import *  # noqa: F403 - Django reads a module's names
