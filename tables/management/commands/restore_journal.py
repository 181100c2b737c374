"""`manage.py restore_journal`: a journal for a unit that lost its own."""

import datetime as dt
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Max, QuerySet
from django.utils import timezone

from tables.intake.boots.watermark import next_boot
from tables.models import GamingTable, Stream, TableEvent, UnitPresence
from tables.unit.journal import KEPT_S, Journal


class Command(BaseCommand):
    help = (
        "Make the journal of a table unit that lost its own: the events of the last seven days,"
        " byte for byte, and the boot to go on with. Says what the unit had and nobody holds."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("system", help="code of the system")
        parser.add_argument("table", help="code of the table")
        parser.add_argument("--to", required=True, type=Path, help="a file that is not there")

    def handle(self, **options: Any) -> None:
        file = options["to"]
        if file.exists():
            raise CommandError(f"{file} is there already: name a file that is not.")
        table = GamingTable.objects.filter(
            system__code=options["system"], code=options["table"]
        ).first()
        if table is None:
            raise CommandError(f"There is no table {options['table']} of {options['system']}.")
        streams = Stream.objects.filter(table=table, discarded=False)
        newest = streams.aggregate(boot=Max("boot"))["boot"] or 0
        try:
            count = _write(file, table, next_boot(newest))
        except BaseException:
            file.unlink(missing_ok=True)  # a unit would take half a journal for its own
            raise
        self.stdout.write(
            f"{file}: {count} events. Put it in the unit's place while the unit is off; it goes on"
            f" with boot {next_boot(newest)}. Then open the session again."
        )
        for line in _unheld(table, streams):
            self.stdout.write(line)


def _write(file: Path, table: GamingTable, boot: int) -> int:
    """What the inbox has of this table, and what the unit must remember; how many events."""
    since = timezone.now() - dt.timedelta(seconds=KEPT_S)
    rows = TableEvent.objects.filter(system=table.system, table=table, received_at__gte=since)
    columns = rows.values_list("boot", "seq", "body", "received_at").order_by("boot", "seq")
    journal = Journal(file)
    try:
        journal.take_over(
            (of_boot, seq, bytes(body), at.timestamp())
            for of_boot, seq, body, at in columns.iterator()
        )
        journal.remember(boot=boot, seq=0)
        return journal.count()
    finally:
        journal.close()


def _unheld(table: GamingTable, streams: QuerySet[Stream]) -> list[str]:
    """What the unit said that it had, of any boot, and the console does not hold."""
    held = dict(streams.values_list("boot", "committed_seq"))
    last = dict(streams.values_list("boot", "last_seq"))
    discarded = Stream.objects.filter(table=table, discarded=True).values("boot")
    reports = UnitPresence.objects.filter(table=table).exclude(boot__in=discarded)
    for boot, seq in reports.values_list("boot", "last_seq"):
        last[boot] = max(last.get(boot, 0), seq)
    gaps = {boot: seq for boot, seq in sorted(last.items()) if seq > held.get(boot, 0)}
    if not gaps:
        return ["Nothing is missing of what the unit said that it had."]
    return [
        *(
            f"Of boot {boot} nobody holds {held.get(boot, 0) + 1} to {seq} without a gap."
            for boot, seq in gaps.items()
        ),
        "Look for the old disk. What it does not give up a casino manager gives up on the table's"
        " page, and enters missed rounds and hands.",
    ]
