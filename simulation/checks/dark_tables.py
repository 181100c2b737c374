"""Tables that are out of play for a dark display: what their rounds may add, read off the order.

A round that begins while its table is out adds nothing to a prize: what its players put in all the
same is kept for them. One that began before adds as ever. At the end no table plays on beside a
display that has been dark for longer than is posted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import psycopg

from simulation.environment.clocks import Clocks

# System, entry, type, table, round, outcome, the command's body, contributions.
Row = tuple[str, int, str, str | None, int | None, dict[str, Any], dict[str, Any] | None, int]

_ENTRIES = """
    SELECT s.code, n.seq, n.type, t.code, n.round, n.outcome, c.body,
           (SELECT count(*) FROM jackpot_transfer m JOIN jackpot_account a ON a.id = m.credit_id
            WHERE m.system_id = n.system_id AND m.entry_seq = n.seq AND m.reason = 'contribution'
            AND a.code <> 'to_return')
    FROM jackpot_entry n JOIN tables_jackpotsystem s ON s.id = n.system_id
    LEFT JOIN tables_gamingtable t ON t.id = n.table_id
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    ORDER BY s.id, n.seq
"""
# Of tables that the console knows to be open: the word of it may be what a journal lost.
_READ = """
    SELECT DISTINCT s.code || '/' || t.code FROM tables_displayreading r
    JOIN tables_gamingtable t ON t.id = r.table_id JOIN tables_jackpotsystem s ON s.id = t.system_id
    JOIN jackpot_tablestate open ON open.table_id = t.id AND open.session IS NOT NULL
"""
_IN_A_ROUND = ("round_started", "round_completed", "hand_called", "hand_reported")
_OF_NOBODY = {
    "repeat",
    "no_session",
    "no_start",
    "not_in_play",
    "over_pace",
}  # flags of what need not add anything


@dataclass
class Tables:
    """Which tables are out of play, and where each round began; as far as the order was read."""

    out: set[tuple[str, str]] = field(default_factory=set)
    began_out: dict[tuple[str, str, int], bool] = field(default_factory=dict)
    # Rounds that people typed: nobody may know their terms, and how many were dealt in.
    typed: set[tuple[str, str, int]] = field(default_factory=set)
    findings: list[str] = field(default_factory=list)

    def read(self, rows: Iterable[Row]) -> None:
        """Go on with these entries."""
        for system, seq, type_, table, number, outcome, body, added in rows:
            if "refused" in outcome:
                continue
            if type_ == "display_dark" and "moot" not in outcome.get("flags", ()):
                self.out.add((system, str(table)))
            elif type_ in ("suspend", "resume") and body and body["table"]:
                change = self.out.add if type_ == "suspend" else self.out.discard
                change((system, body["table"]))
            elif type_ == "move_table" and body:
                self.out.add((system, body["table"]))
            elif body and (typed_rounds := _typed(type_, body)):
                for typed_number in typed_rounds:
                    self._begin(system, body["table"], typed_number)
                    self.typed.add((system, body["table"], typed_number))
            elif type_ in _IN_A_ROUND and number is not None:
                is_out = self._begin(system, str(table), number)
                if (system, table, number) in self.typed:
                    continue
                flags = set(outcome.get("flags", ()))
                if is_out and added:
                    self.findings.append(
                        f"entry {seq} of {system} adds, and {table} is out of play"
                    )
                if type_ == "round_started" and not (is_out or added or flags & _OF_NOBODY):
                    self.findings.append(
                        f"entry {seq} of {system} adds nothing, {table} is in play"
                    )

    def _begin(self, system: str, table: str, number: int) -> bool:
        return self.began_out.setdefault((system, table, number), (system, table) in self.out)


def _typed(type_: str, body: dict[str, Any]) -> list[int]:
    """The rounds that a person names in a command which may be their first entry."""
    if type_ == "missed_rounds":
        return list(body.get("rounds", ()))
    is_hand = type_ in ("enter_hand", "name_round") and body["round"] is not None
    return [body["round"]] if is_hand else []


def findings(
    dark: Iterable[tuple[str, str]], clocks: Clocks, connection: psycopg.Connection
) -> list[str]:
    """Rounds that add where they must not, or do not; tables that play beside a dark display.

    `dark`: system and table of each open table whose display is dark now.
    """
    tables = Tables()
    tables.read(connection.execute(_ENTRIES))
    if "console" in clocks.jumped:
        return tables.findings  # how long a display was dark is measured by that clock
    read = {name for (name,) in connection.execute(_READ)}
    return tables.findings + [
        f"{system}/{table} is in play, and its display was dark for longer than is posted"
        for system, table in dark
        if f"{system}/{table}" in read and (system, table) not in tables.out
    ]
