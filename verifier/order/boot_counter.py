"""Promise: a boot of a unit was discarded, or set, only where two people said so."""

from __future__ import annotations

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.folding import Decision

KIND = "receipts"
_REACH = 10_000  # boots above the last that was the unit's own


def discarded(
    connection: Connection, scope: Scope, system: System, decisions: list[Decision]
) -> None:
    """Hold the boots that count for nothing against the decisions of the order."""
    last: dict[str, list[int]] = {}
    for decision in decisions:
        if decision.entry.type == "reset_boots":
            last.setdefault(decision.body["table"], []).append(decision.body["boot"])
    for table, boot in ask(
        connection,
        "SELECT g.code, s.boot FROM tables_stream s JOIN tables_gamingtable g ON g.id = s.table_id"
        " WHERE s.system_id = %s AND s.discarded ORDER BY g.code, s.boot",
        [system.id],
    ):
        if not any(boot > own + _REACH for own in last.get(table, ())):
            sentence = "it is discarded, and no decision says so"
            scope.add(KIND, f"table {table}, boot {boot}", sentence)
