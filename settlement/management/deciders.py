"""What two people of a casino decided and its owner enters on the server."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from settlement.people.rights.roles import held
from tables.models import Casino


class DecidedByTwo(BaseCommand):
    """A command that names its casino and the two people."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("casino", help="code of the casino")
        self.add_decision(parser)
        parser.add_argument("--first", required=True, help="log-in name of who decided it")
        parser.add_argument("--second", required=True, help="and of who agreed")

    def add_decision(self, parser: CommandParser) -> None:
        """Add the argument that says what was decided."""
        raise NotImplementedError

    def handle(self, **options: Any) -> None:
        casino = Casino.objects.filter(code=options["casino"]).first()
        if casino is None:
            raise CommandError(f"There is no casino {options['casino']}.")
        first, second = options["first"], options["second"]
        active = get_user_model().objects.filter(username__in=(first, second), is_active=True)
        if active.count() != 2:
            raise CommandError("This takes two different people who may log in.")
        for person in active:
            if not {None, casino.pk} & held(person).allowed.keys():
                raise CommandError(
                    f"{person.get_username()} has no role in {casino.name}: name somebody who has,"
                    f" or give one first (manage.py staff_role {person.get_username()} ROLE"
                    f" --casino {casino.code} --by WHO)."
                )
        message = self.decide(casino, options, first, second)
        self.stdout.write(f"{casino.name}: {message}")

    def decide(self, casino: Casino, options: dict[str, Any], first: str, second: str) -> str:
        """Write it down, and say it in a sentence."""
        raise NotImplementedError
