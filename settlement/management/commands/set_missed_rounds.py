"""`manage.py set_missed_rounds`: how many missed rounds one person credits alone (19.19)."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from settlement.management.deciders import DecidedByTwo
from settlement.models import MissedRoundsLimit
from tables.models import Casino

MOST = 1000


class Command(DecidedByTwo):
    help = (
        "Say how many missed rounds of a table and gaming day one person credits alone. Run by the"
        " database's owner."
    )

    def add_decision(self, parser: CommandParser) -> None:
        parser.add_argument("count", help="such as 10; 0: two people credit every one")

    def decide(self, casino: Casino, options: dict[str, Any], first: str, second: str) -> str:
        count = options["count"]
        if not (count.isascii() and count.isdigit() and int(count) <= MOST):
            raise CommandError(f"The count is a whole number up to {MOST}.")
        MissedRoundsLimit.objects.create(
            casino=casino, count=int(count), first=first, second=second
        )
        return f"One person credits up to {int(count)} missed rounds of a table and gaming day."
