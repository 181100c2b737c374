"""Hands that were entered on the console, and what their table's unit says of them later (19.20).

One round of a table has one hand. What a unit says of a round whose hand was entered opens nothing
and moves nothing. Where nobody knows the round, or not one seat or card is the same, the unit's
hand keeps its place and holds nothing until a person has said what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifier.database.rows import Entry
from verifier.fold.books.rounds import Round
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Clock, Hit
from verifier.fold.claims.claims import UNDECIDED, come_back, share_out
from verifier.fold.claims.clock_disputes import clock_in
from verifier.fold.claims.hands import report_shape
from verifier.fold.entries.device_events import (
    Body,
    Outcome,
    called,
    is_called,
    keep,
    opened,
    out_of_play,
    read,
    reported,
    stands,
    won_by,
)
from verifier.fold.entries.payments import ANY, EVIDENCE, hit_of, two_people
from verifier.fold.terms.shapes import code, each, fields, maybe, one_of, require, text, whole

GAMES = (
    *("holdem", "pineapple", "crazy_pineapple", "omaha", "two_card_manila", "three_card_manila"),
    *("draw", "five_card_stud", "seven_card_stud"),
)
_NUMBER = whole(1, 2**53 - 1)
_TYPED = ("flop_on_request", "seats_dealt", "button_seat", "pot")


def hand_of_unit(state: State, entry: Entry, event: Body) -> Outcome:
    """A hand that a device sent."""
    table = entry.table or ""
    is_report = event["type"] == "hand_reported"
    round_ = state.rounds.find(table, event["round"])
    hit = None if round_ is None or round_.hit is None else state.hits[round_.hit]
    report = event if is_report else None
    seats = _open_hands(event) if is_report else frozenset(event["seats"])
    tier = None if is_report else event.get("tier")
    if hit is not None and "who" in hit.pairing:
        if hit.pairing["unit"] is not None or not _cannot_be(hit, seats, report):
            _heard_of(state, hit, clock_in(entry))
            differs = _match_report(state, hit, seats, tier, report, entry.seq)
            late = set() if _is_open(state, hit) else {"after_decision"}
            outcome = {"flags": {"paired"} | late, "differs": differs}
            return stands(state, hit) | outcome | _report_flag(hit, entry)
        _move(state, hit, -hit.number)  # the number that was typed is another hand's
        hit.pairing["waits"] = True
        hit = None
    if hit is None:
        waits = any(
            each.table == table and "who" in each.pairing and each.pairing["waits"]
            for each in state.hits.values()
        )
        if waits:
            return _ask(state, entry, event, seats, tier, report)
    elif hit.is_required:
        if report is None:
            return {"flags": {"repeat"}, "hit": hit.number}
        hit.report, hit.report_entry = report, entry.seq
        return stands(state, hit)
    return (reported if is_report else called)(state, entry, event)


def enter_hand(state: State, entry: Entry, body: Body) -> Outcome:
    """A supervisor enters a hand: here is its place."""
    seat = whole(1, 23)
    needed = {
        "table": code,
        "game": one_of(*GAMES),
        "seats": each(seat, 0, 23),
        "seen": whole(0),
        "note": EVIDENCE,
    }
    further = {
        "deck": one_of(52, 40, 36, 32),
        "round": maybe(_NUMBER),
        "tier": maybe(text(2**31)),
        "report": maybe(report_shape),
        "unit": maybe(one_of("online", "offline")),
    }
    fields(body, needed, further)
    if body.get("unit") == "online":
        two_people(entry)
    table, number, tier = body["table"], body.get("round"), body.get("tier")
    require(table in state.sessions, "no session was ever opened at that table")
    require(table not in state.left, "that table is in another system now")
    if number is not None:
        met = state.rounds.find(table, number)
        require(met is None or met.hit is None, "that round has its hand")
    for other in state.open.values():
        require(other.table != table or other.number <= body["seen"], "another hand came meanwhile")
    nobody_knows = number is None
    number = -(len(state.hits) + 1) if number is None else number
    round_ = state.round(table, number, None)
    if not round_.is_started and not round_.is_completed:
        round_.game, round_.deck = body["game"], body.get("deck", 52)
    hit, outcome = opened(state, entry, table, number, None)
    hit.seats = frozenset(body["seats"])
    hit.pairing = {"who": entry.first, "waits": nobody_knows, "unit": None, "differs": None}
    if nobody_knows:
        outcome["flags"].remove("no_start")
    if tier is not None and not is_called(state, hit, tier, entry.seq):
        outcome["flags"].add("unknown_tier")
    if body.get("report") is not None:
        read(state, hit, body["report"], entry.seq)
    out_of_play(state, hit, outcome)
    return outcome | stands(state, hit) | _report_flag(hit, entry)


def name_round(state: State, entry: Entry, body: Body) -> Outcome:
    """A person says in which round a hand was, or that its unit is not waited for."""
    shapes = {"hit": ANY, "table": code, "round": maybe(_NUMBER), "note": EVIDENCE}
    fields(body, shapes)
    hit, number = state.hand(hit_of(state, body))[0], body["round"]
    require("who" in hit.pairing and hit.pairing["waits"], "its round is known")
    require(body["table"] == hit.table, "it was at another table")
    if number is None:
        hit.pairing["waits"] = False
        return {"hit": hit.number}
    met = state.rounds.find(hit.table, number)
    other = None if met is None or met.hit is None else state.hits[met.hit]
    require(other is None or other.is_required, "that round has another hand")
    if other is not None:
        _move(state, other, -other.number)
    _move(state, hit, number)
    hit.pairing["waits"] = False
    outcome: Outcome = {"hit": hit.number, "round": number}
    if other is None:
        return outcome
    seats = other.seats | (_open_hands(other.report) if other.report else frozenset())
    tier = other.pairing["tier"]
    _heard_of(state, hit, other.clock)
    differs = _match_report(state, hit, seats, tier, other.report, entry.seq)
    other.state = "paired"
    other.pairing |= {"waits": False, "same": hit.number}
    state.decided(other)
    return outcome | {"paired": other.number, "differs": differs} | _report_flag(hit, entry)


def separate_hand(state: State, entry: Entry, body: Body) -> Outcome:
    """A person says that it is a hand of its own: it acts at its own place."""
    fields(body, {"hit": ANY, "note": EVIDENCE})
    hit = hit_of(state, body)
    require(hit.is_required, "nobody asks about it")
    return stands(state, _actions_alone(state, hit, entry))


def unpair_hand(state: State, entry: Entry, body: Body) -> Outcome:
    """A pair was none. The entered hand has no round again; the unit's, if it has a claim, gets
    its round back and takes what is there at its own place, or here if that place is settled."""
    fields(body, {"hit": ANY, "note": EVIDENCE})
    hand = state.hand(hit_of(state, body))
    hit = hand[0]
    require("who" in hit.pairing, "it was not entered on the console")
    require(hit.pairing["unit"] is not None, "nothing is paired with it")
    number = hit.round
    _move(state, hit, -hit.number)
    hit.pairing |= {"waits": True, "unit": None}
    outcome: Outcome = {"hit": hit.number, "differs": []}
    for claim in hand:
        claim.clock = None  # it was another hand's
        typed_later = claim.report_entry not in (None, claim.place)
        if claim.state in UNDECIDED and typed_later:
            hit.pairing["differs"] = entry.seq
            outcome["differs"] = ["report"]
    for other in state.hits.values():
        if other.state == "paired" and other.pairing["same"] == hit.number:
            break
    else:
        return outcome
    _move(state, other, number)
    other.pairing["same"] = None
    come_back(state, other, entry.seq)
    return outcome | {"unpaired": other.number, "held": _actions_alone(state, other, entry).held}


def _actions_alone(state: State, hit: Hit, entry: Entry) -> Hit:
    """It is for the prizes that its cards win, or, unread, for the one that was called."""
    hit.pairing["waits"] = False
    wins = [] if hit.report is None else won_by(state, hit, hit.report)
    if wins:
        share_out(state, state.hand(hit), wins, entry.seq)
    elif hit.pairing["tier"] is not None:
        is_called(state, hit, hit.pairing["tier"], entry.seq)
    return hit


def _ask(
    state: State,
    entry: Entry,
    event: Body,
    seats: frozenset[int],
    tier: str | None,
    report: Body | None,
) -> Outcome:
    table = entry.table or ""
    hit, outcome = opened(state, entry, table, event["round"], event.get("seats_dealt"))
    hit.pairing = {"tier": tier, "waits": True, "same": None}
    if report is None:
        hit.seats = seats
    else:
        hit.report, hit.report_entry = report, entry.seq
    outcome["flags"].add("perhaps_entered")
    out_of_play(state, hit, outcome)
    return outcome | stands(state, hit)


def _heard_of(state: State, hit: Hit, clock: Clock | None) -> None:
    """By its unit's first word a hand that was entered has a clock of the table."""
    if hit.pairing["unit"] is None:
        for claim in state.hand(hit):
            claim.clock = clock
            state.met.add(claim.number)


