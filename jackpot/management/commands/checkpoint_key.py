"""`manage.py checkpoint_key`: make, rotate, retire and publish the keys that sign checkpoints."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.transparency import notes
from tables.models import JackpotSystem
from tables.process.secret_files import write_secret


class Command(BaseCommand):
    help = (
        "publish: print the public key of each system's log; new: print a fresh private key;"
        " rotate: add a key to CHECKPOINT_SIGNING_KEY_FILE, beside which the old ones still sign;"
        " retire: take the oldest key out of that file."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["publish", "new", "rotate", "retire"])
        parser.add_argument(
            "--ml-dsa", action="store_true", help="ML-DSA-44, beside the Ed25519 key"
        )

    def handle(self, **options: Any) -> None:
        make = notes.new_ml_dsa_key if options["ml_dsa"] else notes.new_key
        try:
            match options["action"]:
                case "new":
                    self.stdout.write(make())
                case "rotate":
                    _write([make(), *notes.key_lines()])
                    self._publish()
                case "retire":
                    self._retire()
                case _:
                    self._publish()
        except notes.KeyUnreadable as fault:
            raise CommandError(str(fault)) from fault

    def _publish(self) -> None:
        keys = notes.keys()
        if not keys:
            raise CommandError("No key is set: `checkpoint_key rotate` makes the first one.")
        for code in JackpotSystem.objects.order_by("code").values_list("code", flat=True):
            for key in keys:
                self.stdout.write(key.verifier_key(notes.origin_of(code)))

    def _retire(self) -> None:
        left = notes.key_lines()[:-1]
        if not any(notes.key_of(line).kind == notes.ED25519 for line in left):
            raise CommandError("The last Ed25519 key stays: `checkpoint_key rotate` first.")
        _write(left)
        self._publish()


def _write(lines: list[str]) -> None:
    """The key file rewritten, whole or not at all, for its owner alone."""
    if settings.CHECKPOINT_SIGNING_KEY or not settings.CHECKPOINT_SIGNING_KEY_FILE:
        raise CommandError("Name the file: CHECKPOINT_SIGNING_KEY_FILE, without the other setting.")
    text = "".join(line + "\n" for line in lines)
    write_secret(Path(settings.CHECKPOINT_SIGNING_KEY_FILE), text)
