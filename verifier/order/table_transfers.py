"""Promise: a table is of one system at a time, and both orders say so.

A table leaves by two people (`verifier.people.authorisation`); all that its unit had receipts for
stands in the order before; the other system's order says that it came, by the same two people.
Nothing arrives in a system that has not left another.
"""

from __future__ import annotations

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.folding import Decision

KIND = "moves"

_ROWS = """
    SELECT g.code, g.moved_entry, s.code || '/' || c.code
    FROM tables_gamingtable g
    JOIN tables_gamingtable c ON c.id = g.moved_to_id
    JOIN tables_jackpotsystem s ON s.id = c.system_id
    WHERE g.system_id = %s
"""
# What was receipted when the table left and has its place only behind, or none at all.
_BEHIND = """
    SELECT e.boot, e.seq FROM tables_tableevent e
    JOIN tables_gamingtable g ON g.id = e.table_id
    JOIN unnest(%(boots)s::bigint[], %(seqs)s::bigint[]) AS held (boot, seq)
      ON held.boot = e.boot AND e.seq <= held.seq
    LEFT JOIN jackpot_entry n ON n.event_id = e.id
    WHERE e.system_id = %(system)s AND g.code = %(table)s
      AND coalesce(n.seq, %(entry)s) >= %(entry)s
    ORDER BY e.boot, e.seq LIMIT 10
"""
# The other side of a move: what one order says that the other carried out.
_OTHER_SIDE = """
    SELECT n.seq, c.body ->> 'table', c.body ->> %(other_table)s, c.body ->> %(other_system)s,
           (c.body ->> 'entry')::bigint, c.first, c.second
    FROM tables_jackpotsystem s
    JOIN jackpot_entry n ON n.system_id = s.id AND n.type = %(type)s
      AND NOT n.outcome ? 'refused' AND NOT n.outcome ? 'set_aside'
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE s.code = %(system)s
"""


def table_transfers(
    connection: Connection,
    scope: Scope,
    system: System,
    decisions: list[Decision],
    *,
    settled: bool,
) -> None:
    """Hold both sides of every move against each other."""
    rows = {code: (entry, there) for code, entry, there in ask(connection, _ROWS, [system.id])}
    for decision in decisions:
        if decision.entry.type == "move_table":
            _had_all(connection, scope, system, decision)
            _arrived(scope, system, decision, rows.pop(decision.body["table"], None))
        elif decision.entry.type == "receive_table":
            _had_left(connection, scope, system, decision)
    for code, (entry, there) in rows.items():
        scope.add(
            KIND, f"table {code}", f"it is said to be {there} since entry {entry}, of no order"
        )
    if settled:
        _none_is_missing(connection, scope, system)


def _had_all(connection: Connection, scope: Scope, system: System, decision: Decision) -> None:
    held = decision.body["receipted"]
    names = {
        "system": system.id,
        "table": decision.body["table"],
        "entry": decision.entry.seq,
        "boots": [boot for boot, _ in held],
        "seqs": [seq for _, seq in held],
    }
    for boot, seq in ask(connection, _BEHIND, names):
        sentence = f"event {boot}/{seq} was receipted before, and has its place behind it"
        scope.add(KIND, f"entry {decision.entry.seq}", sentence)


def _arrived(scope: Scope, system: System, decision: Decision, row: tuple[int, str] | None) -> None:
    """The row of the table says what the order says; one that says nothing was not finished."""
    entry, body = decision.entry, decision.body
    there = f"{body['to_system']}/{body['to_table']}"
    if row is None:
        name = f"system {system.code}: table {body['table']}"
        scope.report.remarks.append(f"{name} left at entry {entry.seq}; {there} has it not yet")
    elif row != (entry.seq, there):
        sentence = f"it left for {there} at entry {entry.seq}, its row says {row[1]} at {row[0]}"
        scope.add(KIND, f"table {body['table']}", sentence)


def _had_left(connection: Connection, scope: Scope, system: System, decision: Decision) -> None:
    entry, body = decision.entry, decision.body
    names = {
        "system": body["from_system"],
        "type": "move_table",
        "other_table": "to_table",
        "other_system": "to_system",
    }
    for seq, table, to_table, to_system, _, *people in ask(connection, _OTHER_SIDE, names):
        if (seq, table) == (body["entry"], body["from_table"]):
            same = (to_system, to_table) == (system.code, body["table"])
            if same and people == [entry.first, entry.second]:
                return
    sentence = f"table {body['table']} came from {body['from_system']}, which never gave it away"
    scope.add(KIND, f"entry {entry.seq}", sentence)


def _none_is_missing(connection: Connection, scope: Scope, system: System) -> None:
    """Where a table's row is in the other system, that system's order says so, once."""
    for code, entry, there in ask(connection, _ROWS, [system.id]):
        names = {
            "system": there.partition("/")[0],
            "type": "receive_table",
            "other_table": "from_table",
            "other_system": "from_system",
        }
        arrivals = [
            row
            for row in ask(connection, _OTHER_SIDE, names)
            if row[1:5] == (there.partition("/")[2], code, system.code, entry)
        ]
        if len(arrivals) != 1:
            sentence = f"it went to {there}, whose order says so {len(arrivals)} times"
            scope.add(KIND, f"table {code}", sentence)
