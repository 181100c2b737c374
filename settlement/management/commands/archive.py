"""`manage.py archive --through DAY --to FOLDER`: everything as signed files."""

import datetime as dt
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.archives.writing import write
from settlement.core import signing
from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import Month


class Command(BaseCommand):
    help = (
        "Write everything that verifier and reports read into a new folder: compressed files of one"
        " moment with a signed manifest. The day (2026-10-31) or month (2026-10) must be closed in"
        " every system. Nothing is removed. It holds who players are: keep it like the database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--through", required=True, metavar="DAY", help="a closed day or month")
        parser.add_argument("--to", required=True, type=Path, metavar="FOLDER")

    def handle(self, **options: Any) -> None:
        try:
            day = _day(options["through"])
        except ValueError as fault:
            raise CommandError("Give a day like 2026-10-31, or a month like 2026-10.") from fault
        folder: Path = options["to"]
        try:
            body = write(day, folder, self._tell)
        except (RuleBroken, OSError) as refusal:
            raise CommandError(str(refusal)) from refusal
        rows = sum(each["rows"] for each in body["files"])
        self.stdout.write(f"{folder} is written: {rows:,} rows. To check it, offline:")
        self.stdout.write(f"python -m verifier.archive {folder} --key {signing.public_key()}")

    def _tell(self, table: str, rows: int) -> None:
        self.stdout.write(f"{table}: {rows:,} rows")
        self.stdout.flush()


def _day(text: str) -> dt.date:
    return Month.parse(text).last if len(text) == 7 else dt.date.fromisoformat(text)
