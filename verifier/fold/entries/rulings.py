"""What a supervisor decides about rounds: void (20.1), cancelled, missed (19.19)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from verifier.database.rows import Entry
from verifier.fold.books.rounds import (
    NOTHING,
    PLAUSIBLE,
    Added,
    Amounts,
    Figures,
    Round,
    at_completion,
    differences,
    together,
)
from verifier.fold.books.state import State
from verifier.fold.entries.device_events import (
    Body,
    Outcome,
    credit,
    judged,
    operator_gives,
    unposted,
)
from verifier.fold.entries.payments import EVIDENCE, two_people
from verifier.fold.terms.misdeals import MISDEALS, happens_in
from verifier.fold.terms.shapes import (
    Shape,
    code,
    different,
    each,
    fields,
    flag,
    maybe,
    one_of,
    require,
    text,
    whole,
)
from verifier.fold.terms.terms import Terms

CANCELS = ("double_press", "no_deal")
FIGURES = ("pot", "uncalled", "commission", "drop")
_NUMBER = whole(1, 2**53 - 1)


def void_round(state: State, entry: Entry, body: Body) -> Outcome:
    """What the players put in goes back to them; the operator's money stays for the redeal."""
    round_ = _one(state, body, tuple(MISDEALS), {"misdeal": maybe(text(2**31))})
    _is_of_the_game(body, round_)
    require(not round_.is_void, "it is void already")
    hand = [] if round_.hit is None else state.hand(state.hits[round_.hit])
    require(all(hit.state not in ("confirmed", "paid") for hit in hand), "its claim is confirmed")
    stored_round = state.round(body["table"], body["round"], None)
    stored_round.is_void, stored_round.players_wait = True, ()
    credit(state, entry.seq, (), stored_round.by_players)
    outcome = {"round": body["round"], "taken_back": _by_tier(stored_round.by_players)}
    return outcome | ({} if stored_round.hit is None else {"hit": stored_round.hit})


def cancel_round(state: State, entry: Entry, body: Body) -> Outcome:
    """Pressed without a deal: what the operator gave goes back."""
    round_ = _one(state, body, CANCELS)
    require(round_.is_started, "it was not pressed")
    require(not round_.is_cancelled and not round_.is_void, "it is cancelled or void already")
    was_completed = round_.is_completed or round_.amounts != NOTHING
    require(not was_completed and round_.hit is None, "it was dealt")
    round_.is_cancelled, round_.is_held = True, False
    state.held.pop((body["table"], body["round"]), None)
    credit(state, entry.seq, (), round_.by_operator)
    return {"round": body["round"], "taken_back": _by_tier(round_.by_operator)}


def missed_rounds(state: State, entry: Entry, body: Body) -> Outcome:
    """What the dealer failed to record is credited here, by the terms (19.19)."""
    needed = {"table": code, "count": whole(1, 100), "evidence": EVIDENCE}
    numbers = each(_NUMBER, 0, 100)
    money = dict.fromkeys(FIGURES, maybe(whole(0, 10**16)))
    players = {"players": maybe(whole(0, 23))}
    optional = {"rounds": numbers, "signals": numbers, "completion": flag}
    fields(body, needed, {**optional, **players, **money})
    if entry.second is not None:
        two_people(entry)
    pot, uncalled, commission, drop = map(body.get, FIGURES)
    amounts = (pot, uncalled, commission, drop)
    require(
        max(each or 0 for each in amounts) <= PLAUSIBLE * state.unit, "no round has such figures"
    )
    if body.get("completion"):
        return _completion(state, entry, body, amounts)
    return _whole(state, entry, body, amounts)


def _completion(state: State, entry: Entry, body: Body, amounts: Amounts) -> Outcome:
    """Only what the completion of a round would have said; its start is known (19.10)."""
    rounds = body.get("rounds", [])
    require(body["count"] == 1 and len(rounds) == 1, "it does not name the one round")
    require(body.get("players") is None, "its start says how many were dealt in")
    round_ = _met(state, body, rounds[0])
    require(round_.is_started or round_.is_missed, "it was not pressed")
    require(not round_.is_void, "it is void")
    require(not round_.is_held, "it is held")
    require(not round_.is_cancelled, "it is cancelled")
    taking = _taking(state, body["table"], round_)
    require(amounts != NOTHING, "nothing is said of it")
    for new, old in zip(amounts, round_.amounts, strict=True):
        require(new is None or old is None, "that is known already")
    require(amounts[1] is None or amounts[0] is not None, "uncalled of no pot")
    stored_round = state.round(body["table"], rounds[0], None)
    stored_round.say(together(amounts, stored_round.amounts))
    due = _of_figures(taking, stored_round, stored_round.amounts)
    more = [(*key, amount) for key, amount in differences(due, stored_round.by_players).items()]
    credit(state, entry.seq, more)
    stored_round.by_players = due
    outcome: Outcome = {"rounds": rounds, "completion": True, "credited": _by_tier(more)}
    changed = judged(state, body["table"], rounds[0], entry.seq)
    return outcome | ({"judged": [changed]} if changed else {})


