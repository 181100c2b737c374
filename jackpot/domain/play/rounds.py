"""Sessions and rounds in the fold: what a round at a table adds to the pools."""

from __future__ import annotations

from dataclasses import replace

from jackpot.domain.state.books import Books, Round
from jackpot.domain.state.entries import EventEntry, Outcome
from jackpot.domain.state.feeding import RoundContributions
from jackpot.domain.state.rebalance import take_back
from jackpot.terms.amount_limits import PLAUSIBLE
from jackpot.terms.contributions import TO_RETURN, Contribution, Figures, net
from jackpot.terms.money import minor_to_micros
from jackpot.terms.press_rate import beyond, first_press
from tables.protocol.messages import RoundCompleted, RoundStarted, SessionChanged, SessionOpened


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
    at = (entry.event.boot, entry.event.seq)
    if at < books.session_at.get(entry.table, at):
        return True
    books.session_at[entry.table] = at
    return False


def round_of(books: Books, table: str, number: int, dealt: list[int] | None) -> Round:
    """The round's record; its terms and game are those at its first entry."""
    key = (table, number)
    round_ = books.rounds.get(key)
    if round_ is None:
        round_ = books.rounds[key] = fresh_round(books, table)
    if dealt is not None:
        round_.dealt = len(set(dealt))
    books.dirty_rounds.add(key)
    return round_


def fresh_round(books: Books, table: str) -> Round:
    """A round that would begin at the table now: its terms and its game."""
    session = books.sessions.get(table) or {}
    round_ = Round(
        terms=books.terms_number,
        game=session.get("game"),
        deck=session.get("deck"),
        dealt=len(session["seats"]) if session else None,
        stakes=session.get("stakes"),
    )
    round_.awaits = books.feeding.of(table, round_).awaits
    return round_


def start(books: Books, entry: EventEntry, event: RoundStarted) -> Outcome:
    """The button at the commencement: the operator's contribution (19.3, 19.9)."""
    earlier = books.rounds.get((entry.table, event.round))
    if earlier is not None and earlier.started is not None:
        return {"flags": ["repeat"]}
    round_ = round_of(books, entry.table, event.round, event.seats_dealt)
    round_.started = entry.seq
    outcome: Outcome = {}
    fed = books.feeding.of(entry.table, round_)
    flags = _participation(round_, fed)
    if fed.is_limited:
        flags += _pace(books, entry, round_, fed)
    due = fed.at_start(round_)
    if round_.priced is not None:  # a missed round whose start came after all
        priced = books.feeding.at_start(entry.table, replace(round_, dealt=round_.priced))[1]
        settle_difference(books, entry.seq, priced, due)
        flags.append("adjusted_before")
        if net(priced, due):
            round_.differs = entry.seq
            outcome["figures"] = {"players": [round_.priced, round_.dealt or 0]}
            flags.append("figures_differ")
    else:
        _feed(books, entry.seq, due)
    flags += remarks(round_)
    return outcome | ({"flags": flags} if flags else {})


def complete(books: Books, entry: EventEntry, event: RoundCompleted) -> Outcome:
    """The completion: pot, commission and drop money as it was taken (19.10)."""
    earlier = books.rounds.get((entry.table, event.round))
    if earlier is not None and earlier.completed is not None:
        return {"flags": ["repeat"]}
    round_ = round_of(books, entry.table, event.round, event.seats_dealt)
    round_.completed = entry.seq
    outcome: Outcome = {}
    flags = _participation(round_, books.feeding.of(entry.table, round_))
    if round_.started is None:
        flags.append("no_start")
    elif round_.is_held:
        flags.append("over_pace")
    event_figures, implausible = _figures(event, books.digits)
    flags.extend(implausible)
    before = round_.figures
    figures = event_figures.over(before)
    round_.keep(figures)
    due, odd = books.feeding.at_completion(entry.table, round_, figures)
    flags.extend(flag for flag in odd if flag not in flags)
    if round_.void is not None:  # what the players put in went back to them (20.1)
        flags = [flag for flag in flags if flag != TO_RETURN]
    elif before != Figures():  # a supervisor had given figures
        credited = books.feeding.at_completion(entry.table, round_, before)[0]
        settle_difference(books, entry.seq, credited, due)
        flags.append("adjusted_before")
        if event_figures.contradict(before) or net(credited, due):
            round_.differs = entry.seq  # an incident: somebody looks into it
            outcome["figures"] = figures.beside(before)
            flags.append("figures_differ")
    else:
        _feed(books, entry.seq, due)
    flags += remarks(round_)
    return outcome | ({"flags": flags} if flags else {})


def settle_difference(
    books: Books, seq: int, credited: list[Contribution], due: list[Contribution]
) -> None:
    """Post what a round adds beyond what was credited for it; take back what was too much."""
    less: list[Contribution] = []
    for (tier, source, into), amount in net(credited, due).items():
        if amount > 0:
            books.contribute(seq, source, tier, into, amount)
        else:
            less.append(Contribution(tier, into, source, -amount))
    take_back(books, seq, less)


def remarks(round_: Round) -> list[str]:
    """What people decided about the round before this came."""
    decided = {"void": round_.void, "cancelled": round_.cancelled}
    return [flag for flag, place in decided.items() if place is not None]


def _participation(round_: Round, fed: RoundContributions) -> list[str]:
    if round_.game is None:
        return ["no_session"]
    if not fed.jackpots:
        return ["not_participating"]
    return [] if fed.is_in_play else ["not_in_play"]


def _pace(books: Books, entry: EventEntry, round_: Round, fed: RoundContributions) -> list[str]:
    """Count the press where terms limit them; a round that is one too many is held."""
    limits = [jackpot.terms.presses_a_minute for jackpot in fed.jackpots]
    table, recorded_at = entry.table, entry.event.recorded_at
    before = books.presses.get(table)
    count = first_press if before is None else before.after
    books.presses[table] = count(recorded_at, entry.at)
    books.dirty_sessions.add(table)
    if round_.priced is None:  # else a supervisor has said that it was played
        round_.pace = beyond(books.presses[table], limits)
    return ["over_pace"] if round_.is_held else []


def _figures(event: RoundCompleted, digits: int) -> tuple[Figures, list[str]]:
    """The figures in micros; what no pot can come to is flagged and left out.

    A unit gone mad must not move the books: a supervisor enters what was really taken.
    """
    amounts = {
        "pot": event.pot,
        "uncalled": event.uncalled,
        "commission": event.commission,
        "drop": event.jackpot_drop,
    }
    flags = [f"{name}_implausible" for name, amount in amounts.items() if (amount or 0) > PLAUSIBLE]
    micros = {
        name: minor_to_micros(amount, digits)
        for name, amount in amounts.items()
        if amount is not None and amount <= PLAUSIBLE
    }
    figures = Figures(
        **micros,
        blinds_only=bool(event.blinds_only),
        tied_alone=bool(event.tied_alone),
        flop=event.flop_dealt,
    )
    return figures, flags


def _feed(books: Books, seq: int, contributions: list[Contribution]) -> None:
    for part in contributions:
        books.contribute(seq, part.source, part.tier, part.into, part.amount)
