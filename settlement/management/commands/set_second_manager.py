"""`manage.py set_second_manager`: from what amount on a confirmation takes two managers."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from jackpot.money import format_micros
from settlement.models import SecondManagerLimit
from settlement.pages.fields import read_amount
from tables.models import Casino


class Command(BaseCommand):
    help = "Say above which amount of a claim two managers confirm. Run by the database's owner."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("casino", help="code of the casino")
        parser.add_argument("amount", help="in its currency, such as 25,000; none: never")
        parser.add_argument("--first", required=True, help="log-in name of who decided it")
        parser.add_argument("--second", required=True, help="and of who agreed")

    def handle(self, **options: Any) -> None:
        casino = Casino.objects.filter(code=options["casino"]).first()
        if casino is None:
            raise CommandError(f"There is no casino {options['casino']}.")
        people = (options["first"], options["second"])
        active = get_user_model().objects.filter(username__in=people, is_active=True)
        if active.count() != 2:
            raise CommandError("This takes two different people who may log in.")
        amount = None
        if options["amount"] != "none":
            try:
                amount = read_amount(options["amount"], casino.minor_digits)
            except ValueError as error:
                raise CommandError(str(error)) from error
        SecondManagerLimit.objects.create(
            casino=casino, amount=amount, first=people[0], second=people[1]
        )
        said = "One manager confirms any amount."
        if amount is not None:
            said = (
                f"Two managers confirm what is above {casino.currency}"
                f" {format_micros(amount, casino.minor_digits)}."
            )
        self.stdout.write(f"{casino.name}: {said}")
