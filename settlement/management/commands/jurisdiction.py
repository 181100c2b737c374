"""manage.py jurisdiction [CASINO] [--day 2026-11-24]: the packs, or what holds in a casino."""

import datetime as dt
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.core.gaming_day import today
from settlement.jurisdiction.rules import PackError, load, packs, rules_at
from tables.models import Casino


class Command(BaseCommand):
    help = "List jurisdiction packs, each read and checked; or the rules of a casino on a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("casino", nargs="?")
        parser.add_argument("--day", type=dt.date.fromisoformat)

    def handle(self, *_arguments: Any, **options: Any) -> None:
        try:
            if options["casino"]:
                self._rules(options["casino"], options["day"])
            else:
                for name in sorted(packs()):
                    pack = load(name)
                    self.stdout.write(f"{name}: {pack.name}, {len(pack.rules)} rules")
        except PackError as fault:
            raise CommandError(str(fault)) from fault

    def _rules(self, code: str, day: dt.date | None) -> None:
        casino = Casino.objects.filter(code=code).first()
        if casino is None:
            raise CommandError(f"There is no casino {code}.")
        rules = rules_at(casino, day or today(casino))
        self.stdout.write(f"{rules.pack}: {rules.name}")
        for each in rules.rules:
            limit = f"from {each.at_least}" if each.at_least else f"above {each.above}"
            amount = f" {limit} {casino.currency}" if each.at_least or each.above else ""
            policy = ", house policy" if each.house_policy else ""
            self.stdout.write(
                f"  {each.rule} {each.form}{amount}, since {each.since}{policy}: {each.source}"
            )
