"""What the operator gives for each round and what is taken from its pot for the jackpot, entry by
entry, as somebody with a pencil reads the order: with what people ruled about it, and wherever its
table is by then.

- A round that began in play brings what the terms of its first entry post for a press, once it was
  pressed or credited as missed, unless it was cancelled, or is held for its pace.
- The chips of its completion, or those that a supervisor gave, are in the books unless the round is
  void, or held where the drop feeds a prize.
- A table that left brings nothing from there on; one that came brings what its new system posts.

Every entry moves the difference, and nothing else. What the operator gives for a round that people
typed first is not looked at: its game is theirs, and nobody may know how many were dealt in. Every
prize here is won with the full deck, and by as many players as any session here has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import psycopg

_PLAYERS = ("pot", "commission", "drop")
_MICROS = 10_000  # of a cent


class Row(NamedTuple):
    """An entry; `added` is by source what it put into the books for rounds."""

    system: str
    seq: int
    type: str
    table: str | None
    at: tuple[int, int]  # boot and seq of its event
    round: int | None
    outcome: Mapping[str, Any]
    event: Mapping[str, Any]
    body: Mapping[str, Any]
    added: Mapping[str, int]


_ENTRIES = """
    SELECT s.code, n.seq, n.type, coalesce(t.code, c.body ->> 'table'), n.boot, n.event_seq,
           n.round, n.outcome, convert_from(e.body, 'UTF8')::jsonb, c.body,
           (SELECT jsonb_object_agg(code, amount) FROM (
              SELECT source.code, sum(CASE WHEN source.id = m.debit_id THEN m.amount
                                      ELSE -m.amount END) AS amount
              FROM jackpot_transfer m JOIN jackpot_account source
                ON source.id IN (m.debit_id, m.credit_id)
               AND source.code IN ('operator', 'pot', 'commission', 'drop')
              WHERE m.system_id = n.system_id AND m.entry_seq = n.seq
                AND m.reason IN ('contribution', 'adjustment') GROUP BY 1) sums)
    FROM jackpot_entry n JOIN tables_jackpotsystem s ON s.id = n.system_id
    LEFT JOIN tables_gamingtable t ON t.id = n.table_id
    LEFT JOIN tables_tableevent e ON e.id = n.event_id
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    ORDER BY s.code, n.seq
"""
_OF_A_ROUND = ("round_started", "round_completed", "hand_called", "hand_reported")
_RULINGS = ("void_round", "cancel_round", "accept_rounds", "refuse_rounds")


@dataclass(slots=True)
class _Terms:
    """What is posted, as far as it decides here."""

    press: int = 0  # micros of the operator
    takes_drop: bool = False
    holds: bool = False  # rounds that are pressed too fast


@dataclass(slots=True)
class _Round:
    terms: _Terms
    is_in_play: bool  # its table took part at its first entry
    price: int
    is_typed: bool = False  # people named it first
    started_at: int | None = None
    completed_at: int | None = None
    is_credited: bool = False  # as missed
    is_held: bool = False
    is_cancelled: bool = False
    is_void: bool = False
    chips: int = 0
    has_figures: bool = False
    of_players: Counter[str] = field(
        default_factory=Counter
    )  # by source, of entries of this round alone

    def due(self) -> tuple[int, int]:
        """Of the operator and of the drop, as it stands."""
        is_pressed = self.started_at is not None or self.is_credited
        operator = self.price if is_pressed and not (self.is_cancelled or self.is_held) else 0
        came_before = self.completed_at is not None and self.completed_at < (self.started_at or 0)
        is_held = self.is_held and not came_before and self.is_in_play and self.terms.takes_drop
        return operator, 0 if self.is_void or is_held else self.chips


@dataclass
class Reader:
    """One system's order, as far as it was read."""

    findings: list[str] = field(default_factory=list)
    terms: _Terms = field(default_factory=_Terms)
    sessions: dict[str, Mapping[str, Any] | None] = field(default_factory=dict)
    session_at: dict[str, tuple[int, int]] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)  # suspended
    left: set[str] = field(default_factory=set)
    rounds: dict[tuple[str, int], _Round] = field(default_factory=dict)

    def read(self, row: Row) -> None:
        """The next entry."""
        rounds = self._rounds(row)
        before = [round_.due() for round_ in rounds]
        expected = Counter[str]()
        if "refused" not in row.outcome and "set_aside" not in row.outcome:
            expected += self._read(row, rounds)
        for (operator, drop), round_ in zip(before, rounds, strict=True):
            after = round_.due()
            expected["operator"] += after[0] - operator
            expected["drop"] += after[1] - drop
        is_typed = any(round_.is_typed for round_ in rounds)
        for source in ("drop",) if is_typed else ("operator", "drop"):
            if row.added.get(source, 0) != expected[source]:
                self.findings.append(
                    f"entry {row.seq} of {row.system}, {row.type} at {row.table}: {source} gives"
                    f" {row.added.get(source, 0)}, the rules say {expected[source]}"
                )
        self._players(row, rounds)

    def _players(self, row: Row, rounds: list[_Round]) -> None:
        """Of a void round players get back all that they put in, and give nothing any more."""
        if len(rounds) != 1:
            for round_ in rounds:
                round_.of_players["of several"] += 1
            return
        round_ = rounds[0]
        round_.of_players.update({source: row.added.get(source, 0) for source in _PLAYERS})
        rest = {
            source: round_.of_players[source] for source in _PLAYERS if round_.of_players[source]
        }
        if round_.is_void and rest and not round_.of_players["of several"]:
            self.findings.append(
                f"entry {row.seq} of {row.system}, {row.type} at {row.table}: the round is void,"
                f" and {rest} of it is kept"
            )

    def _rounds(self, row: Row) -> list[_Round]:
        """The rounds that an entry is about; those that it names first begin here."""
        if row.table is None or "refused" in row.outcome or "set_aside" in row.outcome:
            return []
        numbers: list[int] = []
        if row.type in _OF_A_ROUND and row.round is not None:
            numbers = [row.round]
        elif row.type in ("missed_rounds", "accept_rounds", "refuse_rounds"):
            numbers = list(row.body.get("rounds", ()))
        elif row.type in ("void_round", "cancel_round", "enter_hand", "name_round"):
            number = row.body.get("round")
            numbers = [] if number is None else [number]
        is_typed = row.type in ("enter_hand", "name_round")
        return [self._round(row.table, number, is_typed=is_typed) for number in numbers]

    def _round(self, table: str, number: int, *, is_typed: bool) -> _Round:
        if (table, number) not in self.rounds:
            session = self.sessions.get(table)
            in_play = session is not None and table not in self.out | self.left
            price = self._price(session) if in_play else 0
            self.rounds[table, number] = _Round(self.terms, in_play, price, is_typed)
        return self.rounds[table, number]

    def _price(self, session: Mapping[str, Any] | None) -> int:
        return self.terms.press if session is not None and session["deck"] == 52 else 0

    def _read(self, row: Row, rounds: list[_Round]) -> Counter[str]:
        """What the entry changes; what it adds that is of no known round."""
        table = row.table or ""
        match row.type:
            case "put_terms":
                self.terms = _posted(row.body["terms"])
            case "session_opened" | "session_changed" | "session_closed":
                if row.at >= self.session_at.get(table, row.at):
                    self.session_at[table] = row.at
                    self.sessions[table] = None if row.type == "session_closed" else row.event
            case "suspend" | "display_dark":
                if "moot" not in row.outcome.get("flags", ()):
                    self.out.add(table)
            case "resume":
                self.out.discard(table)
            case "move_table":
                self.left.add(table)
            case "missed_rounds":
                return self._missed(row, rounds)
            case type_ if type_ in _RULINGS:
                for round_ in rounds:
                    _ruled(type_, round_)
            case type_ if type_ in _OF_A_ROUND:
                self._happened(row, rounds[0])
        return Counter()

    def _happened(self, row: Row, round_: _Round) -> None:
        if row.type == "round_started" and round_.started_at is None:
            round_.started_at = row.seq
            round_.is_held = "over_pace" in row.outcome.get("flags", ())
            if round_.is_held and not round_.terms.holds:
                self.findings.append(
                    f"entry {row.seq} of {row.system}: held, and no pace is posted"
                )
        elif row.type == "round_completed" and round_.completed_at is None:
            round_.completed_at = row.seq
            round_.has_figures = True
            if row.event.get("jackpot_drop") is not None:
                round_.chips = row.event["jackpot_drop"] * _MICROS

    def _missed(self, row: Row, rounds: list[_Round]) -> Counter[str]:
        chips = row.body.get("drop") or 0
        has_figures = any(row.body.get(name) is not None for name in (*_PLAYERS, "uncalled"))
        for round_ in rounds:
            round_.is_credited = round_.is_credited or not row.body.get("completion")
            if has_figures:
                round_.has_figures = True
                round_.chips = chips if row.body.get("drop") is not None else round_.chips
        if rounds:
            return Counter()
        table = row.table or ""
        in_play = table not in self.out | self.left
        price = self._price(self.sessions.get(table)) if in_play else 0
        return Counter({"operator": price * row.body["count"], "drop": chips})


