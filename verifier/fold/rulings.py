"""What a supervisor decides about rounds: void (20.1), cancelled, missed (19.19)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from verifier.fold.payments import EVIDENCE, two_people
from verifier.fold.rounds import Added, Figures, Round, at_completion
from verifier.fold.shapes import code, different, each, fields, maybe, one_of, require, whole
from verifier.fold.state import State
from verifier.fold.story import Body, Told, credit, judged, operator_gives
from verifier.rows import Entry

VOIDS = (
    *("cut_exposed", "not_shuffled_or_cut", "out_of_order", "player_missed_or_extra_hand"),
    *("wrong_count", "defective_deck", "cards_exposed"),
)
CANCELS = ("double_press", "no_deal")
FIGURES = ("pot", "uncalled", "commission", "drop")
_NUMBER = whole(1, 2**53 - 1)


def void_round(state: State, entry: Entry, body: Body) -> Told:
    """What the players put in goes back to them; the operator's money stays for the redeal."""
    round_ = _one(state, body, VOIDS)
    require(not round_.is_void, "it is void already")
    hand = [] if round_.hit is None else state.hand(state.hits[round_.hit])
    require(all(hit.state not in ("confirmed", "paid") for hit in hand), "its claim is confirmed")
    kept = state.round(body["table"], body["round"], None)
    kept.is_void = True
    credit(state, entry.seq, (), kept.by_players)
    told = {"round": body["round"], "taken_back": _by_tier(kept.by_players)}
    return told | ({} if kept.hit is None else {"hit": kept.hit})


def cancel_round(state: State, entry: Entry, body: Body) -> Told:
    """Pressed without a deal: what the operator gave goes back."""
    round_ = _one(state, body, CANCELS)
    require(round_.is_started, "it was not pressed")
    require(not round_.is_cancelled and not round_.is_void, "it is cancelled or void already")
    require(not round_.is_completed and round_.hit is None, "it was dealt")
    round_.is_cancelled = True
    credit(state, entry.seq, (), round_.by_operator)
    return {"round": body["round"], "taken_back": _by_tier(round_.by_operator)}


def missed_rounds(state: State, entry: Entry, body: Body) -> Told:
    """Rounds whose button was not pressed are credited here, by the terms (19.19)."""
    needed = {"table": code, "count": whole(1, 100), "evidence": EVIDENCE}
    numbers = each(_NUMBER, 0, 100)
    money = dict.fromkeys(FIGURES, maybe(whole(0, 10**16)))
    players = {"players": maybe(whole(0, 23))}
    fields(body, needed, {"rounds": numbers, "signals": numbers, **players, **money})
    if entry.second is not None:
        two_people(entry)
    said = {name: body.get(name) for name in FIGURES}
    has_figures = any(amount is not None for amount in said.values())
    require(not has_figures or body["count"] == 1, "figures are those of one round")
    named = body.get("rounds", [])
    if named:
        different(named, "rounds")
        require(len(named) == body["count"], "it names more rounds than it counts, or fewer")
        met = [state.rounds.find(body["table"], number) for number in named]
        hands = [round_.hit for round_ in met if round_ is not None and round_.hit is not None]
        require(len(hands) < 2, "hands of several of its rounds are known")
    total: list[Added] = []
    found: list[_Priced] = []
    for number in named or [None] * body["count"]:
        priced = _price(state, body, number, said if has_figures else None)
        total += [*priced.start, *priced.end]
        found.append(priced)
    require(any(part[3] for part in total), "nothing is added")
    for number, priced in zip(named, found, strict=False):
        kept = state.round(body["table"], number, None)
        kept.is_missed, kept.by_operator = True, priced.start
        kept.dealt = priced.dealt if body.get("players") is not None else kept.dealt
        if has_figures:
            kept.has_figures, kept.by_players = True, priced.end
            pot = said["pot"]
            kept.pot = None if pot is None else pot // state.unit
    credit(state, entry.seq, total)
    told: Told = {"rounds": named, "credited": _by_tier(total)}
    changed = [judged(state, body["table"], number, entry.seq) for number in named]
    return told | ({"judged": [each for each in changed if each]} if any(changed) else {})


@dataclass(frozen=True, slots=True)
class _Priced:
    """What a missed round adds: by its start, by its figures; with so many players."""

    start: tuple[Added, ...]
    end: tuple[Added, ...]
    dealt: int


def _price(state: State, body: Body, number: int | None, said: dict[str, Any] | None) -> _Priced:
    table = body["table"]
    round_ = _fresh(state, table) if number is None else _met(state, body, number)
    require(not round_.is_started, "it was pressed")
    require(said is None or not round_.is_completed, "it has its completion")
    require(not round_.is_missed and not round_.is_void, "it is credited or void already")
    told = body.get("players")
    dealt = (round_.dealt if told is None else told) or 0
    taking = [t for t in state.in_effect(round_.terms) if t.takes_part(table, round_.game)]
    require(bool(taking), "it takes no part in a jackpot")
    start = operator_gives(state, table, round_, dealt)
    if said is not None:
        pot, uncalled = said["pot"], said["uncalled"] or 0
        called = None if pot is None else max(0, pot - uncalled)
        figures = Figures(pot, called, uncalled, said["commission"], said["drop"])
        return _Priced(
            start, tuple(part for t in taking for part in at_completion(t, figures)[0]), dealt
        )
    return _Priced(start, (), dealt)


def _one(state: State, body: Body, reasons: tuple[str, ...]) -> Round:
    shapes = {"table": code, "round": _NUMBER, "reason": one_of(*reasons), "note": EVIDENCE}
    fields(body, shapes)
    return _met(state, body, body["round"])


def _met(state: State, body: Body, number: int) -> Round:
    """What is known of a round; nothing begins here."""
    require(body["table"] in state.sessions, "no session was ever opened at that table")
    return state.rounds.find(body["table"], number) or _fresh(state, body["table"])


def _fresh(state: State, table: str) -> Round:
    session = state.sessions.get(table)
    fresh = Round(len(state.terms))
    if session is None:
        return fresh
    return replace(fresh, game=session.game, dealt=session.seats)


def _by_tier(parts: Iterable[Added]) -> dict[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for tier, _, _, amount in parts:
        sums[tier] += amount
    return {tier: amount for tier, amount in sums.items() if amount}


RULINGS: dict[str, Callable[[State, Entry, Body], Told]] = {
    "void_round": void_round,
    "cancel_round": cancel_round,
    "missed_rounds": missed_rounds,
}
