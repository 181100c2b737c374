"""Who is paid how much of a claim: the posted share plan, carried out by `rules`. Pure.

The division is that of the whole amount at the hit's place. What was confirmed for somebody
before is pinned: a supplement brings everybody up to the share of the whole.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from jackpot.domain.state.verdicts import NO_VERDICT, is_missing
from jackpot.hits.payees import Line
from jackpot.terms.awards import plan_of
from jackpot.terms.document import Role, TierTerms
from rules.bad_beat import BadBeat
from rules.cards import parse_cards
from rules.division import PlannedShare, deciding_cards, divide_by_plan
from rules.games import GAMES
from rules.phrases import PhrasedError
from rules.verdict import SeatVerdict, Verdict

log = logging.getLogger(__name__)

MOST_SEATS = 23  # of the wire protocol

Payee = dict[str, Any]  # seat, role, amount (micros), as `confirm_claim` names them
Report = Mapping[str, Any]  # as in `Hit.report`


class UndividedError(PhrasedError):
    """Nobody can be paid as the hand is reported; the message says what to do."""


class UnjudgedError(UndividedError):
    """Nobody can be paid because the rules fail on the hand (`jackpot.domain.state.verdicts`)."""

    def __init__(self) -> None:
        super().__init__(NO_VERDICT.text)


def winners(tier: TierTerms, verdict: Verdict) -> dict[Role, tuple[SeatVerdict, ...]]:
    """The seats that win by their hands; none while a figure is missing."""
    seats = tuple(seat for seat in verdict.qualifying(tier.code) if tier.code not in seat.pending)
    if tier.high_hand() is not None:
        top = max((seat.hand.value for seat in seats if seat.hand), default=None)
        seats = tuple(seat for seat in seats if seat.hand and seat.hand.value == top)
    if not isinstance(tier.qualifies(), BadBeat):
        return {"winner": seats}
    beat = tuple(seat for seat in verdict.seats if tier.code in seat.beats)
    return {"loser": seats, "winner": beat if seats else ()}


def divide(
    tier: TierTerms,
    game: str | None,
    report: Report,
    verdict: Verdict,
    amount: int,
    had: Sequence[Line],
) -> list[Payee]:
    """The payees of `amount` micros, to be confirmed now; `had`: the lines confirmed before."""
    roles, seats = _seats(tier, report, verdict)
    total = amount + sum(line["amount"] for line in had)
    try:
        shares = [
            PlannedShare(
                part, seats[role], _cards(game, report, roles[role]) if role in roles else None
            )
            for role, part in plan_of(tier).items()
        ]
        whole = divide_by_plan(
            total, shares, tier.payable_unit, report.get("button_seat"), MOST_SEATS
        )
    except ValueError as error:
        raise UndividedError(
            "The prize cannot be divided: %(fault)s Amend the report.",
            fault=error.phrase if isinstance(error, PhrasedError) else error,
        ) from error
    except MemoryError:  # says nothing of the hand
        raise
    except Exception as fault:
        log.exception("the rules fail to divide a prize")
        raise UnjudgedError from fault
    role_of = {seat: role for role, members in seats.items() for seat in members}
    due = supplement(whole, had, amount)
    return [
        {"seat": seat, "role": role_of[seat], "amount": part} for seat, part in due.items() if part
    ]


def supplement(whole: Mapping[int, int], had: Sequence[Line], amount: int) -> dict[int, int]:
    """What `amount` adds for each seat, so that all come to the shares of the whole.

    An odd unit that somebody has already stays with him, and is missed by who is named last.
    """
    owed = dict(whole)
    for line in had:
        owed[line["seat"]] = owed.get(line["seat"], 0) - line["amount"]
    owed = {seat: max(0, part) for seat, part in owed.items()}
    over = sum(owed.values()) - amount
    for seat in reversed(owed):
        less = min(over, owed[seat])
        owed[seat] -= less
        over -= less
    return owed


def _seats(
    tier: TierTerms, report: Report, verdict: Verdict
) -> tuple[dict[Role, tuple[SeatVerdict, ...]], dict[Role, tuple[int, ...]]]:
    """Who has part in the prize, by role: those by their hands, then with the table."""
    if is_missing(verdict):
        raise UnjudgedError
    roles = winners(tier, verdict)
    if not next(iter(roles.values())):
        raise UndividedError(
            "The rules find no seat that wins this prize as the hand is reported. Amend the"
            " report if it was typed wrong; otherwise propose a rejection."
        )
    seats: dict[Role, tuple[int, ...]] = {
        role: tuple(seat.seat for seat in members) for role, members in roles.items()
    }
    if "table" in plan_of(tier):
        seats["table"] = _table(
            tier, report, {seat for members in seats.values() for seat in members}
        )
    return roles, seats


def _table(tier: TierTerms, report: Report, paid: set[int]) -> tuple[int, ...]:
    """The other participating players dealt in (19.5), with those who folded where posted: 19.17
    speaks of the hand that would qualify."""
    dealt = report.get("seats_dealt")
    if not dealt:
        raise UndividedError(
            "Part of this prize goes to the players dealt in: enter the seats dealt in."
        )
    out = {hand["seat"] for hand in report["hands"] if not hand["participating"]}
    if not tier.folded_share:
        out |= {hand["seat"] for hand in report["hands"] if hand["folded"]}
    return tuple(sorted({*dealt} - paid - out))


def _cards(
    game: str | None, report: Report, seats: tuple[SeatVerdict, ...]
) -> tuple[tuple[Any, ...], ...]:
    """Seat by seat the cards that decide on a remainder (16.5(e), 17.5(e))."""
    holes = {hand["seat"]: hand["hole"] for hand in report["hands"]}
    return tuple(
        deciding_cards(GAMES[game or ""], parse_cards(holes[seat.seat]), seat.hand)
        for seat in seats
        if seat.hand is not None
    )
