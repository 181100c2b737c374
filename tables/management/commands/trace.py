"""`manage.py trace`: the trace of an event, or all events of a table for some minutes."""

import datetime as dt
import re
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tables.models import GamingTable, TraceRequest
from tables.telemetry.spans import EventRef, trace_id
from tables.telemetry.traces import LOOK_EVERY_S, choice

MOST_MINUTES = 24 * 60
_EVENT = re.compile(r"(?P<system>[^/]+)/(?P<table>[^/]+)(?:/(?P<boot>\d+)/(?P<seq>\d+))?")


class Command(BaseCommand):
    help = "Trace all events of a table for some minutes, or say the id of an event's trace."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", help="SYSTEM/TABLE, or of an event SYSTEM/TABLE/BOOT/SEQ")
        parser.add_argument("--minutes", type=int, default=10, help="of a table; 0 ends it")

    def handle(self, **options: Any) -> None:
        match = _EVENT.fullmatch(options["what"])
        table = (
            match
            and GamingTable.objects.filter(
                system__code=match["system"], code=match["table"]
            ).first()
        )
        if not match or not table:
            raise CommandError(f"There is no table {options['what']}: say SYSTEM/TABLE.")
        if match["boot"]:
            self._tell(EventRef(match[1], match[2], int(match["boot"]), int(match["seq"])))
        elif not settings.TRACES_URL:
            raise CommandError("TRACES_URL is empty: nothing is traced.")
        elif not 0 <= options["minutes"] <= MOST_MINUTES:
            raise CommandError(f"--minutes is from 0 to {MOST_MINUTES}.")
        else:
            self._trace(table, timezone.now() + dt.timedelta(minutes=options["minutes"]))

    def _trace(self, table: GamingTable, until: dt.datetime) -> None:
        TraceRequest.objects.update_or_create(table=table, defaults={"until": until})
        self.stdout.write(
            f"All events of {table.name} are traced until {until:%H:%M:%S} UTC, in every process"
            f" with TRACES_URL, from {LOOK_EVERY_S:.0f} seconds on from now."
        )

    def _tell(self, event: EventRef) -> None:
        self.stdout.write(f"{trace_id(event):032x}")
        if not choice()(*event):
            self.stdout.write(
                "It is beyond TRACES_SHARE: it has a trace only if its table was traced then."
            )
