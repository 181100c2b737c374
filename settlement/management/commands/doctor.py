"""`manage.py doctor`: examine the installation, and say what to do."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from settlement.doctor import subjects
from settlement.doctor.examination import Result, State

_STYLES = {State.WRONG: "ERROR", State.ATTENTION: "WARNING", State.GOOD: "SUCCESS"}


class Command(BaseCommand):
    help = (
        "Says of each point whether it is good, needs attention or is wrong, and what to do. Run it"
        " as the owner of the database, and in the environment of each process. Exit code 1: wrong."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="for programs")
        parser.add_argument("--all", action="store_true", help="also what is good, in words")

    def handle(self, **options: Any) -> None:
        results = subjects.by_command()
        if options["json"]:
            self.stdout.write(json.dumps([_document(each) for each in results], indent=2))
        else:
            self._write(results, everything=options["all"])
        if subjects.is_wrong(results):
            sys.exit(1)

    def _write(self, results: list[Result], *, everything: bool) -> None:
        subject = ""
        for each in results:
            if each.state in (State.GOOD, State.UNSEEN) and not everything:
                continue
            if each.subject != subject:
                subject = each.subject
                self.stdout.write(subject)
            style = getattr(self.style, _STYLES.get(each.state, "NOTICE"))
            self.stdout.write(f"  {style(each.state)}  {each.title}: {each.point.finding}")
            if each.point.advice:
                self.stdout.write(f"      {each.point.advice}")
        counts = {state: sum(each.state == state for each in results) for state in State}
        self.stdout.write(", ".join(f"{count} {state}" for state, count in counts.items()))


def _document(result: Result) -> dict[str, str]:
    return {
        "code": result.code,
        "state": result.state,
        "subject": result.subject,
        "title": result.title,
        "finding": result.point.finding,
        "advice": result.point.advice,
    }
