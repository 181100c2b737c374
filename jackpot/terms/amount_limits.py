"""How large amounts may be made: what protocol and displays can say, with room for play.

People set figures and lift pools up to a tenth of that; no round adds more than a plausible pot, so
that play does not go beyond it. Amounts in micros.
"""

from __future__ import annotations

from collections.abc import Iterator

from jackpot.terms.document import JackpotTerms, PerRound
from jackpot.terms.money import format_exact, minor_to_micros
from tables.protocol.messages import MOST_AMOUNT

PLAUSIBLE = 10**9  # minor units of one round
ROOM = 10


def most_set(digits: int) -> int:
    """The largest figure that people post, and to which they lift a pool.

    >>> most_set(2)
    1000000000000000
    """
    return minor_to_micros(MOST_AMOUNT, digits) // ROOM


def too_large(terms: JackpotTerms, digits: int) -> str | None:
    """What in the terms is more than can be said, as a sentence; None where all of it can."""
    of_round = minor_to_micros(PLAUSIBLE, digits)
    for what, amount, is_of_round in _figures(terms):
        if is_of_round and amount > of_round:
            return f"{what} is more than {format_exact(of_round, digits)}, which no round comes to."
        if not is_of_round and amount > most_set(digits):
            return (
                f"{what} is more than {format_exact(most_set(digits), digits)}: displays can say"
                " no more than ten times that, and pools grow."
            )
    return None


def _figures(terms: JackpotTerms) -> Iterator[tuple[str, int, bool]]:
    """(what it is, micros, whether a round adds it)."""
    for tier in terms.tiers:
        yield f"The reset amount of {tier.name}", tier.reset, False
        yield f"The fixed prize of {tier.name}", tier.prize or 0, False
        yield f"The limit of {tier.name}", tier.limit or 0, False
        for part in tier.increments:
            if isinstance(part, PerRound):
                yield f"What the operator adds to {tier.name} for a round", part.amount, True
    for step in terms.drop_steps:
        yield f"The drop of {terms.name}", step.take, True
    posted = terms.commission
    yield f"The cap of the commission of {terms.name}", getattr(posted, "cap", None) or 0, True
    yield f"The commission of {terms.name}", getattr(posted, "amount", 0), True
