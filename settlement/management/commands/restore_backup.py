"""`manage.py restore_backup`: a data directory from a backup, for a server to start on."""

import datetime as dt
import shutil
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.backups import programs, tool_choice
from settlement.backups.programs import BackupFault
from settlement.backups.tool import Backup, Target, aim


class Command(BaseCommand):
    help = (
        "Make a data directory from a backup, as prove_backup does every week. It needs no"
        " database. A PostgreSQL that starts on it recovers by itself."
    )
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--into", required=True, type=Path, help="a folder that is not there")
        parser.add_argument(
            "--before",
            metavar="TIME",
            help="2026-11-27T21:30:00+13:00: without what committed from then on (default: all)",
        )

    def handle(self, **options: Any) -> None:
        into = options["into"].absolute()
        if into.exists():
            raise CommandError(f"{into} is there already: name a folder that is not.")
        moment = _instant(options["before"])
        try:
            tool = tool_choice.tool()
            backup = _newest(tool.backups(), moment)
            programs.make_folder(into)
        except (BackupFault, OSError) as fault:
            raise CommandError(str(fault)) from fault
        try:
            tool.restore(backup, into)
            aim(into, Target(moment))
        except BaseException as fault:
            # A server that is started on a part of it would come up, and lack what it lacks.
            shutil.rmtree(into)
            if isinstance(fault, BackupFault | OSError):
                raise CommandError(f"{fault} {into} was removed.") from fault
            raise
        self.stdout.write(
            f"{into} holds {backup.name}. Start PostgreSQL on it: it recovers"
            f" {f'to {moment}' if moment else 'as far as the archive leads'}, then takes queries."
            " Go on as docs/operations.md says, Restoring a backup."
        )


def _instant(text: str | None) -> dt.datetime | None:
    if text is None:
        return None
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError as fault:
        raise CommandError(f"{text} is no time such as 2026-11-27T21:30:00+13:00.") from fault
    if moment.tzinfo is None:
        raise CommandError(f"{text} says no zone: 2026-11-27T21:30:00+13:00 does.")
    return moment


def _newest(backups: list[Backup], moment: dt.datetime | None) -> Backup:
    """The last one that the moment can be restored from."""
    before = [each for each in backups if moment is None or each.ended_at <= moment]
    if not before:
        raise CommandError("There is no base backup of before that moment.")
    return before[-1]
