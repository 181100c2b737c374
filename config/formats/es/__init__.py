"""See `config.formats.every_language`."""