def _ruled(type_: str, round_: _Round) -> None:
    match type_:
        case "void_round":
            round_.is_void = True
        case "cancel_round":
            round_.is_cancelled, round_.is_held = True, False  # who cancels it has looked at it
        case "accept_rounds":
            round_.is_held = False
        case "refuse_rounds":
            round_.is_cancelled, round_.is_held = True, False
            round_.is_void = round_.is_void or round_.has_figures


def _posted(document: Mapping[str, Any]) -> _Terms:
    parts = [part for tier in document["tiers"] for part in tier.get("increments", ())]
    return _Terms(
        sum(part["amount"] for part in parts if part["source"] == "per_round"),
        any(part["source"] == "drop" for part in parts),
        document.get("presses_a_minute") is not None,
    )


def findings(connection: psycopg.Connection) -> list[str]:
    """Entries that move other money of the operator, or of players, than rounds and rulings ask."""
    return read(map(_row, connection.execute(_ENTRIES)))


def _row(columns: tuple[Any, ...]) -> Row:
    system, seq, type_, table, boot, event_seq, number, outcome, event, body, added = columns
    at, money = (
        (boot or 0, event_seq or 0),
        {code: int(sum_) for code, sum_ in (added or {}).items()},
    )
    return Row(system, seq, type_, table, at, number, outcome or {}, event or {}, body or {}, money)


def read(rows: Iterable[Row]) -> list[str]:
    """The same, of such rows."""
    readers: dict[str, Reader] = {}
    for row in rows:
        readers.setdefault(row.system, Reader()).read(row)
    return [finding for reader in readers.values() for finding in reader.findings]
