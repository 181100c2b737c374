"""Promise: counted drop and bank balances are what people entered, against what the books held.

Each row says what its command in the order says, and each command has its row. What was expected is
computed again: of a table the drop that the ledger moved by its entries on that gaming day, of the
bank what every account of players held at its end. A variance above the limit of the house has its
finding, and nobody signed an own explanation.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Any, NamedTuple

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.folding import Decision, Fold

KIND = "counts"
COMMANDS = ("count_drop", "enter_balance")
# Where money comes from, and what was handed over: the rest is kept for players and their tax.
NOT_OWED = (
    *("operator", "pot", "commission", "drop", "rounding"),
    *("paid_chips", "paid_cash", "paid_equivalent", "remitted_tax"),
)
_ROWS = """
    SELECT x.id, x.command, x.kind, g.code, x.day::text, x.amount, x.expected, x.file, b.command,
           x.note, u.username,
           (b.system_id, b.kind, b.day, coalesce(b.table_id, 0))
               = (x.system_id, x.kind, x.day, coalesce(x.table_id, 0)),
           f.id IS NOT NULL, coalesce((
               SELECT l.amount FROM settlement_variancelimit l
               JOIN settlement_record r
                 ON (r.source, r.row, r.system_id)
                  = ('settlement_variancelimit', l.id, x.system_id)
               WHERE l.kind = x.kind AND r.command <= x.command
               ORDER BY l.id DESC LIMIT 1), 0)
    FROM settlement_moneycount x
    LEFT JOIN tables_gamingtable g ON g.id = x.table_id
    LEFT JOIN settlement_moneycount b ON b.id = x.corrects_id
    LEFT JOIN auth_user u ON u.id = x.person_id
    LEFT JOIN settlement_finding f ON f.count_id = x.id
    WHERE x.system_id = %s ORDER BY x.id
"""
_DROP = """
    SELECT CASE WHEN n.table_id IS NULL THEN c.body ->> 'table' ELSE g.code END,
           sum(CASE WHEN t.debit_id = a.id THEN t.amount ELSE -t.amount END)
    FROM jackpot_account a
    JOIN jackpot_transfer t ON t.system_id = a.system_id AND a.id IN (t.debit_id, t.credit_id)
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (t.system_id, t.entry_seq)
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    WHERE a.system_id = %s AND a.code = 'drop' AND t.number > %s AND t.number <= %s GROUP BY 1
"""
_SIGNED = """
    SELECT s.finding_id FROM settlement_findingstep s
    JOIN settlement_finding f ON f.id = s.finding_id
    JOIN settlement_moneycount x ON x.id = f.count_id
    WHERE x.system_id = %s AND s.kind IN ('sign', 'return') AND s.person_id IS NOT DISTINCT FROM (
        SELECT e.person_id FROM settlement_findingstep e
        WHERE e.finding_id = s.finding_id AND e.kind = 'explain' AND e.id < s.id
        ORDER BY e.id DESC LIMIT 1)
    ORDER BY s.id
"""


class _Count(NamedTuple):
    id: int
    command: int
    kind: str
    table: str | None
    day: str
    amount: int
    expected: int
    file: str
    corrects: int | None
    note: str
    person: str | None
    corrects_its_own: bool | None
    has_finding: bool
    limit: int

    @property
    def body(self) -> dict[str, Any]:
        names = ("day", "amount", "expected", "file", "corrects", "note")
        body: dict[str, Any] = {name: getattr(self, name) for name in names}
        return body if self.table is None else {**body, "table": self.table}


def counts(
    connection: Connection, scope: Scope, system: System, fold: Fold, *, settled: bool
) -> None:
    """Hold rows, commands and ledger against each other."""
    by_command = {
        each.entry.command: each for each in fold.decisions if each.entry.type in COMMANDS
    }
    missing = dict(by_command)
    rows = [_Count(*row) for row in ask(connection, _ROWS, [system.id])]
    due = _Due(connection, system, fold)
    for count in rows:
        decision = missing.pop(count.command, None)
        place = f"count {count.id}"
        if decision is None and not settled and count.command not in by_command:
            continue  # on its way
        if decision is None or not _agrees(count, decision):
            scope.add(KIND, place, "it is not what a command of its person took into the order")
        if count.corrects is not None and not count.corrects_its_own:
            scope.add(KIND, place, "it corrects a count of another table, day or kind")
        expected = due.of(count)
        if not fold.is_broken and expected != count.expected:
            sentence = f"{expected} micros were expected of {count.day}, not {count.expected}"
            scope.add(KIND, place, sentence)
        if abs(count.amount - count.expected) > count.limit and not count.has_finding:
            scope.add(KIND, place, "its variance is above the limit, and has no finding")
    for decision in missing.values():
        scope.add(KIND, f"entry {decision.entry.seq}", "the count behind it is gone")
    for (finding,) in ask(connection, _SIGNED, [system.id]):
        scope.add(KIND, f"finding {finding}", "who explained it decided on the explanation")
    scope.report.counts["counts"] += len(rows)


def _agrees(count: _Count, decision: Decision) -> bool:
    entry = decision.entry
    command = (entry.type, entry.first, entry.second, decision.body)
    return command == (count.kind, count.person, None, count.body)


class _Due:
    """What the books held of each, a gaming day at a time."""

    def __init__(self, connection: Connection, system: System, fold: Fold) -> None:
        self._connection, self._system, self._ends = connection, system, fold.day_ends
        self._drops: dict[date, dict[str | None, int]] = {}

    def of(self, count: _Count) -> int | None:
        """In micros; None where that day was not over."""
        day = date.fromisoformat(count.day)
        end = self._ends.of(day)
        if end is None:
            return 0 if self._ends.first is None or day < self._ends.first else None
        if count.kind == "enter_balance":
            return sum(held for code, held in end.balances.items() if code not in NOT_OWED)
        if day not in self._drops:
            before = self._ends.of(date.fromordinal(day.toordinal() - 1))
            span = [self._system.id, before.transfer if before else 0, end.transfer]
            drops: dict[str | None, int] = defaultdict(int)
            drops.update({table: int(each) for table, each in ask(self._connection, _DROP, span)})
            self._drops[day] = drops
        return self._drops[day].get(count.table, 0)
