"""A house with two prizes from all four sources, for rulings under the verifier."""

from typing import Any

from tables.protocol import messages
from tests.support.houses.evening_terms import terms
from tests.support.people.cast import ClaimHouse


class Hour(ClaimHouse):
    """A house with two prizes from all four sources."""

    def __init__(self) -> None:
        super().__init__(terms(), tables=("t3", "t7", "t8"))
        for table in ("t3", "t7", "t8"):
            self.open(table)
            self.press(table)

    def complete(self, table: str, **figures: Any) -> None:
        self.say(table, messages.RoundCompleted, round=self.rounds[table], **figures)

    def person(self, name: str) -> Any:
        from django.contrib.auth.models import User

        return User.objects.get(username=name)
