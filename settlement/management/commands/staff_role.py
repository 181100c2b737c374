"""`manage.py staff_role`: give somebody a role, in one casino or everywhere, or take it away."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.people.rights.roles import ROLES, grant, left_to_nobody, revoke
from tables.models import Casino


class Command(BaseCommand):
    help = "Give a person a role, or take it away (--end). Run by the database's owner."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", help="log-in name")
        parser.add_argument("role", choices=list(ROLES))
        parser.add_argument("--casino", help="code of the casino; without it the role holds in all")
        parser.add_argument("--by", required=True, help="who decided it, such as “anna and david”")
        parser.add_argument("--end", action="store_true", help="take the role away")

    def handle(self, **options: Any) -> None:
        person = get_user_model().objects.filter(username=options["person"]).first()
        if person is None:
            raise CommandError(f"There is no person {options['person']}.")
        casino = None
        if options["casino"] is not None:
            casino = Casino.objects.filter(code=options["casino"]).first()
            if casino is None:
                raise CommandError(f"There is no casino {options['casino']}.")
        change = revoke if options["end"] else grant
        change(person, options["role"], casino, by=options["by"])
        where = casino.name if casino is not None else "every casino"
        state = "no longer" if options["end"] else "now"
        self.stdout.write(f"{options['person']} is {state} {options['role']} in {where}.")
        for each in left_to_nobody():
            self.stderr.write(self.style.WARNING(each))
