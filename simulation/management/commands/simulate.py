"""`manage.py simulate`: worlds by seed, each judged at its end."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from simulation.checks import coverage
from simulation.runs import STEPS, run
from simulation.template_database import TemplateDatabase

_REPORT_EVERY_S = 20.0


class Command(BaseCommand):
    help = "Run the whole console in one process by seed, with faults, and judge the result."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", type=int, help="this seed, or with --minutes the first one")
        parser.add_argument("--seeds", metavar="FROM-TO", help="all of these")
        parser.add_argument("--minutes", type=float, help="seed after seed, for so long")
        parser.add_argument("--steps", type=int, default=STEPS, help=f"default {STEPS}")
        parser.add_argument(
            "--replay", action="store_true", help="fold each order into an empty database too"
        )
        parser.add_argument("--trace", action="store_true", help="print every step")
        parser.add_argument("--keep-going", action="store_true", help="do not stop at a finding")

    def handle(self, *_args: Any, **options: Any) -> None:
        tell = self.stdout.write if options["trace"] else None
        ground = TemplateDatabase()
        start_s = last_report = time.monotonic()
        ran, failed, blocks = 0, [], 0
        came_about: Counter[str] = Counter()
        try:
            ground.prepare()
            start_s = last_report = time.monotonic()
            for seed in self._seeds(options):
                result = run(seed, ground, options["steps"], tell, replays=options["replay"])
                ran, blocks = ran + 1, blocks + len(result.blocks)
                came_about += result.came_about
                if result.findings:
                    failed.append(seed)
                    for finding in result.findings[:8]:
                        self.stdout.write(f"seed {seed}: {finding}")
                    self.stdout.write(f"seed {seed} failed; reproduce with: {result.command}")
                    if not options["keep_going"]:
                        break
                if time.monotonic() - last_report > _REPORT_EVERY_S:
                    last_report = time.monotonic()
                    self.stdout.write(f"{ran} seeds, the last was {seed}")
                    self.stdout.flush()
        finally:
            ground.close()
        took_s = time.monotonic() - start_s
        if ran == 1 and not failed:
            self.stdout.write(f"trace {result.trace_hash}, {len(result.blocks)} blocks")
        self.stdout.write(
            f"{ran - len(failed)} of {ran} seeds passed, {options['steps']} steps each,"
            f" {blocks} blocks, {took_s:.1f} s"
        )
        counts = (f"{came_about[kind]} {kind}" for kind in coverage.KINDS)
        self.stdout.write(", ".join(counts))
        if failed:
            raise CommandError(f"failing seeds: {', '.join(map(str, failed))}")

    def _seeds(self, options: dict[str, Any]) -> Iterator[int]:
        if options["seeds"]:
            first, _, last = options["seeds"].partition("-")
            yield from range(int(first), int(last) + 1)
            return
        seed = options["seed"]
        if seed is None:
            seed = random.SystemRandom().randrange(10**9)
        if options["minutes"] is None:
            yield seed
            return
        self.stdout.write(f"from seed {seed} on, for {options['minutes']} minutes")
        until = time.monotonic() + 60 * options["minutes"]
        while time.monotonic() < until:
            yield seed
            seed += 1
