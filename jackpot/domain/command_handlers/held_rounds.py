"""Rounds that were pressed faster than posted: people say whether they were played.

Until then nothing of them is added to the jackpots whose terms hold them
(`jackpot.terms.press_rate`). Each decision acts at its own place and changes no earlier hit.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, two_people
from jackpot.domain.command_handlers.missed_rounds import credit
from jackpot.domain.command_handlers.rounds import by_tier, known_round
from jackpot.domain.play.rounds import round_of
from jackpot.domain.state.books import Books, Round
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.domain.state.rebalance import take_back
from jackpot.terms.contributions import Contribution, Figures, beyond
from tables.protocol.messages import Code, Counter

MOST_HELD = 1000  # rounds of one decision


class HeldRounds(Body, frozen=True, kw_only=True):
    """Held rounds of a table, and what the supervisor saw."""

    table: Code
    rounds: Annotated[tuple[Counter, ...], Meta(min_length=1, max_length=MOST_HELD)]
    note: Reason


def accept_rounds(books: Books, entry: CommandEntry, body: HeldRounds) -> Outcome:
    """They were played: what they add counts from here on, the operator's part and the players'."""
    credited: list[Contribution] = []
    for number, round_ in _held(books, body):
        before = _added(books, body.table, round_)
        round_of(books, body.table, number, None).accepted = entry.seq
        credited += beyond(before, _added(books, body.table, round_))
    credit(books, entry.seq, credited)
    return {"rounds": list(body.rounds), "credited": by_tier(credited)}


def refuse_rounds(books: Books, entry: CommandEntry, body: HeldRounds) -> Outcome:
    """They were not played. Where the unit said figures as well that takes two people: what players
    really put in is never lost by the word of one.

    What other jackpots, whose terms hold nothing, had of them goes back. A completion that comes
    later shows that a round was played after all: it counts.
    """
    if entry.second is not None:
        two_people(entry)
    back: list[Contribution] = []
    for number, round_ in _held(books, body):
        if round_.hit is not None:
            raise Refused(f"Round {number} has a hand: it was played. Accept it.")
        if round_.figures != Figures() and entry.second is None:
            raise Refused(
                f"Round {number} has its figures: a second person must agree that nobody played it."
            )
        back += _added(books, body.table, round_)
        record = round_of(books, body.table, number, None)
        record.cancelled = entry.seq
        if record.figures != Figures() and record.void is None:
            record.void = entry.seq  # these figures are nobody's, and count for nothing
    take_back(books, entry.seq, back)
    return {"rounds": list(body.rounds), "taken_back": by_tier(back)}


def _held(books: Books, body: HeldRounds) -> list[tuple[int, Round]]:
    if len(set(body.rounds)) != len(body.rounds):
        raise Refused("Name each round once.")
    rounds = [(number, known_round(books, body.table, number)) for number in body.rounds]
    for number, each in rounds:
        if not each.is_held:
            raise Refused(f"Round {number} is not held, or is decided already: nothing changed.")
    return rounds


def _added(books: Books, table: str, round_: Round) -> list[Contribution]:
    """What a round has added, as it stands now."""
    added = books.feeding.at_start(table, round_)[1]
    if round_.void is not None:
        return added
    return added + books.feeding.at_completion(table, round_, round_.figures)[0]
