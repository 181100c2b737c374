"""The parts of a prize, as the page of a claim names them."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.domain.payout.division import Payee
from jackpot.domain.state.books import OUT
from jackpot.models import Hit
from jackpot.terms.awards import CAPACITY
from jackpot.terms.document import Role, TierTerms
from jackpot.terms.money import share_of


def wins(seat: int, winners: Mapping[int, Role], hit: Hit) -> str:
    """What a seat wins by its hand, for its pill."""
    if seat not in winners:
        return ""
    if hit.state in (*OUT, "reversed", "paired"):
        return "Qualifies by its cards"
    if hit.strength is not None and hit.before_pool is None:
        return "In the running" if hit.closing is None else "A better hand stands"
    if {*winners.values()} == {"winner"}:
        return "Wins the prize"
    return f"{CAPACITY[winners[seat]]}: wins a part"


def capacity(payee: Payee, among: list[Payee]) -> str:
    """In what capacity somebody is paid, where not everybody is as the winner."""
    return "" if {each["role"] for each in among} == {"winner"} else CAPACITY[payee["role"]]


def from_pool(pool: int, rolled: int, terms: TierTerms) -> int:
    """What of the amount came out of the pool; `rolled`: prizes that nobody had won."""
    return share_of(pool, terms.share) if terms.prize is None else min(pool, terms.prize + rolled)
