"""What the start of a round brings, as far as posted terms and its kind say it."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.fold.books.rounds import Added, Dealing, at_start
from verifier.fold.terms.card_requirements import is_won_by
from verifier.fold.terms.terms import Terms


@dataclass(frozen=True, slots=True)
class Start:
    """What the start of such a round adds, by jackpot, and flags of a round that adds nothing.

    `is_limited`: a jackpot takes only so many within a minute.
    """

    parts: dict[str, tuple[Added, ...]]
    flags: frozenset[str]
    is_limited: bool


def start_of(taking: list[Terms], round_: Dealing) -> Start:
    """The start of a round in which these jackpots take part (19.3, 19.9)."""
    return Start(
        {terms.code: tuple(at_start(terms, round_)) for terms in taking},
        frozenset(_takes_no_part(taking, round_)),
        any(terms.presses_a_minute is not None for terms in taking),
    )


def _takes_no_part(taking: list[Terms], round_: Dealing) -> set[str]:
    if round_.game is None:
        return {"no_session"}
    tiers = [tier for terms in taking for tier in terms.tiers]
    if not tiers:
        return {"not_participating"}
    can_win = (is_won_by(tier.qualifying, round_.game, round_.deck) for tier in tiers)
    return set() if any(can_win) else {"not_in_play"}
