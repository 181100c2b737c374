"""`manage.py reset_second_factor`: for a person whom no colleague can reset on the console."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.people.factors.factor_resets import HOURS, awaits_code, reset_as_owner
from settlement.people.factors.second_factor import factors_of


class Command(BaseCommand):
    help = (
        "End all second factors and log-ins of a person, who adds a new one at the next log-in with"
        " the code that is printed. Run by the database's owner; it stands in the security log."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", help="log-in name")

    def handle(self, **options: Any) -> None:
        person = get_user_model().objects.filter(username=options["person"]).first()
        if person is None:
            raise CommandError(f"There is no person {options['person']}.")
        if not factors_of(person).exists() and not awaits_code(person):
            raise CommandError(f"{options['person']} has no second factor.")
        code = reset_as_owner(person)
        self.stdout.write(
            f"{options['person']}: all second factors and log-ins have ended. Hand this code over"
            f" in person; it adds the first device within {HOURS} hours: {code}"
        )
