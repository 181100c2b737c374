"""`manage.py open_archive FOLDER --into URL --key KEY`: an archive as a database again."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.audit.replay import ReplayError, into
from settlement.archives.opening import load, read
from settlement.core.errors import RuleBroken


class Command(BaseCommand):
    help = (
        "Open an archive in an empty database, which is made where it is missing. Verifier and"
        " reports work there as on any other; nobody logs in."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--into", required=True, metavar="URL", help="postgresql://...")
        parser.add_argument("--key", required=True, help="the house's public key, 64 digits")

    def handle(self, **options: Any) -> None:
        folder: Path = options["folder"]
        try:
            body = read(folder, options["key"])
            with into(options["into"], migrate=False):
                load(folder, body, self._tell)
        except (RuleBroken, ReplayError, OSError, KeyError) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"Opened, closed through {body['through']}, as of {body['made_at']},"
            f" written by release {body['release']}."
        )

    def _tell(self, table: str, rows: int) -> None:
        self.stdout.write(f"{table}: {rows:,} rows")
