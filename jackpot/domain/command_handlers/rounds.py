"""What a supervisor decides about rounds: void (20.1), cancelled. Missed ones: `missed`.

Each acts at its own place and changes no earlier hit.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from jackpot.domain.command_handlers.basis import Body, Reason, Refused
from jackpot.domain.play.rounds import fresh_round, round_of
from jackpot.domain.state.books import Books, Round
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.domain.state.rebalance import take_back
from jackpot.hits.states import DECIDED
from jackpot.terms.contributions import Contribution, Figures
from rules.dead_hands import VOID_REASONS, misdeals_asked_as
from rules.phrases import Phrase
from tables.protocol.messages import Code, Counter

VOIDS = VOID_REASONS  # as dealers ask for them; a supervisor names the misdeal as well
CANCELS = {
    "double_press": ("19.9", Phrase("The button was pressed twice for one deal")),
    "no_deal": ("19.9", Phrase("No deal followed")),
}


class OneRound(Body, frozen=True, kw_only=True):
    """A round of a table, a closed reason, and what the supervisor saw."""

    table: Code
    round: Counter
    reason: str
    note: Reason
    misdeal: str | None = None  # which of `reason` it was, of a void round


def rounds_named(body: Any) -> list[tuple[str, int]]:
    """The rounds that a command's body names, for whoever loads them: (table, round)."""
    match body:
        case {"table": str() as table, "round": int() as number}:
            numbers: list[Any] = [number]
        case {"table": str() as table, "rounds": list() as numbers}:
            pass
        case _:
            return []
    return [(table, n) for n in numbers if isinstance(n, int) and 0 < n < 2**53]


def void_round(books: Books, entry: CommandEntry, body: OneRound) -> Outcome:
    """What the players put in goes back to them; the operator's money covers the redeal (20.1)."""
    if body.reason not in VOIDS:
        raise Refused("Choose one of the reasons of 20.1.")
    round_ = known_round(books, body.table, body.round)
    possible = {each.code for each in misdeals_asked_as(body.reason, round_.game)}
    if body.misdeal not in (None, *possible):
        raise Refused("Choose a misdeal of 20.1 that the game of the round has.")
    if round_.void is not None:
        raise Refused("This round is void already: nothing was changed.")
    hit = books.hits.get(round_.hit) if round_.hit is not None else None
    hand = books.hand_of(hit) if hit is not None else []
    if any(claim.state in DECIDED for claim in hand):
        raise Refused(
            "The claim of this round is confirmed: a deck found wrong after that changes nothing."
            " If the claim must be undone have it reversed first."
        )
    credited = books.feeding.at_completion(body.table, round_, round_.figures)[0]
    round_of(books, body.table, body.round, None).void = entry.seq
    take_back(books, entry.seq, credited)
    outcome: Outcome = {"round": body.round, "taken_back": by_tier(credited)}
    return outcome | ({"hit": round_.hit} if round_.hit is not None else {})


def cancel_round(books: Books, entry: CommandEntry, body: OneRound) -> Outcome:
    """A button that was pressed without a deal: what the operator gave goes back."""
    if body.reason not in CANCELS or body.misdeal is not None:
        raise Refused("Choose one of the reasons of a cancelled round.")
    round_ = known_round(books, body.table, body.round)
    if round_.started is None:
        raise Refused("The button was not pressed for this round: there is nothing to cancel.")
    if round_.cancelled is not None or round_.void is not None:
        raise Refused("This round is cancelled or void already: nothing was changed.")
    is_completed = round_.completed is not None or round_.figures != Figures()
    if is_completed or round_.hit is not None:
        raise Refused("This round was dealt: it has a completion or a hand. Void it instead.")
    credited = books.feeding.at_start(body.table, round_)[1]
    round_of(books, body.table, body.round, None).cancelled = entry.seq
    take_back(books, entry.seq, credited)
    return {"round": body.round, "taken_back": by_tier(credited)}


def known_round(books: Books, table: str, number: int) -> Round:
    """What is known of a round, without beginning a record."""
    if table not in books.sessions:
        raise Refused(f"No session was ever opened at a table {table} of this system.")
    round_ = books.rounds.get((table, number))
    return fresh_round(books, table) if round_ is None else round_


def by_tier(parts: list[Contribution]) -> dict[str, int]:
    """What each tier has of them."""
    sums: dict[str, int] = defaultdict(int)
    for part in parts:
        sums[part.tier] += part.amount
    return dict(sums)
