"""Sessions and rounds in the fold: what a round at a table adds to the pools."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from jackpot.books import Books, Round
from jackpot.contributions import Contribution, Figures
from jackpot.entries import EventEntry, Outcome
from jackpot.money import minor_to_micros
from jackpot.resettle import take_back
from jackpot.terms import Into
from tables.messages import RoundCompleted, RoundStarted, SessionChanged, SessionOpened

PLAUSIBLE = 10**9  # minor units of one round


def change_session(
    books: Books, entry: EventEntry, event: SessionOpened | SessionChanged
) -> Outcome:
    """The table's game, deck and seats from now on; rounds in play keep theirs."""
    if _is_overtaken(books, entry):
        return {"flags": ["overtaken"]}
    books.sessions[entry.table] = {
        "game": event.game,
        "deck": event.deck,
        "dealer": event.dealer,
        "seats": sorted(set(event.seats_in_play)),
        "stakes": event.stakes,
    }
    books.dirty_sessions.add(entry.table)
    return {}


def close_session(books: Books, entry: EventEntry) -> Outcome:
    """The table closes: what follows is not participating until it opens again."""
    if _is_overtaken(books, entry):
        return {"flags": ["overtaken"]}
    books.sessions[entry.table] = None
    books.dirty_sessions.add(entry.table)
    return {}


def _is_overtaken(books: Books, entry: EventEntry) -> bool:
    """Whether the table said something newer before this came: then that stands."""
    if not books.newest_session_stands:
        return False
    at = (entry.event.boot, entry.event.seq)
    if at < books.session_at.get(entry.table, at):
        return True
    books.session_at[entry.table] = at
    return False


def round_of(books: Books, table: str, number: int, dealt: list[int] | None) -> Round:
    """The round's record; its terms and game are those at its first entry."""
    key = (table, number)
    found = books.rounds.get(key)
    if found is None:
        session = books.sessions.get(table) or {}
        found = Round(
            terms=books.terms_number,
            game=session.get("game"),
            deck=session.get("deck"),
            dealt=len(session["seats"]) if session else None,
        )
        books.rounds[key] = found
    if dealt is not None:
        found.dealt = len(set(dealt))
    books.dirty_rounds.add(key)
    return found


def start(books: Books, entry: EventEntry, event: RoundStarted) -> Outcome:
    """The button at the commencement: the operator's contribution (19.3, 19.9)."""
    known = books.rounds.get((entry.table, event.round))
    if known is not None and known.started is not None:
        return {"flags": ["repeat"]}
    found = round_of(books, entry.table, event.round, event.seats_dealt)
    found.started = entry.seq
    flags = _participation(books, entry.table, found)
    due = books.at_start(entry.table, found)[1]
    if found.priced is not None:  # a missed round whose start came after all
        priced = books.at_start(entry.table, replace(found, dealt=found.priced))[1]
        settle_difference(books, entry.seq, priced, due)
        flags.append("adjusted_before")
    else:
        _feed(books, entry.seq, due)
    flags += remarks(found)
    return {"flags": flags} if flags else {}


def complete(books: Books, entry: EventEntry, event: RoundCompleted) -> Outcome:
    """The completion: pot, commission and drop money as it was taken (19.10)."""
    known = books.rounds.get((entry.table, event.round))
    if known is not None and known.completed is not None:
        return {"flags": ["repeat"]}
    found = round_of(books, entry.table, event.round, event.seats_dealt)
    found.completed = entry.seq
    flags = _participation(books, entry.table, found)
    if found.started is None:
        flags.append("no_start")
    figures, implausible = _figures(event, books.digits)
    flags.extend(implausible)
    before, found.pot = found.figures, figures.pot
    found.uncalled, found.commission, found.taken = (
        figures.uncalled,
        figures.commission,
        figures.drop,
    )
    due, odd = books.at_completion(entry.table, found, figures)
    flags.extend(flag for flag in odd if flag not in flags)
    if found.void is not None:
        pass  # what the players put in went back to them (20.1)
    elif before != Figures():  # a supervisor had given figures
        settle_difference(books, entry.seq, books.at_completion(entry.table, found, before)[0], due)
        flags.append("adjusted_before")
    else:
        _feed(books, entry.seq, due)
    flags += remarks(found)
    return {"flags": flags} if flags else {}


def settle_difference(
    books: Books, seq: int, credited: list[Contribution], due: list[Contribution]
) -> None:
    """Post what a round adds beyond what was credited for it; take back what was too much."""
    change: dict[tuple[str, str, Into], int] = defaultdict(int)
    for sign, parts in ((1, due), (-1, credited)):
        for part in parts:
            change[part.tier, part.source, part.into] += sign * part.amount
    less: list[Contribution] = []
    for (tier, source, into), amount in change.items():
        if amount > 0:
            books.contribute(seq, source, tier, into, amount)
        elif amount < 0:
            less.append(Contribution(tier, into, source, -amount))
    take_back(books, seq, less)


def remarks(found: Round) -> list[str]:
    """What people decided about the round before this came."""
    decided = {"void": found.void, "cancelled": found.cancelled}
    return [flag for flag, place in decided.items() if place is not None]


def _participation(books: Books, table: str, found: Round) -> list[str]:
    if found.game is None:
        return ["no_session"]
    if not books.at_start(table, found)[0]:
        return ["not_participating"]
    return []


def _figures(event: RoundCompleted, digits: int) -> tuple[Figures, list[str]]:
    """The figures in micros; what no pot can come to is flagged and left out.

    A unit gone mad must not move the books: a supervisor enters what was really taken.
    """
    said = {
        "pot": event.pot,
        "uncalled": event.uncalled,
        "commission": event.commission,
        "drop": event.jackpot_drop,
    }
    flags = [f"{name}_implausible" for name, amount in said.items() if (amount or 0) > PLAUSIBLE]
    micros = {
        name: minor_to_micros(amount, digits)
        for name, amount in said.items()
        if amount is not None and amount <= PLAUSIBLE
    }
    figures = Figures(
        **micros, blinds_only=bool(event.blinds_only), tied_alone=bool(event.tied_alone)
    )
    return figures, flags


def _feed(books: Books, seq: int, contributions: list[Contribution]) -> None:
    for part in contributions:
        books.contribute(seq, part.source, part.tier, part.into, part.amount)
