"""Chains of five claims: every pattern of rejection, payment and amendment."""

import pickle
from functools import cache
from itertools import product

import pytest

from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms
from tests.support.play.models.order_decides_money import BOARD, MISTYPED, REPORT, RESET, UNIT
from tests.support.play.models.reference_model import Pencil, Terms


class Chain:
    """Five hands at one table, each of which may be mistyped."""

    def __init__(self, mistyped: tuple[bool, ...]) -> None:
        self.floor = Floor(royal_terms(reset=RESET, payable_unit=UNIT))
        self.pencil = Pencil(Terms(UNIT, RESET, 10_000))
        self.floor.open("t0")
        for rounds, unread in zip((3, 50, 7, 101, 1), mistyped, strict=True):
            for _ in range(rounds):
                self.floor.press("t0")
                self.pencil.timeline.append(("contribution", "operator", "pool", MICROS // 2))
            if unread:
                number = self.floor.report("t0", MISTYPED, BOARD)["hit"]
                self.pencil.unread.add(number)
            else:
                number = self.floor.call("t0")["hit"]
            self.pencil.timeline.append(("hit", number))

    def reject(self, number: int) -> None:
        self.floor.decide("reject_claim", hit=number, reason="R01", evidence="", affected=True)
        self.pencil.rejected.add(number)

    def amend(self, number: int) -> None:
        self.floor.decide("amend_hand", hit=number, report=REPORT)
        self.pencil.unread.discard(number)
        if any(later in self.pencil.confirmed for later in range(number + 1, 6)):
            self.pencil.moved.add(number)
            self.pencil.timeline.append(("actions here", number))

    def confirm(self, number: int) -> None:
        """Confirm and pay what is safe and not yet paid."""
        before = self.pencil.confirmed.get(number, 0)
        due = min(self.pencil.possible_amounts(number)) - before
        if due:
            payees = [{"seat": 3, "amount": due}]
            outcome = self.floor.decide("confirm_claim", hit=number, amount=due, payees=payees)
            assert outcome["confirmed"] == due
            self.pencil.confirmed[number] = before + due
            line = len(self.floor.books.hits[number].payees)
            self.floor.decide("pay", hit=number, line=line, parts={"chips": due})

    def later(self, number: int) -> None:
        """Nothing yet."""


@cache
def hands_of(mistyped: tuple[bool, ...]) -> bytes:
    """A chain before anything is decided: of one with the same hands, a copy is quicker made."""
    return pickle.dumps(Chain(mistyped))


@pytest.mark.parametrize("fates", list(product(("reject", "confirm", "amend", "later"), repeat=5)))
def test_a_chain_of_five_claims_whatever_becomes_of_each(fates: tuple[str, ...]) -> None:
    """Each is rejected, paid as far as it is safe, or amended, the latest first, while most is
    still open before it; at the end all are decided, and everybody has what the order gives."""
    chain: Chain = pickle.loads(hands_of(tuple(fate == "amend" for fate in fates)))  # noqa: S301
    floor, pencil = chain.floor, chain.pencil
    for number in (5, 4, 3, 2, 1):
        getattr(chain, fates[number - 1])(number)
    stand = [number for number in pencil.places() if number not in pencil.rejected]
    for number in stand:
        chain.confirm(number)
    balances = pencil.play()
    for number in stand:
        hit = floor.books.hits[number]
        assert (hit.state, hit.confirmed, hit.held) == ("paid", hit.held, balances[f"hit {number}"])
    assert floor.books.balances["paid_chips"] == sum(pencil.confirmed.values())
    assert floor.books.balances["royal:held"] == floor.books.balances["payable"] == 0
    assert floor.pool() == balances["royal:pool"]
