"""`manage.py replay --into URL`: prove that the recorded order leads to what is recorded."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.audit.replay import Difference, Replayed, ReplayError, into, replay
from jackpot.audit.replay_check import check_replay
from jackpot.storage.snapshot import snapshot
from tables.models import JackpotSystem

PROGRESS_EVERY_S = 5.0


class Command(BaseCommand):
    help = (
        "Fold all entries of the present database into an empty one and compare hashes, head,"
        " accounts, hits, terms, tiers and rounds. Stops at the first difference and names it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--into", metavar="URL", help="postgresql://...: made where missing")
        parser.add_argument("--system", metavar="CODE", help="this system alone (default: all)")
        parser.add_argument(
            "--check-only", action="store_true", help="fold in memory and write nothing"
        )

    def handle(self, **options: Any) -> None:
        if bool(options["into"]) == options["check_only"]:
            raise CommandError("Say either --into postgresql://... or --check-only.")
        systems = JackpotSystem.objects.select_related("casino").order_by("code")
        if options["system"]:
            systems = systems.filter(code=options["system"])
        selected_systems = list(systems)
        if not selected_systems:
            raise CommandError(f"There is no system {options['system'] or 'in this database'}.")
        if options["check_only"]:
            for system in selected_systems:
                self._check(system)
            return
        try:
            with into(options["into"]):
                for system in selected_systems:
                    self._replay(system.code)
        except (ReplayError, Difference) as fault:
            raise CommandError(str(fault)) from fault

    def _check(self, system: JackpotSystem) -> None:
        started = time.monotonic()
        with snapshot():
            result = check_replay(system)
        if result.differences:
            raise CommandError(f"{system.code}: {result.differences[0]}")
        summary = Replayed(system.code, result.blocks, result.entries, result.transfers)
        self._say("folds to what is recorded", summary, started)

    def _replay(self, code: str) -> None:
        started = last_report = time.monotonic()

        def on_block(so_far: Replayed) -> None:
            nonlocal last_report
            if time.monotonic() - last_report >= PROGRESS_EVERY_S:
                last_report = time.monotonic()
                self._say("so far", so_far, started)

        self._say("replayed, the same hashes and rows", replay(code, on_block), started)

    def _say(self, what: str, summary: Replayed, started: float) -> None:
        rate = summary.entries / max(time.monotonic() - started, 1e-9)
        self.stdout.write(
            f"{summary.system}: {what}: {summary.entries} entries, {summary.transfers} transfers,"
            f" {summary.blocks} blocks, {rate:.0f} entries/s"
        )
