"""`manage.py write_protocol`: AsyncAPI document and JSON Schemas of the wire protocol."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from tables.protocol.documents import documents


class Command(BaseCommand):
    help = "Write the wire protocol's documents from the message types (make docs)."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--folder", type=Path, default=settings.BASE_DIR / "docs" / "protocol", help="where to"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in documents().items():
            (folder / name).write_text(text)
            self.stdout.write(str(folder / name))