def _match_report(
    state: State,
    hit: Hit,
    seats: frozenset[int],
    tier: str | None,
    report: Body | None,
    seq: int,
) -> list[str]:
    """What a unit says of a hand that was entered: where it differs. A first report is taken
    where it moves nothing."""
    is_open = _is_open(state, hit)
    out = ("rejected", "withdrawn")
    tiers = {claim.tier for claim in state.hand(hit) if claim.state not in out}
    differs = ["tier"] if tier is not None and tier not in tiers else []
    own_seats = hit.seats | (_open_hands(hit.report) if hit.report else frozenset())
    if own_seats and seats - own_seats:
        differs.append("seats")
    if hit.report is not None and report is not None:
        differs += _unlike(hit.report, report)
    if hit.report is None and report is not None and hit.state == "held":
        if won_by(state, hit, report) in ([], [hit.tier]):
            read(state, hit, report, seq)
        else:
            differs.append("tier")
    hit.pairing |= {"unit": seq, "waits": False}
    if differs and is_open:
        hit.pairing["differs"] = seq
    if report is not None and not is_open:
        keep(state, hit, report, seq)
    return differs


def _report_flag(hit: Hit, entry: Entry) -> Outcome:
    return {"taken": True} if hit.report_entry == entry.seq else {}


def _unlike(ours: Body, theirs: Body) -> list[str]:
    def lay(report: Body) -> list[Any]:
        hands = [{**hand, "hole": sorted(hand["hole"])} for hand in report["hands"]]
        return sorted(hands, key=lambda hand: (hand["seat"], hand["hole"]))

    differences = []
    if [*map(sorted, ours["boards"])] != [*map(sorted, theirs["boards"])]:
        differences.append("boards")
    if lay(ours) != lay(theirs):
        differences.append("hands")
    for name in _TYPED:
        one, two = ours.get(name), theirs.get(name)
        if name == "flop_on_request":
            one, two = bool(one), bool(two)
        elif name == "seats_dealt":
            one, two = (sorted(set(each)) if each else None for each in (one, two))
        if one is not None and two is not None and one != two:
            differences.append(name)
    return differences


