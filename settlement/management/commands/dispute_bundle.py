"""`manage.py dispute_bundle main-12`: everything about a claim, in one signed archive."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.bundles import bundle
from settlement.core import signing
from settlement.core.errors import RuleBroken
from settlement.models import Claim


class Command(BaseCommand):
    help = (
        "Write the dispute bundle of a claim, named SYSTEM-NUMBER; or show the public key of the"
        " house (--public-key), or make a new private key (--new-key)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("claim", nargs="?", help="for instance main-12")
        parser.add_argument("--out", type=Path, help="the file to write, or a folder for it")
        parser.add_argument("--public-key", action="store_true", help="for whoever checks bundles")
        parser.add_argument(
            "--new-key", action="store_true", help="64 digits for BUNDLE_SIGNING_KEY_FILE; secret"
        )

    def handle(self, **options: Any) -> None:
        if options["new_key"]:
            self.stdout.write(signing.new_key())
            return
        try:
            if options["public_key"]:
                self.stdout.write(signing.public_key() or "No signing key is set.")
                return
            claim = self._claim(options["claim"] or "")
            public = signing.public_key()
            path: Path = options["out"] or Path()
            if path.is_dir():
                path /= bundle.name_of_file(claim)
            with tempfile.TemporaryFile() as file:
                bundle.hand_out(claim, None, file)
                with path.open("wb") as out:
                    shutil.copyfileobj(file, out)
        except RuleBroken as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{path} is written. To check it, offline:")
        self.stdout.write(f"python -m verifier.bundle {path} --key {public}")

    def _claim(self, name: str) -> Claim:
        system, _, number = name.rpartition("-")
        claims = Claim.objects.select_related("system__casino").filter(
            system__code=system, number=int(number) if number.isdecimal() else 0
        )
        claim = claims.first()
        if claim is None:
            raise CommandError(f"There is no claim {name!r}: name it as SYSTEM-NUMBER.")
        return claim
