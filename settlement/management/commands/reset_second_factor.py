"""`manage.py reset_second_factor`: for a person whom no colleague can reset on the console."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.people.second_factor import end_all


class Command(BaseCommand):
    help = (
        "End all second factors and log-ins of a person, who adds a new one at the next log-in."
        " Run by the database's owner; it stands in the security log."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", help="log-in name")

    def handle(self, **options: Any) -> None:
        person = get_user_model().objects.filter(username=options["person"]).first()
        if person is None:
            raise CommandError(f"There is no person {options['person']}.")
        count = end_all(person, by=None)
        if not count:
            raise CommandError(f"{options['person']} has no second factor.")
        self.stdout.write(f"{options['person']}: {count} ended, and all log-ins.")
