"""`manage.py file_key`: make, rotate and publish the keys of reports, bundles and archives."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import ProgrammingError, transaction

from settlement.audit import file_keys
from settlement.core import signing
from settlement.core.errors import WrongState
from tables.process.secret_files import write_secret


class Command(BaseCommand):
    help = (
        "publish: print every public key with the time in which it signed; new: print a fresh"
        " private key; begin: write down the key that is set here, which signs from now on in the"
        " place of the old one; rotate: put a fresh key into BUNDLE_SIGNING_KEY_FILE and begin with"
        " it. Begin and rotate are run by the database's owner."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["publish", "new", "begin", "rotate"])

    def handle(self, **options: Any) -> None:
        match options["action"]:
            case "new":
                self.stdout.write(signing.new_key())
            case "begin":
                _as_owner(file_keys.begin)
                self._publish()
            case "rotate":
                _as_owner(_rotate)
                self._publish()
            case _:
                self._publish()

    def _publish(self) -> None:
        keys = file_keys.published()
        if not keys:
            raise CommandError("No key is written down: `file_key rotate` makes the first one.")
        for key in keys:
            self.stdout.write(str(key))


def _as_owner(step: Callable[[], object]) -> None:
    try:
        step()
    except WrongState as refusal:
        raise CommandError(str(refusal)) from refusal
    except ProgrammingError as refusal:
        raise CommandError(
            "Run it as the owner of the database, who alone adds a key of files."
        ) from refusal


def _rotate() -> None:
    """The key is written down and into the file, both or neither."""
    if settings.BUNDLE_SIGNING_KEY or not settings.BUNDLE_SIGNING_KEY_FILE:
        raise CommandError("Name the file: BUNDLE_SIGNING_KEY_FILE, without the other setting.")
    private = signing.new_key()
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    with transaction.atomic():
        file_keys.add(key.public_key().public_bytes_raw())
        write_secret(Path(settings.BUNDLE_SIGNING_KEY_FILE), private + "\n")
