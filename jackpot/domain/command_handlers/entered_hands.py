"""Hands that a supervisor enters on the console while their table's unit is offline (19.20).

The entry is the hand's place. Which of the unit's late events is the same hand shows by table and
round (`jackpot.domain.play.pairing`); where nobody knows the round, a person says it, or keeps
the hands separate.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, hit_of, two_people
from jackpot.domain.play import hands
from jackpot.domain.play.hand_claims import hold_again
from jackpot.domain.play.hands import is_played, opened, outcome_of, take_report
from jackpot.domain.play.pairing import (
    UnitReport,
    match_report,
    move_to,
    note,
    report_flag,
    stand_alone,
)
from jackpot.domain.play.rounds import round_of
from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.domain.state.rebalance import reassign_tier
from jackpot.hits.states import UNDECIDED, HitState
from tables.protocol.messages import Code, Counter, GameCode, Seats


class EnterHand(Body, frozen=True, kw_only=True):
    """A hand at a table, as much of it as is known.

    `seen`: the highest number of a claim of this table that the supervisor saw. `unit`: whether the
    table's unit was heard meanwhile; then two people enter it.
    """

    table: Code
    game: GameCode
    deck: Literal[52, 40, 36, 32] = 52
    round: Counter | None = None
    seats: Seats
    tier: str | None = None
    report: hands.Report | None = None
    seen: Annotated[int, Meta(ge=0)]
    note: Reason
    unit: Literal["online", "offline"] | None = None


class NameRound(Body, frozen=True, kw_only=True):
    """In which round a hand was that was entered; null: its unit recorded nothing of it."""

    hit: int
    table: Code
    round: Counter | None
    note: Reason


class SeparateHand(Body, frozen=True, kw_only=True):
    """A unit's hand is none of those that were entered on the console."""

    hit: int
    note: Reason


class UnpairHand(Body, frozen=True, kw_only=True):
    """What the unit sent is not the hand that was entered as `hit`, though they were paired."""

    hit: int
    note: Reason


def enter_hand(books: Books, entry: CommandEntry, body: EnterHand) -> Outcome:
    """The hand takes its place here and holds its prize, as if its unit had sent it."""
    if body.unit == "online":
        two_people(entry)
    if body.table not in books.sessions:
        raise Refused(f"No session was ever opened at a table {body.table} of this system.")
    if body.table in books.moved:
        raise Refused("This table was moved to another system: enter the hand there.")
    if body.round is not None:
        played = books.rounds.get((body.table, body.round))
        if played is not None and played.hit is not None:
            raise Refused(
                f"The hand of this round is claim {played.hit} already: look at it, and amend its"
                " report where it is wrong."
            )
    newer = [hit.number for hit in books.hits.values() if _came_meanwhile(hit, body)]
    if newer:
        raise Refused(
            f"A hand of this table was recorded a moment ago as claim {min(newer)}: look whether"
            " it is the same. If it is another one enter this hand again."
        )
    number = body.round if body.round is not None else -(books.hit_number + 1)
    round_ = round_of(books, body.table, number, None)
    if round_.started is None and round_.completed is None:  # else it has its own game
        round_.game, round_.deck = body.game, body.deck
    hit, flags = hands.open_hit(books, entry.seq, body.table, number)
    hit.called_seats = sorted(set(body.seats))
    waits = body.round is None
    hit.pairing = {"who": entry.first, "waits": waits, "unit": None, "differs": None}
    if waits:
        flags.remove("no_start")  # nobody knows whether it was pressed
    if body.tier is not None:
        if is_played(books, hit, body.tier):
            reassign_tier(books, hit, body.tier, entry.seq)
        else:
            flags.append("unknown_tier")
    if body.report is not None:
        take_report(books, hit, msgspec.to_builtins(body.report), entry.seq)
    return opened(books, hit, flags) | report_flag(hit, entry.seq)


def name_round(books: Books, entry: CommandEntry, body: NameRound) -> Outcome:
    """A person says in which round a hand was; the unit's hand of that round is the same one."""
    hit = books.hand_of(hit_of(books, body.hit))[0]
    if not hit.is_entered or not hit.pairing["waits"]:
        raise Refused("The round of this hand is known, or its unit is not waited for any more.")
    if body.table != hit.table:
        raise Refused("This hand was at another table.")
    if body.round is None:
        note(books, hit, waits=False)
        return {"hit": hit.number}
    round_ = books.rounds.get((hit.table, body.round))
    other = books.hits.get(round_.hit) if round_ is not None and round_.hit is not None else None
    if other is not None and not other.is_required:
        raise Refused(f"Round {body.round} has a hand of its own, claim {other.number}.")
    if other is not None:
        move_to(books, other, -other.number)
    move_to(books, hit, body.round)
    note(books, hit, waits=False)
    if other is None:
        return {"hit": hit.number, "round": body.round}
    seats = {*other.called_seats} | {
        hand["seat"] for hand in (other.report or {}).get("hands", ()) if hand["hole"]
    }
    unit_report = UnitReport(frozenset(seats), other.pairing["tier"], other.report, other.clock)
    differs = match_report(books, hit, unit_report, entry.seq)
    other.state = HitState.PAIRED
    note(books, other, waits=False, same=hit.number)
    outcome = {"hit": hit.number, "round": body.round, "paired": other.number, "differs": differs}
    return outcome | report_flag(hit, entry.seq)


def separate_hand(books: Books, entry: CommandEntry, body: SeparateHand) -> Outcome:
    """A person says that a unit's hand is one of its own: it acts at its own place."""
    hit = hit_of(books, body.hit)
    if not hit.is_required:
        raise Refused("Nobody asks whether this hand was entered on the console.")
    stand_alone(books, hit, entry.seq)
    return outcome_of(books, hit)


def unpair_hand(books: Books, entry: CommandEntry, body: UnpairHand) -> Outcome:
    """A pairing was wrong: the round of the hand that was entered is unknown again.

    A unit's hand that has a hit of its own acts at its place, as if it had been separate then, or
    here where everything up to there is decided. One that was paired by its round has none: it is
    entered on the console. A report that may be the unit's waits for an amendment.
    """
    hand = books.hand_of(hit_of(books, body.hit))
    hit = hand[0]
    if not hit.is_entered or hit.pairing["unit"] is None:
        raise Refused("No hand of a table unit is paired with this one.")
    other = next(
        (
            each
            for each in books.hits.values()
            if each.state == HitState.PAIRED and each.pairing["same"] == hit.number
        ),
        None,
    )
    number = hit.round
    move_to(books, hit, -hit.number)
    note(books, hit, waits=True, unit=None)
    for claim in hand:
        claim.clock = None  # it was another hand's
    outcome: Outcome = {"hit": hit.number, "differs": []}
    if any(each.state in UNDECIDED and _may_be_the_units(each) for each in hand):
        note(books, hit, differs=entry.seq)
        outcome["differs"] = ["report"]
    if other is None:
        return outcome
    move_to(books, other, number)
    hold_again(books, other, entry.seq)
    note(books, other, same=None)
    stand_alone(books, other, entry.seq)
    return outcome | {"unpaired": other.number, "held": other.held}


def _may_be_the_units(claim: Hit) -> bool:
    """Whether the report was not typed when the hand was entered."""
    return claim.report_entry is not None and claim.report_entry != claim.place


def _came_meanwhile(hit: Hit, body: EnterHand) -> bool:
    return hit.table == body.table and hit.state == HitState.HELD and hit.number > body.seen
