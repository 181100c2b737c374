"""`manage.py set_variance_limit`: above which variance of drop or bank a finding is opened."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from jackpot.terms.money import format_exact
from settlement.core.input import read_amount
from settlement.management.deciders import DecidedByTwo
from settlement.models import MoneyCount, VarianceLimit
from tables.models import Casino

_KINDS = {"drop": MoneyCount.Kind.DROP, "bank": MoneyCount.Kind.BANK}


class Command(DecidedByTwo):
    help = (
        "Say above which variance of the counted drop or of the bank's balance somebody must"
        " explain it. Run by the database's owner."
    )

    def add_decision(self, parser: CommandParser) -> None:
        parser.add_argument("of", choices=sorted(_KINDS), help="drop or bank")
        parser.add_argument("amount", help="such as 5.00; 0: any variance")

    def decide(self, casino: Casino, options: dict[str, Any], first: str, second: str) -> str:
        try:
            amount = read_amount(options["amount"], casino.minor_digits)
        except ValueError as error:
            raise CommandError(str(error)) from error
        VarianceLimit.objects.create(
            casino=casino, kind=_KINDS[options["of"]], amount=amount, first=first, second=second
        )
        amount_text = format_exact(amount, casino.minor_digits)
        return f"A variance of {options['of']} above {amount_text} opens a finding."
