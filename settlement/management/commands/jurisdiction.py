"""manage.py jurisdiction [CASINO] [--day 2026-11-24]: the packs, or what holds in a casino."""

import datetime as dt
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.core.gaming_day import today
from settlement.jurisdiction.filers import filer_of, filers
from settlement.jurisdiction.layouts import layouts, load_layout
from settlement.jurisdiction.pack import Pack, Rule
from settlement.jurisdiction.rules import packs, read_again, rules_at
from settlement.jurisdiction.words import age_in_words, in_words
from settlement.jurisdiction.yaml_file import FileFault
from settlement.reports.catalogue import reports
from tables.models import Casino


class Command(BaseCommand):
    help = (
        "List jurisdiction packs, each read and checked; or the rules of a casino on a day, and"
        " what changes next."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("casino", nargs="?")
        parser.add_argument("--day", type=dt.date.fromisoformat)

    def handle(self, *_arguments: Any, **options: Any) -> None:
        try:
            if options["casino"]:
                self._rules(options["casino"], options["day"])
            else:
                for name in sorted(packs()):
                    self._pack(name, read_again(name))
                for name in sorted(layouts()):
                    layout = load_layout(name)
                    self.stdout.write(f"form {name}: {layout.form}, {layout.name}")
                for casino in Casino.objects.filter(code__in=filers()).order_by("code"):
                    self.stdout.write(f"filer {casino.code}: {filer_of(casino).name}")
        except FileFault as fault:
            raise CommandError(str(fault)) from fault

    def _pack(self, name: str, pack: Pack) -> None:
        _require_known_reports(name, pack)
        open_ones = sum(rule.is_unconfirmed for rule in pack.rules)
        words = f", {open_ones} of them not confirmed" if open_ones else ""
        self.stdout.write(f"{name}: {pack.name}, {len(pack.rules)} rules{words}")

    def _rules(self, code: str, day: dt.date | None) -> None:
        casino = Casino.objects.filter(code=code).first()
        if casino is None:
            raise CommandError(f"There is no casino {code}.")
        day = day or today(casino)
        rules = rules_at(casino, day)
        pack = read_again(rules.pack)
        _require_known_reports(rules.pack, pack)
        self.stdout.write(f"{rules.pack}: {rules.name}, on {day}")
        for rule in rules.rules:
            compared = f", checked {rule.checked}" if rule.checked else ""
            self.stdout.write(
                f"  {_line(rule, casino)}, since {rule.since}{compared}: {rule.source}"
            )
            if warning := age_in_words(rule, day):
                self.stdout.write(self.style.WARNING(f"    {warning}"))
        changes = pack.changes_after(day)
        self.stdout.write("Next:" if changes else "Nothing changes later.")
        for when, rule, begins in changes:
            word = "begins" if begins else "ends"
            self.stdout.write(f"  {when} {word}: {_line(rule, casino)}")


def _line(rule: Rule, casino: Casino) -> str:
    return f"{rule.rule}: {in_words(rule, casino.currency)}"


def _require_known_reports(name: str, pack: Pack) -> None:
    """CommandError where a return names a report that there is not."""
    for number, rule in enumerate(pack.rules, start=1):
        if unknown := [code for code in rule.reports if code not in reports()]:
            names = ", ".join(reports())
            raise CommandError(
                f"The jurisdiction pack {name}.yaml, rule {number} ({rule.title}), names a report"
                f" that there is not: {', '.join(unknown)}. Choose from {names}."
            )
