"""Promise: what halted a system moves nothing only where two people skip it.

An event or command on which the writer's fold failed takes its place and moves nothing, after one
person proposed so and another one agreed. What came first the order of the records says.
"""

from __future__ import annotations

from typing import NamedTuple

from verifier.database.report import Scope
from verifier.database.rows import Connection, Entry, System, ask

KIND = "set aside"
Identity = tuple[str | None, int | None, int | None, int | None]  # table, boot, seq; or command

_ROWS = """
    SELECT g.code, e.boot, e.seq, a.command, a.first, a.second, a.reason,
           EXISTS (SELECT FROM settlement_asideproposal p JOIN auth_user u ON u.id = p.person_id
                   JOIN settlement_record proposed ON (proposed.source, proposed.row)
                       = ('settlement_asideproposal', p.id)
                   JOIN settlement_record decided ON (decided.source, decided.row)
                       = ('jackpot_setaside', a.id)
                   WHERE p.system_id = a.system_id AND u.username = a.first
                     AND p.reason = a.reason AND proposed.id < decided.id
                     AND (p.event, p.command) IS NOT DISTINCT FROM (a.event_id, a.command))
    FROM jackpot_setaside a
    LEFT JOIN tables_tableevent e ON e.id = a.event_id
    LEFT JOIN tables_gamingtable g ON g.id = e.table_id
    WHERE a.system_id = %s
"""


class SkippedEntry(NamedTuple):
    """Who decided, and why; whether the first one's proposal is there."""

    first: str
    second: str
    reason: str
    is_proposed: bool


class SkippedEntries:
    """What two people skip."""

    def __init__(self, connection: Connection, scope: Scope, system: System) -> None:
        self._scope = scope
        self._decided: dict[Identity, SkippedEntry] = {}
        for *identity, first, second, reason, is_proposed in ask(connection, _ROWS, [system.id]):
            key: Identity = (identity[0], identity[1], identity[2], identity[3])
            self._decided[key] = SkippedEntry(first, second, reason, is_proposed)

    def holds(self, entry: Entry) -> None:
        """Hold an entry that says it was skipped against what people decided."""
        stated = entry.outcome["set_aside"]
        skip = self._decided.get((entry.table, entry.boot, entry.event_seq, entry.command))
        due = {} if skip is None else dict(zip(("first", "second", "reason"), skip, strict=False))
        if skip is None or stated != due:
            self._say(entry, "it moved nothing, and no two people set it aside so")
        elif skip.first == skip.second:
            self._say(entry, f"{skip.first} set it aside alone")
        elif not skip.is_proposed:
            self._say(entry, f"it was set aside without a proposal by {skip.first} before")
        if (entry.kind == "command") != ("refused" in entry.outcome):
            self._say(entry, "only a command that was set aside is refused")

    def _say(self, entry: Entry, sentence: str) -> None:
        self._scope.add(KIND, f"entry {entry.seq}", sentence)
