"""`manage.py set_terms_factor`: by how much a figure of terms moves before it is typed again."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from settlement.management.deciders import DecidedByTwo
from settlement.models import TermsFactor
from tables.models import Casino

MOST = 1000


class Command(DecidedByTwo):
    help = (
        "Say by which factor a figure of terms may move before both people type it again. Run by"
        " the database's owner."
    )

    def add_decision(self, parser: CommandParser) -> None:
        parser.add_argument("factor", help="such as 3; 1: every figure that moves")

    def decide(self, casino: Casino, options: dict[str, Any], first: str, second: str) -> str:
        factor = options["factor"]
        if not (factor.isascii() and factor.isdigit() and 1 <= int(factor) <= MOST):
            raise CommandError(f"The factor is a whole number from 1 to {MOST}.")
        TermsFactor.objects.create(casino=casino, factor=int(factor), first=first, second=second)
        return f"Figures that move by more than a factor of {int(factor)} are typed again."
