"""`manage.py run_poster`: the writer of the systems that it can lease."""

import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.domain.versions import TooOldError
from jackpot.writer.poster import Poster
from jackpot.writer.readiness import poster_checks
from tables.process.gc_tuning import search_rarely
from tables.process.stopping import stop_on_signals
from tables.process.watchdog import Watchdog
from tables.telemetry.health import Health


class Command(BaseCommand):
    help = "Give events and commands their order and post them, until told to stop."
    requires_system_checks = ()  # a fault in a page must not keep the order from going on

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--name", help="a stable name of this writer (default: made up)")

    def handle(self, **options: Any) -> None:
        stop = threading.Event()
        stop_on_signals(stop)
        self.stdout.write("Posting. Ctrl-C stops.")
        search_rarely()
        with Watchdog("The poster", settings.WATCHDOG_S) as dog:
            Health(lambda: dog.is_content, poster_checks()).listen()
            poster = Poster(options["name"])
            try:
                poster.run(stop, dog.beat)
            except TooOldError as fault:
                poster.give_up()
                raise CommandError(str(fault)) from fault
