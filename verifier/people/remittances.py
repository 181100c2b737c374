"""Promise: tax that was remitted is what people entered, and is taken back once.

Each row says what its command in the order says, and each command has its row. A reversal names a
remittance of the same system and amount that the order had carried out, and no other reversal does.
Of payments: whoever withheld less than the rules of the place asked for said why.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.folding import Decision

KIND = "remittances"
COMMANDS = ("remit_tax", "reverse_remittance")
_ROWS = """
    SELECT x.id, x.command, x.kind, x.amount, x.reference, x.reason, u.username, r.id, r.command,
           (r.system_id, r.kind, r.amount) = (x.system_id, 'remit_tax', x.amount)
    FROM settlement_taxremittance x
    LEFT JOIN settlement_taxremittance r ON r.id = x.reverses_id
    LEFT JOIN auth_user u ON u.id = x.person_id
    WHERE x.system_id = %s ORDER BY x.id
"""
_PAYMENTS = """
    SELECT c.number, a.body -> 'withholding' ->> 'due', a.body -> 'withholding' ->> 'reason',
           coalesce(a.body -> 'parts' ->> 'tax', '0')
    FROM settlement_action a JOIN settlement_claim c ON c.id = a.claim_id
    WHERE c.system_id = %s AND a.kind = 'pay' AND a.body ? 'withholding' ORDER BY a.id
"""


class _Remittance(NamedTuple):
    id: int
    command: int
    kind: str
    amount: int
    reference: str
    reason: str
    person: str | None
    reverses: int | None
    reversed_command: int | None
    fits: bool | None

    @property
    def body(self) -> dict[str, Any]:
        if self.kind == "remit_tax":
            return {"amount": self.amount, "reference": self.reference}
        reversal = {"remittance": self.reversed_command, "reason": self.reason}
        return {"amount": self.amount, **reversal}


def remittances(
    connection: Connection,
    scope: Scope,
    system: System,
    decisions: list[Decision],
    *,
    settled: bool,
) -> None:
    """Hold rows and commands against each other."""
    by_command = {each.entry.command: each for each in decisions if each.entry.type in COMMANDS}
    commands = _commands(connection, system)
    missing, reversed_rows = dict(by_command), set[int]()
    for row in (_Remittance(*each) for each in ask(connection, _ROWS, [system.id])):
        scope.report.counts["remittances"] += 1
        place = f"remittance {row.id}"
        decision = missing.pop(row.command, None)
        is_agreed = decision is not None and _agrees(row, decision)
        # A command that is on its way, or that the order refused, moved nothing.
        if not is_agreed and (
            row.command in by_command or (settled and row.command not in commands)
        ):
            scope.add(KIND, place, "it is not what a command of its person took into the order")
        if row.kind == "reverse_remittance":
            if not row.fits or row.reversed_command not in by_command:
                scope.add(KIND, place, "it reverses nothing of that amount that was remitted")
            if row.reverses in reversed_rows:
                scope.add(KIND, place, "it reverses what was reversed before")
            reversed_rows.add(row.reverses or 0)
    for decision in missing.values():
        scope.add(KIND, f"entry {decision.entry.seq}", "the remittance behind it is gone")
    _reasons(connection, scope, system)


def _commands(connection: Connection, system: System) -> set[int]:
    query = "SELECT number FROM jackpot_command WHERE system_id = %s AND kind = ANY(%s)"
    return {number for (number,) in ask(connection, query, [system.id, list(COMMANDS)])}


def _agrees(row: _Remittance, decision: Decision) -> bool:
    entry = decision.entry
    command = (entry.type, entry.first, entry.second, decision.body)
    return command == (row.kind, row.person, None, row.body)


def _reasons(connection: Connection, scope: Scope, system: System) -> None:
    """A payment that withheld something else than was asked says why."""
    for claim, due, reason, withheld in ask(connection, _PAYMENTS, [system.id]):
        if withheld != due and not (reason or "").strip():
            sentence = f"{withheld} micros were withheld, {due} were asked for: nobody said why"
            scope.add(KIND, f"claim {claim}", sentence)
