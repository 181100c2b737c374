"""A room of two claims, for people who press at the same instant."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import Group, User

from jackpot.models import Account, Hit
from jackpot.queries.payout_bounds import bounds_of_claim
from settlement.claims import services as claims
from settlement.core.errors import RuleBroken
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from tests.support.people.at_once import claims_of, people, queue_of
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.suite.waiting import wait_until

Press = Callable[..., Any]


class Room:
    """A claim of 1,001.00 on table 3, verified by sione; a second one on table 7, by anahera."""

    def __init__(self) -> None:
        self.house = ClaimHouse()
        for name, role in (("kai", "Cashier"), ("manaia", "Casino manager")):
            User.objects.create(username=name).groups.add(Group.objects.get(name=role))
        for table in ("t3", "t7"):
            self.house.hit_royal(table)
        self.house.poster.give_up()
        self.system = self.house.system
        claims.catch_up(self.system)
        self.first, self.second = claims_of(self.system).select_related("system__casino")
        for claim, name in ((self.first, "sione"), (self.second, "anahera")):
            claims.answer_checklist(claim, self.person(name), ALL_YES, {})
            claims.verify(claim, self.person(name))

    def more(self, table: str, verifier: str) -> Claim:
        """Another hit on the table, verified."""
        self.house.press(table)
        self.house.call(table)
        self.house.report(table)
        number = Claim.objects.count() + 1
        wait_until(
            lambda: Hit.objects.filter(number=number, report__isnull=False).exists(),
            what="the hand to be posted",
        )
        claims.catch_up(self.system)
        claim = claims_of(self.system).select_related("system__casino").get(number=number)
        claims.answer_checklist(claim, self.person(verifier), ALL_YES, {})
        claims.verify(claim, self.person(verifier))
        return claim

    def person(self, name: str) -> Any:
        return User.objects.get(username=name)

    def again(self, name: str) -> Reauthenticated:
        return Reauthenticated(self.person(name))

    def due(self, number: int = 1) -> int:
        expected = bounds_of_claim(self.system, number)
        assert expected is not None
        return expected.due

    def confirm(self, name: str = "mere", number: int = 1) -> Any:
        claim = self.first if number == 1 else self.second
        return claims.confirm(claim, self.again(name), self.due(number))

    def balance(self, account: str) -> int:
        row = Account.objects.filter(system=self.system, code=account).first()
        return row.balance if row else 0

    def at_once(self, *actions: Press, at_queue: bool = False) -> tuple[list[Any], list[str]]:
        """The answers of those who won, and what the others read."""
        gate = queue_of(self.system) if at_queue else claims_of(self.system)
        with people(len(actions)) as everybody:
            outcomes = everybody.press(gate, *actions)
        lost = [str(each) for each in outcomes if isinstance(each, RuleBroken)]
        return [each for each in outcomes if not isinstance(each, RuleBroken)], lost


def one_of(won: list[Any], lost: list[str], *words: str) -> None:
    assert len(won) == len(lost) == 1, lost
    assert any(each in lost[0] for each in words), lost
