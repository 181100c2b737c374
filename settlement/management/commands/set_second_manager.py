"""`manage.py set_second_manager`: from what amount on a confirmation takes two managers."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from jackpot.terms.money import format_micros
from settlement.core.input import read_amount
from settlement.management.deciders import DecidedByTwo
from settlement.models import SecondManagerLimit
from tables.models import Casino


class Command(DecidedByTwo):
    help = "Say above which amount of a claim two managers confirm. Run by the database's owner."

    def add_decision(self, parser: CommandParser) -> None:
        parser.add_argument("amount", help="in its currency, such as 25,000; none: never")

    def decide(self, casino: Casino, options: dict[str, Any], first: str, second: str) -> str:
        amount = None
        if options["amount"] != "none":
            try:
                amount = read_amount(options["amount"], casino.minor_digits)
            except ValueError as error:
                raise CommandError(str(error)) from error
        SecondManagerLimit.objects.create(casino=casino, amount=amount, first=first, second=second)
        if amount is None:
            return "One manager confirms any amount."
        highest = format_micros(amount, casino.minor_digits)
        return f"Two managers confirm what is above {casino.currency} {highest}."