def _cannot_be(hit: Hit, seats: frozenset[int], report: Body | None) -> bool:
    own_seats = hit.seats | (_open_hands(hit.report) if hit.report else frozenset())
    if own_seats and seats and own_seats.isdisjoint(seats):
        return True
    if hit.report is None or report is None:
        return False
    return _cards(hit.report).isdisjoint(_cards(report))


def _is_open(state: State, hit: Hit) -> bool:
    return any(claim.state in UNDECIDED for claim in state.hand(hit))


def _move(state: State, hit: Hit, number: int) -> None:
    """The hand has another round: that of the number if something of it is known."""
    hand, here = state.hand(hit), state.round(hit.table, hit.round, None)
    there = state.rounds.find(hit.table, number)
    if there is None:
        fresh = Round(here.terms, here.game, here.deck, here.dealt)
        there = state.rounds.begin(hit.table, number, fresh)
    if here.hit == hit.number:
        here.hit = None
    there.hit = hit.number
    for claim in hand:
        claim.round = number


def _open_hands(report: Body) -> frozenset[int]:
    return frozenset(hand["seat"] for hand in report["hands"] if hand["hole"])


def _cards(report: Body) -> frozenset[str]:
    first = report["boards"][0] if report["boards"] else []
    return frozenset(first).union(*(hand["hole"] for hand in report["hands"]))


ENTERED: dict[str, Callable[[State, Entry, Body], Outcome]] = {
    "enter_hand": enter_hand,
    "name_round": name_round,
    "separate_hand": separate_hand,
    "unpair_hand": unpair_hand,
}
