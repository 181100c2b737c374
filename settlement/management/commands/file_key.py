"""`manage.py file_key`: make, rotate and publish the keys of reports, bundles and archives."""

from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from settlement.audit import file_keys
from settlement.core import signing
from tables.process.secret_files import write_secret


class Command(BaseCommand):
    help = (
        "publish: print every public key with the time in which it signed; new: print a fresh"
        " private key; rotate: put a fresh key into BUNDLE_SIGNING_KEY_FILE, which signs from now"
        " on in the place of the old one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["publish", "new", "rotate"])

    def handle(self, **options: Any) -> None:
        match options["action"]:
            case "new":
                self.stdout.write(signing.new_key())
            case "rotate":
                _rotate()
                self._publish()
            case _:
                self._publish()

    def _publish(self) -> None:
        keys = file_keys.published()
        if not keys:
            raise CommandError("No key is set: `file_key rotate` makes the first one.")
        for key in keys:
            self.stdout.write(str(key))


def _rotate() -> None:
    """The key is written down and into the file, both or neither."""
    if settings.BUNDLE_SIGNING_KEY or not settings.BUNDLE_SIGNING_KEY_FILE:
        raise CommandError("Name the file: BUNDLE_SIGNING_KEY_FILE, without the other setting.")
    private = signing.new_key()
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    with transaction.atomic():
        file_keys.add(key.public_key().public_bytes_raw())
        write_secret(Path(settings.BUNDLE_SIGNING_KEY_FILE), private + "\n")
