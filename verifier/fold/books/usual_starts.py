"""Starts of rounds that add what others like them added: most of every order.

What the start of a new round adds follows from the posted terms, from what is played at its table
and from how many players are dealt in. It is worked out once for all such rounds; where the ledger
has exactly these transfers they are counted, and the sum is written down before anything else is
folded. Whatever is not so plain is folded by itself.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

from verifier.database.rows import NO_OUTCOME, Accounts, Entry, Transfer, read_event
from verifier.fold.books.rounds import Added, Round
from verifier.fold.books.state import State

_REASON = "contribution"
_move = operator.itemgetter(2, 3, 4, 7)  # of a transfer: debit, credit, amount, reason
_CLOCK = b"0123456789-+:.TZ"  # of which a time is made: nothing that JSON would read otherwise


@dataclass(slots=True)
class _Sum:
    """What some rounds add each, and how many of them are not written down yet."""

    added: tuple[Added, ...]
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class _Start:
    """What is known of such a round afterwards, what it adds, and its transfers in the ledger."""

    round: Round
    sum: _Sum
    moves: list[tuple[int, int, int, str]]


@dataclass(frozen=True, slots=True)
class Wording:
    """The bytes of an event around its seq, time and round, in which alone others may differ."""

    boot: int | None
    before_seq: bytes
    before_time: bytes
    before_round: bytes
    end: bytes

    def is_of(self, body: bytes, boot: int | None, seq: int, number: int) -> bool:
        """Whether an event says the same, with this seq and round."""
        head = b"%b%d%b" % (self.before_seq, seq, self.before_time)
        tail = b"%b%d%b" % (self.before_round, number, self.end)
        time = body[len(head) : len(body) - len(tail)]
        return (
            boot == self.boot
            and body.startswith(head)
            and body.endswith(tail)
            and bool(time)
            and not time.strip(_CLOCK)
        )


def wording_of(event: dict[str, Any], body: bytes) -> Wording | None:
    """How an event is worded; None where another one cannot be told by its bytes."""
    if b"\\" in body:
        return None  # a name could be spelled in two ways
    values = {
        b'"seq":': b"%d" % event["seq"],
        b'"recorded_at":"': event["recorded_at"].encode(),
        b'"round":': b"%d" % event["round"],
    }
    spans = []
    for name, value in values.items():
        begin = body.find(name) + len(name)
        if body.count(name) != 1 or not body.startswith(value, begin):
            return None
        spans.append((begin, begin + len(value)))
    if spans != sorted(spans):
        return None
    (seq, seq_end), (time, time_end), (number, number_end) = spans
    parts = body[:seq], body[seq_end:time], body[time_end:number], body[number_end:]
    return Wording(event["boot"], *parts)


class UsualStarts:
    """Takes such starts of rounds on behalf of the fold."""

    def __init__(self, state: State, accounts: Accounts) -> None:
        self._state = state
        self._ids = {code: id_ for id_, code in accounts.items()}
        self._newest: dict[str, tuple[Wording, _Start]] = {}  # by table
        self._starts: dict[tuple[str, int | None], _Start | None] = {}  # by table and players
        self._sums: dict[tuple[Added, ...], _Sum] = {}
        self._pending: list[_Sum] = []

    def take(self, entry: Entry, transfers: list[Transfer]) -> bool:
        """Whether it was one, and its transfers are these; then it is folded."""
        table, seq, number, body = entry.table, entry.event_seq, entry.round, entry.event_body
        if entry.type != "round_started" or table is None or number is None or body is None:
            return False
        if entry.outcome_text != NO_OUTCOME or entry.kind != "event" or entry.hit is not None:
            return False
        if seq is None or not self._state.rounds.is_new(table, number):
            return False
        newest = self._newest.get(table)
        if newest is not None and newest[0].is_of(body, entry.boot, seq, number):
            start: _Start | None = newest[1]
        else:
            start = self._read(entry, table, body)
        if start is None or list(map(_move, transfers)) != start.moves:
            return False
        self._state.rounds.begin_alike(table, number, start.round)
        if not start.sum.rounds:
            self._pending.append(start.sum)
        start.sum.rounds += 1
        if transfers:
            self._state.transfers = transfers[-1][0]
        return True

    def write_down(self) -> None:
        """Add what was counted to the books."""
        while self._pending:
            each = self._pending.pop()
            for tier, into, source, amount in each.added:
                self._state.feed(tier, into, source, each.rounds * amount)
            each.rounds = 0
        self._state.moved.clear()  # the ledger moved alike

    def forget(self) -> None:
        """Terms, sessions or limits may have changed."""
        self._starts.clear()
        self._newest.clear()

    def _read(self, entry: Entry, table: str, body: bytes) -> _Start | None:
        """The start that the event is, if it is just what the entry says."""
        try:
            event = read_event(body)
            noted = (self._state.system, table, entry.boot, entry.event_seq, entry.type)
            names = ("system", "table", "boot", "seq", "type")
            if tuple(map(event.get, names)) != noted or event.get("round") != entry.round:
                return None
            seats = event.get("seats_dealt")
            key = table, None if seats is None else len(set(seats))
            wording = wording_of(event, body)
        except (AttributeError, KeyError, TypeError, ValueError):
            return None  # the fold says what is wrong with it
        if event.get("test"):
            return None
        if key not in self._starts:
            self._starts[key] = self._worked_out(*key)
        start = self._starts[key]
        if start is not None and wording is not None:
            self._newest[table] = wording, start
        return start

    def _worked_out(self, table: str, players: int | None) -> _Start | None:
        """None where more has to be looked at than what the round adds."""
        state = self._state
        if table in state.left:
            return None
        round_ = state.new_round(table, players)
        start = state.start(table, round_)
        if start.flags or start.is_limited:
            return None
        added = tuple(part for parts in start.parts.values() for part in parts)
        moves = []
        for tier, into, source, amount in added:
            account = f"{tier}:{into}"
            if tier not in state.pools or state.pool_account_of(tier) != f"{tier}:pool":
                return None
            if state.pools[tier].now.limit is not None:
                return None
            if source not in self._ids or account not in self._ids:
                return None
            if amount:
                moves.append((self._ids[source], self._ids[account], amount, _REASON))
        round_.is_started, round_.by_operator = True, added
        sum_ = self._sums.setdefault(added, _Sum(added))
        return _Start(round_, sum_, moves)
