"""What the dealer failed to record (19.19): whole rounds, or the completion of one (19.10)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, two_people
from jackpot.domain.command_handlers.rounds import by_tier, known_round
from jackpot.domain.play.hands import judge_again
from jackpot.domain.play.rounds import fresh_round, round_of
from jackpot.domain.state.books import Books, Round
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.terms.amount_limits import PLAUSIBLE
from jackpot.terms.contributions import FIGURE_NAMES, Contribution, Figures, beyond
from jackpot.terms.document import Micros
from jackpot.terms.money import minor_to_micros
from tables.protocol.messages import Code, Counter

MOST_MISSED = 100  # rounds of one decision


class MissedRounds(Body, frozen=True, kw_only=True):
    """Rounds whose button was not pressed; `rounds` names them where that is known.

    Figures in micros are those of one round. `completion`: what was missed is the completion of
    the one round that is named. `signals`: entries that show that they were played.
    """

    table: Code
    count: Annotated[int, Meta(ge=1, le=MOST_MISSED)]
    rounds: Annotated[tuple[Counter, ...], Meta(max_length=MOST_MISSED)] = ()
    completion: bool = False
    players: Annotated[int, Meta(ge=0, le=23)] | None = None
    pot: Micros | None = None
    uncalled: Micros | None = None
    commission: Micros | None = None
    drop: Micros | None = None
    evidence: Reason
    signals: Annotated[tuple[Counter, ...], Meta(max_length=MOST_MISSED)] = ()

    @property
    def figures(self) -> Figures:
        """What the supervisor says was taken."""
        return Figures(self.pot, self.uncalled, self.commission, self.drop)


def missed_rounds(books: Books, entry: CommandEntry, body: MissedRounds) -> Outcome:
    """What the dealer failed to record is credited by the terms in force (19.19).

    One supervisor may post it within a limit that the console keeps; above it two people.
    """
    if entry.second is not None:
        two_people(entry)
    most = minor_to_micros(PLAUSIBLE, books.digits)
    for name in FIGURE_NAMES:
        if (getattr(body, name) or 0) > most:
            raise Refused(f"No round has a {name} like that: check the amount for zeros too many.")
    if body.completion:
        return _completion(books, entry, body)
    return _whole_rounds(books, entry, body)


def _whole_rounds(books: Books, entry: CommandEntry, body: MissedRounds) -> Outcome:
    figures = body.figures
    if figures != Figures() and body.count != 1:
        raise Refused("Pot, commission and drop are those of one round: give each its own.")
    credited: list[Contribution] = []
    for round_ in _missed(books, body):
        priced = replace(round_, dealt=round_.dealt if body.players is None else body.players)
        taking, at_start = books.feeding.at_start(body.table, priced)
        if not taking:
            raise Refused("The table took no part in a jackpot then: open its session first.")
        credited += at_start + books.feeding.at_completion(body.table, priced, figures)[0]
    if not credited:
        raise Refused("By the terms in force nothing is added for these rounds.")
    for number in body.rounds:
        record = round_of(books, body.table, number, None)
        record.dealt = record.dealt if body.players is None else body.players
        record.priced = record.dealt or 0
        if figures != Figures():
            record.keep(figures)
    credit(books, entry.seq, credited)
    outcome: Outcome = {"rounds": list(body.rounds), "credited": by_tier(credited)}
    for number in body.rounds:
        if judged := judge_again(books, body.table, number, entry.seq):
            outcome.setdefault("judged", []).append(judged)
    return outcome


def _completion(books: Books, entry: CommandEntry, body: MissedRounds) -> Outcome:
    """The figures of a round that is known, as its completion would have said them (19.10).

    The operator's part came with the start and is not given again.
    """
    if len(body.rounds) != 1 or body.count != 1:
        raise Refused("A missed completion is credited by its number, one round at a time.")
    (number,) = body.rounds
    round_ = known_round(books, body.table, number)
    if round_.started is None and round_.priced is None:
        raise Refused(
            f"The button was not pressed for round {number}: credit the whole round, not its"
            " completion alone."
        )
    if round_.is_held:
        raise Refused(f"Round {number} is held for its pace: decide first whether it was played.")
    if round_.void is not None:
        raise Refused(f"Round {number} is void: what the players put in went back to them.")
    if round_.cancelled is not None:
        raise Refused(f"Round {number} is cancelled: no deal followed, so nothing was taken.")
    if not books.feeding.at_start(body.table, round_)[0]:
        raise Refused("The table took no part in a jackpot then: nothing is due.")
    becomes = _with_figures(number, round_, body)
    due = books.feeding.at_completion(body.table, round_, becomes)[0]
    before = books.feeding.at_completion(body.table, round_, round_.figures)[0]
    credited = beyond(before, due)
    round_of(books, body.table, number, None).keep(becomes)
    credit(books, entry.seq, credited)
    outcome: Outcome = {"rounds": [number], "completion": True, "credited": by_tier(credited)}
    if judged := judge_again(books, body.table, number, entry.seq):
        outcome["judged"] = [judged]
    return outcome


def _with_figures(number: int, round_: Round, body: MissedRounds) -> Figures:
    """The round's figures with those that nobody knew before."""
    if body.players is not None:
        raise Refused(f"The start of round {number} says how many players were dealt in.")
    figures, before = body.figures, round_.figures
    if figures == Figures():
        raise Refused("Say the pot, the commission or the drop of the round.")
    for name in FIGURE_NAMES:
        if getattr(figures, name) is not None and getattr(before, name) is not None:
            raise Refused(f"The {name} of round {number} is known already: nothing was changed.")
    if figures.uncalled is not None and figures.pot is None:
        raise Refused("Give what nobody called with the pot that it is a part of.")
    return figures.over(before)


def credit(books: Books, seq: int, parts: list[Contribution]) -> None:
    """Add what people credit at this place, each tier's in one transfer by source and account."""
    sums: dict[tuple[str, str, str], int] = defaultdict(int)
    for part in parts:
        sums[part.source, part.tier, part.into] += part.amount
    for key, amount in sums.items():
        books.contribute(seq, *key, amount, "adjustment")


def _missed(books: Books, body: MissedRounds) -> list[Round]:
    """The rounds to be credited, as far as they are known; those that nobody named are alike."""
    if not body.rounds:
        return [fresh_round(books, body.table)] * body.count
    if len(set(body.rounds)) != body.count or len(body.rounds) != body.count:
        raise Refused("Name each missed round once, and as many as there are.")
    rounds = []
    for number in body.rounds:
        round_ = known_round(books, body.table, number)
        if round_.started is not None:
            raise Refused(
                f"The button was pressed for round {number}: only its completion can be missed."
            )
        if round_.completed is not None and body.figures != Figures():
            raise Refused(f"Round {number} has its completion: give no figures for it.")
        if round_.priced is not None or round_.void is not None:
            raise Refused(f"Round {number} is credited or void already: nothing was changed.")
        rounds.append(round_)
    if sum(round_.hit is not None for round_ in rounds) > 1:  # each takes a place of its own
        raise Refused("Hands of several of these rounds are known: credit each of them apart.")
    return rounds
