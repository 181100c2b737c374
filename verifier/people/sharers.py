"""Promise: who shares a prize and sat nowhere owns no more of it than the seat won.

At each row the parts of those that stand come to no more than what decisions confirmed for the seat
in all. A row names somebody who was identified as a sharer of that seat, and a reversal one that
stands, in full, with the reason.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.folding import Decision

KIND = "sharers"
_ROWS = """
    SELECT r.id, k.number, r.seat, r.kind, r.amount, r.identification_id, r.reverses_id, r.reason,
           coalesce((i.claim_id, i.shares) = (r.claim_id, r.seat), false)
    FROM settlement_sharer r
    JOIN settlement_claim k ON k.id = r.claim_id
    LEFT JOIN settlement_identification i ON i.id = r.identification_id
    WHERE k.system_id = %s ORDER BY r.id
"""


class _Row(NamedTuple):
    id: int
    hit: int
    seat: int
    kind: str
    amount: int
    identification: int
    reverses: int | None
    reason: str
    is_identified: bool

    @property
    def what(self) -> tuple[int, int, int, int]:
        return self.hit, self.seat, self.amount, self.identification


def sharers(
    connection: Connection, scope: Scope, system: System, decisions: list[Decision]
) -> None:
    """Hold the rows against each other, and their sums against what was confirmed."""
    rows = [_Row(*each) for each in ask(connection, _ROWS, [system.id])]
    if not rows:
        return
    won: dict[tuple[int, int], int] = defaultdict(int)
    for decision in decisions:
        if decision.entry.type == "confirm_claim":
            for line in decision.body["payees"]:
                won[decision.outcome["hit"], line["seat"]] += line["amount"]
    standing: dict[int, _Row] = {}
    for row in rows:
        scope.report.counts["sharers"] += 1
        place = f"sharer {row.id}"
        if not row.is_identified:
            scope.add(KIND, place, f"nobody is identified as a sharer of seat {row.seat}")
        if row.kind == "added":
            standing[row.id] = row
        else:
            reversed_row = standing.pop(row.reverses or 0, None)
            if reversed_row is None or reversed_row.what != row.what or not row.reason:
                scope.add(KIND, place, "it reverses no sharer that stands, in full, with a reason")
        seat = (row.hit, row.seat)
        parts = sum(each.amount for each in standing.values() if (each.hit, each.seat) == seat)
        if parts > won[seat]:
            sentence = f"seat {row.seat} of claim {row.hit} won {won[seat]}, and {parts} is shared"
            scope.add(KIND, place, sentence)
