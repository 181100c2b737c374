"""Stopping a claim: a player's dispute, noted by staff, a regulator's hold, an order in question.

One person stops a claim, or the clocks of two hands do (`jackpot.domain.play.clock_disputes`); two
people let it go on. While a stop is open nothing of the claim is
confirmed, paid, booked as unclaimed or forfeited. It may still be amended, verified, rejected and
reversed: that is how most disputes end. A claim can have several stops at once, each with an end
of its own. As JSON in `Hit.stops`: `entry` (that opened it), `kind` and `lifted` (the entry that
ended it, or null); of an order in question `with`, the claims that it is in question with. A stop
of the kind `verdict` is opened and lifted by the fold (`jackpot.domain.state.verdicts`).
"""

from __future__ import annotations

from typing import Any

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, hit_of, two_people
from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.domain.state.verdicts import NO_VERDICT
from jackpot.hits.states import StopKind

KINDS = {
    StopKind.DISPUTE: "A player's dispute",
    StopKind.HOLD: "A regulator's hold",
    StopKind.ORDER: "The order in question",
    StopKind.VERDICT: "A hand that the console cannot judge",
}


class Stop(Body, frozen=True, kw_only=True):
    """Who says what against the claim as it stands."""

    hit: int
    reason: Reason


class Lift(Body, frozen=True, kw_only=True):
    """The end of the stop that the entry `stop` opened, with what was found."""

    hit: int
    stop: int
    finding: Reason


def dispute(books: Books, entry: CommandEntry, body: Stop) -> Outcome:
    """A player disputes the claim."""
    return _stop(books, entry, body, StopKind.DISPUTE)


def hold_claim(books: Books, entry: CommandEntry, body: Stop) -> Outcome:
    """The regulator holds the claim."""
    return _stop(books, entry, body, StopKind.HOLD)


def resolve_dispute(books: Books, entry: CommandEntry, body: Lift) -> Outcome:
    """Two people resolve a dispute."""
    return _lift(books, entry, body, StopKind.DISPUTE)


def lift_hold(books: Books, entry: CommandEntry, body: Lift) -> Outcome:
    """Two people lift a regulator's hold."""
    return _lift(books, entry, body, StopKind.HOLD)


def settle_order(books: Books, entry: CommandEntry, body: Lift) -> Outcome:
    """Two people have applied the posted policy: the claim goes on, at the place that it has."""
    return _lift(books, entry, body, StopKind.ORDER)


def stopped_by(stops: list[dict[str, Any]]) -> str:
    """Why nothing of the claim is confirmed or paid now; empty where no stop is open."""
    for stop in stops:
        if stop["lifted"] is None and stop["kind"] == StopKind.VERDICT:
            return NO_VERDICT.text
        if stop["lifted"] is None:
            return (
                f"{KINDS[stop['kind']]} stops this claim since entry {stop['entry']}: nothing is"
                " confirmed or paid until two people have ended it."
            )
    return ""


def require_no_stop(hit: Hit) -> None:
    """Refuse what would release or give away the money of a stopped claim."""
    if why := stopped_by(hit.stops):
        raise Refused(why)


def _stop(books: Books, entry: CommandEntry, body: Stop, kind: StopKind) -> Outcome:
    hit = hit_of(books, body.hit)
    hit.stops.append({"entry": entry.seq, "kind": kind.value, "lifted": None})
    books.dirty_hits.add(hit.number)
    return {"hit": hit.number, "stop": entry.seq}


def _lift(books: Books, entry: CommandEntry, body: Lift, kind: StopKind) -> Outcome:
    two_people(entry)
    hit = hit_of(books, body.hit)
    for stop in hit.stops:
        if (stop["entry"], stop["kind"], stop["lifted"]) == (body.stop, kind, None):
            stop["lifted"] = entry.seq
            books.dirty_hits.add(hit.number)
            return {"hit": hit.number, "stop": body.stop}
    raise Refused(f"No such stop of this claim is open since entry {body.stop}.")
