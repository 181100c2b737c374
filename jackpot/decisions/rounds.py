"""What a supervisor decides about rounds: void (20.1), cancelled, missed (19.19).

Each acts at its own place and changes no earlier hit.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta

from jackpot.books import Books, Round
from jackpot.contributions import Contribution, Figures
from jackpot.decisions.basis import Body, Refused, two_people
from jackpot.decisions.payment import Reason
from jackpot.entries import CommandEntry, Outcome
from jackpot.hands import judge_again
from jackpot.resettle import take_back
from jackpot.rounds import round_of
from jackpot.terms import Micros
from tables.messages import Code, Counter

VOIDS = {
    "cut_exposed": ("20.1(a)", "The cut exposed cards"),
    "not_shuffled_or_cut": ("20.1(b)", "The cards were not shuffled or cut"),
    "out_of_order": ("20.1(c)", "The cards were dealt out of order"),
    "player_missed_or_extra_hand": ("20.1(d)", "A player was left out, or an extra hand dealt"),
    "wrong_count": ("20.1(e)", "A player has a wrong number of cards"),
    "defective_deck": ("20.1(h)", "The deck is defective, found before the pot was pushed"),
    "cards_exposed": ("20.1(i)-(p)", "Cards were exposed in the deal"),
}
CANCELS = {
    "double_press": ("19.9", "The button was pressed twice for one deal"),
    "no_deal": ("19.9", "No deal followed"),
}
MOST_MISSED = 100  # rounds of one decision


class OneRound(Body, frozen=True, kw_only=True):
    """A round of a table, a closed reason, and what the supervisor saw."""

    table: Code
    round: Counter
    reason: str
    note: Reason


class MissedRounds(Body, frozen=True, kw_only=True):
    """Rounds whose button was not pressed; `rounds` names them where that is known.

    Figures in micros are those of one round. `signals`: entries that show that they were played.
    """

    table: Code
    count: Annotated[int, Meta(ge=1, le=MOST_MISSED)]
    rounds: Annotated[tuple[Counter, ...], Meta(max_length=MOST_MISSED)] = ()
    players: Annotated[int, Meta(ge=0, le=23)] | None = None
    pot: Micros | None = None
    uncalled: Micros | None = None
    commission: Micros | None = None
    drop: Micros | None = None
    evidence: Reason
    signals: Annotated[tuple[Counter, ...], Meta(max_length=MOST_MISSED)] = ()


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
    found = _known(books, body.table, body.round)
    if found.void is not None:
        raise Refused("This round is void already: nothing was changed.")
    hit = books.hits.get(found.hit) if found.hit is not None else None
    hand = books.hand_of(hit) if hit is not None else []
    if any(claim.state in ("confirmed", "paid") for claim in hand):
        raise Refused(
            "The claim of this round is confirmed: a deck found wrong after that changes nothing."
            " If the claim must be undone have it reversed first."
        )
    credited = books.at_completion(body.table, found, found.figures)[0]
    round_of(books, body.table, body.round, None).void = entry.seq
    take_back(books, entry.seq, credited)
    outcome: Outcome = {"round": body.round, "taken_back": _by_tier(credited)}
    return outcome | ({"hit": found.hit} if found.hit is not None else {})


def cancel_round(books: Books, entry: CommandEntry, body: OneRound) -> Outcome:
    """A button that was pressed without a deal: what the operator gave goes back."""
    if body.reason not in CANCELS:
        raise Refused("Choose one of the reasons of a cancelled round.")
    found = _known(books, body.table, body.round)
    if found.started is None:
        raise Refused("The button was not pressed for this round: there is nothing to cancel.")
    if found.cancelled is not None or found.void is not None:
        raise Refused("This round is cancelled or void already: nothing was changed.")
    if found.completed is not None or found.hit is not None:
        raise Refused("This round was dealt: it has a completion or a hand. Void it instead.")
    credited = books.at_start(body.table, found)[1]
    round_of(books, body.table, body.round, None).cancelled = entry.seq
    take_back(books, entry.seq, credited)
    return {"round": body.round, "taken_back": _by_tier(credited)}


def missed_rounds(books: Books, entry: CommandEntry, body: MissedRounds) -> Outcome:
    """Rounds that the dealer failed to record are credited by the terms in force (19.19).

    One supervisor may post them within a limit that the console keeps; above it two people.
    """
    if entry.second is not None:
        two_people(entry)
    said = _said(body)
    if said != Figures() and body.count != 1:
        raise Refused("Pot, commission and drop are those of one round: give each its own.")
    credited: list[Contribution] = []
    for found in _missed(books, body):
        priced = replace(found, dealt=found.dealt if body.players is None else body.players)
        taking, at_start = books.at_start(body.table, priced)
        if not taking:
            raise Refused("The table took no part in a jackpot then: open its session first.")
        credited += at_start + books.at_completion(body.table, priced, said)[0]
    if not credited:
        raise Refused("By the terms in force nothing is added for these rounds.")
    for number in body.rounds:
        kept = round_of(books, body.table, number, None)
        kept.dealt = kept.dealt if body.players is None else body.players
        kept.priced = kept.dealt or 0
        if said != Figures():
            kept.pot, kept.uncalled = said.pot, said.uncalled
            kept.commission, kept.taken = said.commission, said.drop
    sums: dict[tuple[str, str, str], int] = defaultdict(int)
    for part in credited:
        sums[part.source, part.tier, part.into] += part.amount
    for key, amount in sums.items():
        books.contribute(entry.seq, *key, amount, "adjustment")
    outcome: Outcome = {"rounds": list(body.rounds), "credited": _by_tier(credited)}
    for number in body.rounds:
        if judged := judge_again(books, body.table, number, entry.seq):
            outcome.setdefault("judged", []).append(judged)
    return outcome


def _said(body: MissedRounds) -> Figures:
    return Figures(body.pot, body.uncalled, body.commission, body.drop)


def _missed(books: Books, body: MissedRounds) -> list[Round]:
    """The rounds to be credited, as far as they are known; those that nobody named are alike."""
    if not body.rounds:
        session = books.sessions.get(body.table) or {}
        return [
            Round(books.terms_number, session.get("game"), dealt=len(session.get("seats", ())))
        ] * body.count
    if len(set(body.rounds)) != body.count or len(body.rounds) != body.count:
        raise Refused("Name each missed round once, and as many as there are.")
    found = []
    for number in body.rounds:
        known = _known(books, body.table, number)
        if known.started is not None:
            raise Refused(f"The button was pressed for round {number}: it is not missed.")
        if known.completed is not None and _said(body) != Figures():
            raise Refused(f"Round {number} has its completion: give no figures for it.")
        if known.priced is not None or known.void is not None:
            raise Refused(f"Round {number} is credited or void already: nothing was changed.")
        found.append(known)
    if sum(known.hit is not None for known in found) > 1:  # each takes a place of its own
        raise Refused("Hands of several of these rounds are known: credit each of them apart.")
    return found


def _known(books: Books, table: str, number: int) -> Round:
    """What is known of a round, without beginning a record."""
    if table not in books.sessions:
        raise Refused(f"No session was ever opened at a table {table} of this system.")
    session = books.sessions[table] or {}
    fresh = Round(books.terms_number, session.get("game"), dealt=len(session.get("seats", ())))
    return books.rounds.get((table, number), fresh)


def _by_tier(parts: list[Contribution]) -> dict[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for part in parts:
        sums[part.tier] += part.amount
    return dict(sums)
