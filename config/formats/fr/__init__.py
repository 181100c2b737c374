"""See `config.formats.common`."""