def _whole(state: State, entry: Entry, body: Body, amounts: Amounts) -> Outcome:
    """Rounds whose button was not pressed."""
    has_figures = amounts != NOTHING
    require(not has_figures or body["count"] == 1, "figures are those of one round")
    rounds = body.get("rounds", [])
    if rounds:
        different(rounds, "rounds")
        require(len(rounds) == body["count"], "it names more rounds than it counts, or fewer")
        met = [state.rounds.find(body["table"], number) for number in rounds]
        hands = [round_.hit for round_ in met if round_ is not None and round_.hit is not None]
        require(len(hands) < 2, "hands of several of its rounds are known")
    total: list[Added] = []
    prices: list[_Priced] = []
    for number in rounds or [None] * body["count"]:
        priced = _price(state, body, number, amounts if has_figures else None)
        total += [*priced.start, *priced.end]
        prices.append(priced)
    require(any(part[3] for part in total), "nothing is added")
    for number, priced in zip(rounds, prices, strict=False):
        stored_round = state.round(body["table"], number, None)
        stored_round.is_missed, stored_round.by_operator = True, priced.start
        stored_round.dealt = priced.dealt if body.get("players") is not None else stored_round.dealt
        stored_round.priced = stored_round.dealt or 0
        if has_figures:
            stored_round.say(amounts)
            stored_round.by_players = priced.end
    credit(state, entry.seq, total)
    outcome: Outcome = {"rounds": rounds, "credited": _by_tier(total)}
    changed = [judged(state, body["table"], number, entry.seq) for number in rounds]
    return outcome | ({"judged": [each for each in changed if each]} if any(changed) else {})


def accept_rounds(state: State, entry: Entry, body: Body) -> Outcome:
    """Rounds that were pressed too fast were played: what waited is credited here."""
    total: list[Added] = []
    for round_ in _held(state, body):
        total += [*round_.operator_waits, *round_.players_wait]
        round_.by_operator += round_.operator_waits
        round_.by_players += round_.players_wait
        round_.is_held = False
    _decided(state, body)
    credit(state, entry.seq, total)
    return {"rounds": body["rounds"], "credited": _by_tier(total)}


def refuse_rounds(state: State, entry: Entry, body: Body) -> Outcome:
    """Nobody played them; of those that have figures two people say so."""
    if entry.second is not None:
        two_people(entry)
    back: list[Added] = []
    for round_ in _held(state, body):
        require(round_.hit is None, "it has a hand")
        require(
            round_.amounts == NOTHING or entry.second is not None, "its figures take two people"
        )
        back += round_.by_operator
        if not round_.is_void:
            back += round_.by_players
        round_.is_cancelled, round_.is_held = True, False
        round_.is_void = round_.is_void or round_.amounts != NOTHING
    _decided(state, body)
    credit(state, entry.seq, (), tuple(back))
    return {"rounds": body["rounds"], "taken_back": _by_tier(back)}


def _held(state: State, body: Body) -> list[Round]:
    fields(body, {"table": code, "rounds": each(_NUMBER, 1, 1000), "note": EVIDENCE})
    different(body["rounds"], "rounds")
    rounds = [_met(state, body, number) for number in body["rounds"]]
    require(all(round_.is_held for round_ in rounds), "it is not held")
    return rounds


def _decided(state: State, body: Body) -> None:
    for number in body["rounds"]:
        state.held.pop((body["table"], number), None)


@dataclass(frozen=True, slots=True)
class _Priced:
    """What a missed round adds: by its start, by its figures; with so many players."""

    start: tuple[Added, ...]
    end: tuple[Added, ...]
    dealt: int


def _price(state: State, body: Body, number: int | None, amounts: Amounts | None) -> _Priced:
    table = body["table"]
    round_ = _fresh(state, table) if number is None else _met(state, body, number)
    require(not round_.is_started, "it was pressed")
    require(amounts is None or not round_.is_completed, "it has its completion")
    require(not round_.is_missed and not round_.is_void, "it is credited or void already")
    players = body.get("players")
    dealt = (round_.dealt if players is None else players) or 0
    taking = _taking(state, table, round_)
    start = operator_gives(state, table, round_, dealt)
    if amounts is not None:
        return _Priced(start, _of_figures(taking, replace(round_, dealt=dealt), amounts), dealt)
    return _Priced(start, (), dealt)


def _of_figures(taking: list[Terms], round_: Round, amounts: Amounts) -> tuple[Added, ...]:
    """What these figures of a round add."""
    figures = Figures(*amounts)
    parts = [part for t in taking for part in at_completion(t, figures, round_.dealt_out)[0]]
    return (*parts, *unposted(taking, figures.drop))


def _taking(state: State, table: str, round_: Round) -> list[Terms]:
    terms = state.taking(table, round_)
    require(bool(terms), "it takes no part in a jackpot")
    return terms


def _is_of_the_game(body: Body, round_: Round) -> None:
    """The misdeal that is named, if one is, is one of the reason's that the game has."""
    misdeal = body.get("misdeal")
    if misdeal is None:
        return
    require(misdeal in MISDEALS[body["reason"]], "the misdeal is another reason's")
    require(happens_in(misdeal, round_.game), "the game has no such misdeal")


def _one(
    state: State,
    body: Body,
    reasons: tuple[str, ...],
    further: Mapping[str, Shape] | None = None,
) -> Round:
    shapes = {"table": code, "round": _NUMBER, "reason": one_of(*reasons), "note": EVIDENCE}
    fields(body, shapes, further)
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
    return replace(
        fresh,
        game=session.game,
        deck=session.deck,
        dealt=session.seats,
        stakes=session.stakes,
    )


def _by_tier(parts: Iterable[Added]) -> dict[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for tier, _, _, amount in parts:
        sums[tier] += amount
    return {tier: amount for tier, amount in sums.items() if amount}


RULINGS: dict[str, Callable[[State, Entry, Body], Outcome]] = {
    "void_round": void_round,
    "cancel_round": cancel_round,
    "missed_rounds": missed_rounds,
    "accept_rounds": accept_rounds,
    "refuse_rounds": refuse_rounds,
}
