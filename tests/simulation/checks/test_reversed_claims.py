"""The check of reversals says where money stayed away, on a claim that was paid in cash."""

from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from jackpot.domain.command_handlers import claims as handlers
from jackpot.domain.state.books import Books
from settlement.claims import services as claims
from settlement.claims.decisions import reversals
from settlement.people.rights.permissions import Reauthenticated
from simulation.checks import reversed_claims
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db


class PaidHouse(ConfirmedHouse):
    """A third of what was paid came back, say anahera and david."""

    def __init__(self) -> None:
        super().__init__()
        claims.pay(self.claim, Reauthenticated(person("aroha")), 1, {"cash": self.amount})
        self.post()

    def reverse(self) -> list[str]:
        back = {"cash": self.amount // 3}
        proposal = reversals.propose(
            self.claim, person("anahera"), reason="R13", evidence="Camera 4", recovered=back
        )
        reversals.agree(proposal, Reauthenticated(person("david")))
        self.post()
        return reversed_claims.findings(connection.connection)


house = kept_house(PaidHouse)


@pytest.fixture(autouse=True)
def nobody_waits(settings: Settings) -> None:
    """The writer of this test comes when it is called."""
    settings.CLAIM_WAIT_S = 0


def test_a_reversal_as_it_is_posted_is_none(house: PaidHouse) -> None:
    assert house.reverse() == []


def test_a_part_that_is_nobodys_loss_is_found(
    house: PaidHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_to_pool = handlers.back_to_pool

    def less(books: Books, hit: Any, seq: int, amounts: list[tuple[str, int]], why: str) -> None:
        parts = [each for each in amounts if each[0] != "operator"]
        back_to_pool(books, hit, seq, parts, why)

    monkeypatch.setattr(handlers, "back_to_pool", less)
    (finding,) = house.reverse()
    lost = house.amount - house.amount // 3
    assert f"{house.amount // 3} of {house.amount} is in the pool again" in finding
    assert f"0 of the operator for {lost} that did not come back" in finding


def test_who_confirmed_it_is_found(house: PaidHouse) -> None:
    house.reverse()
    with connection.cursor() as cursor:  # as the owner alone could write it
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE jackpot_command DISABLE TRIGGER ALL")
        cursor.execute(
            "UPDATE jackpot_command SET first = (SELECT coalesce(second, first)"
            " FROM jackpot_command WHERE kind = 'confirm_claim' LIMIT 1)"
            " WHERE kind = 'reverse_claim'"
        )
    (finding,) = reversed_claims.findings(connection.connection)
    assert "by who confirmed or paid" in finding
