"""`manage.py run_intake`: record what the tables say."""

import threading
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.intake.loop import Intake, IntakeError
from tables.intake.readiness import intake_checks
from tables.process.gc_tuning import search_rarely
from tables.process.stopping import stop_on_signals
from tables.process.watchdog import Watchdog
from tables.telemetry.health import Health


class Command(BaseCommand):
    help = "Record what the tables say, until told to stop (SIGTERM or Ctrl-C)."
    requires_system_checks = ()  # a fault in a page must not keep the tables from being heard

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--instance", help="stable name of this intake (INTAKE_INSTANCE)")
        parser.add_argument(
            "--stand-in",
            action="store_true",
            help="during an update: hears and records all while INTAKE_INSTANCE is restarted, under"
            " another name, and leaves nothing behind at the broker",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            intake = Intake(options["instance"], is_stand_in=options["stand_in"])
        except ImproperlyConfigured as fault:
            raise CommandError(str(fault)) from fault
        stop = threading.Event()
        stop_on_signals(stop)
        self.stdout.write(f"Intake {intake.instance} is listening.")
        self.stdout.flush()
        search_rarely()
        try:
            with Watchdog("The intake", settings.WATCHDOG_S) as dog:
                Health(lambda: dog.is_content, intake_checks(intake)).listen()
                intake.run(stop, dog.beat)
        except IntakeError as fault:
            raise CommandError(str(fault)) from fault
