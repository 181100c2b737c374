"""`manage.py begin_era`: after a restore from a backup, before the intake starts."""

import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from settlement.audit.after_restore import fence_writers, last_known
from tables.intake.boots import eras
from tables.models import JackpotSystem


class Command(BaseCommand):
    help = (
        "Say that the database was restored from a backup: units send again what they kept."
        " Prints what may be missing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reason", required=True, help="which backup, and why")
        parser.add_argument("--by", default="", help="who (default: the name you work under here)")
        parser.add_argument("--system", metavar="CODE", help="this system alone (default: all)")
        parser.add_argument(
            "--while-connected",
            action="store_true",
            help="although an intake is connected, or the broker cannot be asked",
        )
        parser.add_argument(
            "--copy",
            action="store_true",
            help="rehearse it on a restored copy that nobody works with: no broker is asked",
        )

    def handle(self, **options: Any) -> None:
        systems = JackpotSystem.objects.order_by("code")
        if options["system"]:
            systems = systems.filter(code=options["system"])
        rows = list(systems)
        if not rows:
            raise CommandError(f"There is no system {options['system'] or 'in this database'}.")
        heard = (
            eras.RetainedMessages()
            if options["copy"]
            else self._ask_broker([row.code for row in rows], options["while_connected"])
        )
        by = options["by"] or getpass.getuser()
        with transaction.atomic():
            fence_writers([system.pk for system in rows])
            last_texts = {system.pk: last_known(system, heard.display_entries) for system in rows}
            new_eras = eras.begin(last_texts, by, options["reason"], heard.shown_at)
        for row in new_eras:
            self.stdout.write(f"{row.system.code}: era {row.era} has begun. It knew last:")
            for line in row.known:
                self.stdout.write(f"  {line}")
        self.stdout.write(
            "Units send again what they journalled in the last seven days. Gone are, after these"
            " moments: what people decided, verified and paid; what displays showed and read"
            " back; events of a unit that lost its journal since. Compare with slips and notes"
            " and repeat it. Now start the intake. See docs/operations.md, Restoring a backup."
        )

    def _ask_broker(self, codes: list[str], anyway: bool) -> eras.RetainedMessages:
        try:
            heard = eras.hear(codes)
        except eras.NoBroker as fault:
            if not anyway:
                raise CommandError(
                    f"{fault} Start it, so that I can see that no intake is connected; or say"
                    " --while-connected if you know it."
                ) from fault
            return eras.RetainedMessages()
        if heard.listening and not anyway:
            raise CommandError(
                f"An intake is connected ({', '.join(sorted(heard.listening))}): its receipts"
                " still carry the old era. Stop it first, or say --while-connected."
            )
        return heard
