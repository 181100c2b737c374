"""The version of the console: its one home. `make release VERSION=...` asks that it is set here."""

VERSION = "0.1.0"
