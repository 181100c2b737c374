"""Promise: a closed day holds what every account held at its end, and its rows are its transfers.

The figures of each close are the balances that the fold had at the end of that gaming day; the
first day that was closed is the first of the order, and no round of it was held. What the console
keeps of closed days, from which reports are made, comes to the transfers of these days.
"""

from __future__ import annotations

from datetime import date

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.entries.closes import last_of
from verifier.fold.folding import Decision, Fold

KIND = "closes"
_ROWS = """
    SELECT d.day::text, d.entry, d.through_seq, d.through_transfer FROM settlement_closedday d
    WHERE d.system_id = %s ORDER BY d.day
"""
_DIFFERENT = """
    WITH days AS (
        SELECT id, day, through_transfer AS through,
               lag(through_transfer, 1, 0::bigint) OVER (ORDER BY day) AS since
        FROM settlement_closedday WHERE system_id = %(system)s
    ), due AS (
        SELECT days.day, t.debit_id, t.credit_id, t.reason, count(*), sum(t.amount) AS amount
        FROM days JOIN jackpot_transfer t ON t.system_id = %(system)s
         AND t.number > days.since AND t.number <= days.through
        GROUP BY days.day, t.debit_id, t.credit_id, t.reason
    ), rows AS (
        SELECT days.day, m.debit_id, m.credit_id, m.reason, m.count, m.amount
        FROM days JOIN settlement_daymovement m ON m.day_id = days.id
    )
    SELECT DISTINCT day::text FROM (
        (SELECT * FROM due EXCEPT ALL SELECT * FROM rows)
        UNION ALL (SELECT * FROM rows EXCEPT ALL SELECT * FROM due)
    ) AS different ORDER BY day
"""


def closes(connection: Connection, scope: Scope, system: System, fold: Fold) -> None:
    """Hold each close against the fold, and the rows of closed days against both."""
    closed: dict[str, Decision] = {}
    for decision in fold.decisions:
        if decision.entry.type == "close_day":
            if not closed and fold.day_ends.first != date.fromisoformat(decision.body["day"]):
                _say(scope, decision, "the first day that was closed is not the first of the order")
            closed[decision.body["day"]] = decision
            for table, number in fold.state.held_at_close[decision.entry.seq]:
                _say(scope, decision, f"round {number} at {table} was held, and nobody had decided")
            _figures(scope, fold, decision, date.fromisoformat(decision.body["day"]))
        elif decision.entry.type == "close_month":
            _figures(scope, fold, decision, last_of(decision.body["month"]))
    for day, entry, seq, transfer in ask(connection, _ROWS, [system.id]):
        behind = closed.get(day)
        due = behind and (behind.entry.seq, behind.body["through_seq"],
                          behind.body["through_transfer"])  # fmt: skip
        if (entry, seq, transfer) != due:
            scope.add(KIND, f"closed day {day}", "its row is not what an entry of the order closed")
    for (day,) in ask(connection, _DIFFERENT, {"system": system.id}):
        scope.add(KIND, f"closed day {day}", "what is kept of it does not come to its transfers")


def _figures(scope: Scope, fold: Fold, decision: Decision, day: date) -> None:
    end = fold.day_ends.of(day)
    if end is None:
        _say(scope, decision, f"{day} was not over, or before the first entry")
        return
    body = decision.body
    if (body["through_seq"], body["through_transfer"]) != (end.seq, end.transfer):
        place = f"entry {end.seq} and transfer {end.transfer}"
        _say(scope, decision, f"{day} ends with {place}, not where it was closed")
    figures = {code: amount for code, amount in body["figures"].items() if amount}
    for code in sorted(figures.keys() | end.balances.keys()):
        stated, held = figures.get(code, 0), end.balances.get(code, 0)
        if stated != held and not fold.is_broken:
            _say(scope, decision, f"{code} held {held} micros at the end of {day}, not {stated}")


def _say(scope: Scope, decision: Decision, sentence: str) -> None:
    scope.add(KIND, f"entry {decision.entry.seq}", sentence)
