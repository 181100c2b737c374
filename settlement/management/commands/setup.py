"""`manage.py setup`: a one-time code that opens the set-up of an empty installation."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from settlement.core.errors import WrongState
from settlement.set_up.first_run import HOURS, make_code


class Command(BaseCommand):
    help = (
        "Make the roles, and print a code with which the page /setup/ makes the first"
        " administrator. Run by the database's owner."
    )

    def handle(self, **_options: Any) -> None:
        try:
            code = make_code()
        except WrongState as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"Open /setup/ within {HOURS} hours and enter this code, once: {code}")
