"""`manage.py simulate_tables`: tables that play, over the wire protocol."""

import random
import threading
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.models import GamingTable
from tables.process.stopping import stop_on_signals
from tables.unit.play import HouseTerms
from tables.unit.simulator import Simulator


class Command(BaseCommand):
    help = "Play at the tables in service, until told to stop (SIGTERM or Ctrl-C)."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--system", action="append", help="only this system; may be repeated")
        parser.add_argument("--table", action="append", help="only this table code; repeatable")
        parser.add_argument("--speed", type=float, default=1.0, help="2: twice as fast")
        parser.add_argument("--seed", type=int, help="the dice; a new one when not given")
        parser.add_argument(
            "--hands", type=float, default=0.0005, help="chance of a reported hand in a round"
        )
        parser.add_argument(
            "--drop",
            action="append",
            default=[],
            metavar="SYSTEM=POT:TAKEN,...",
            help="posted drop of a system in minor units, as main=2000:100,5000:200",
        )
        parser.add_argument("--journal-dir", type=Path, default=settings.BASE_DIR / "var" / "units")

    def handle(self, *_args: Any, **options: Any) -> None:
        tables = GamingTable.objects.filter(in_service=True).select_related("system")
        if options["system"]:
            tables = tables.filter(system__code__in=options["system"])
        if options["table"]:
            tables = tables.filter(code__in=options["table"])
        if not tables:
            raise CommandError("No table in service was found; enter tables first.")
        seed = (
            options["seed"]
            if options["seed"] is not None
            else random.SystemRandom().getrandbits(32)
        )
        simulator = Simulator(
            list(tables),
            journals=options["journal_dir"],
            seed=seed,
            speed=options["speed"],
            hands=options["hands"],
            terms=dict(_posted(text) for text in options["drop"]),
        )
        stop = threading.Event()
        stop_on_signals(stop)
        self.stdout.write(f"{len(tables)} tables play; --seed {seed} repeats this.")
        self.stdout.flush()
        simulator.run(stop)


def _posted(text: str) -> tuple[str, HouseTerms]:
    """`main=2000:100,5000:200` as the terms of system `main`."""
    try:
        system, _, steps = text.partition("=")
        pairs = [step.split(":") for step in steps.split(",")]
        return system, HouseTerms(drop_steps={int(least): int(drop) for least, drop in pairs})
    except ValueError:
        raise CommandError(f"--drop {text!r}: use SYSTEM=POT:TAKEN,POT:TAKEN") from None
