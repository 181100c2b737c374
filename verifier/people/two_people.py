"""Promise: nobody decides or pays alone.

What stands behind each decision, `verifier.people.authorisation` says. Here: who amended,
verified, confirmed and paid one claim are different people, and so are those who undo it, or its
rejection. A payout of the register has its payment in the order, of a claim confirmed before it:
the same part of the same line in the same chips, cash and cash equivalent; each payment has one
payout.
"""

from __future__ import annotations

from typing import Any

from verifier.database.people_records import Action, Recorded
from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.folding import Decision
from verifier.fold.terms.payees import METHODS, TAX
from verifier.people.authorisation import KIND

_UNDOES = {
    "reverse_claim": ("confirm", "pay"),
    "reverse_rejection": ("propose_rejection", "second_rejection"),
}
ROLES = ("amend", "verify", "approve", "confirm", "pay")

_PAYOUTS = """
    SELECT p.entry_seq, c.number, p.line, p.part, p.seat, p.cashier, p.amount, p.chips, p.cash,
           p.equivalent, p.tax
    FROM settlement_payout p JOIN settlement_claim c ON c.id = p.claim_id
    WHERE c.system_id = %s ORDER BY p.id
"""


def different_people(scope: Scope, decisions: list[Decision], records: Recorded) -> None:
    """Who did one thing to a claim did not do another."""
    entered = {
        each.outcome["hit"]: each.entry.first or ""
        for each in decisions
        if each.entry.type == "enter_hand"
    }
    for hit, actions in records.actions.items():
        _differ(scope, hit, actions, entered.get(hit))


def undone_by_others(scope: Scope, decisions: list[Decision], records: Recorded) -> None:
    """A claim, or its rejection, is reversed by two people who had no part in it before."""
    for decision in decisions:
        entry, parts = decision.entry, _UNDOES.get(decision.entry.type, ())
        for action in records.actions.get(decision.outcome["hit"], []) if parts else ():
            taken_in = action.taken_in if action.kind in parts else None
            before = taken_in is not None and taken_in <= (entry.command or 0)
            if before and action.person in (entry.first, entry.second):
                sentence = f"{action.person} had part in what {entry.type} undoes: {action.kind}"
                scope.add(KIND, f"entry {entry.seq}", sentence)


def _differ(scope: Scope, hit: int, actions: list[Action], recorder: str | None) -> None:
    roles = {} if recorder is None else {recorder: "amend"}  # who entered it wrote the report
    for action in actions:
        if action.kind not in ROLES or action.person is None:
            continue
        before = roles.setdefault(action.person, action.kind)
        if before != action.kind:
            sentence = f"{action.person} did both: {before} and {action.kind}"
            scope.add(KIND, f"claim {hit}", sentence)


def payouts(
    connection: Connection,
    scope: Scope,
    system: System,
    decisions: list[Decision],
    settled: bool,
) -> None:
    """The register of payouts and the payments of the order are the same."""
    paid = {each.entry.seq: each for each in decisions if each.entry.type == "pay"}
    seqs: set[int] = set()
    for seq, *payout in ask(connection, _PAYOUTS, [system.id]):
        hit, line, part = payout[:3]
        place = f"payout of claim {hit}, line {line}, part {part}"
        payment = paid.get(seq)
        if payment is None:
            scope.add(KIND, place, f"entry {seq} paid nothing")
            continue
        if seq in seqs:
            scope.add(KIND, place, f"entry {seq} has a payout already")
        seqs.add(seq)
        if payout != _payment(payment):
            scope.add(KIND, place, f"entry {seq} says otherwise: {_payment(payment)}")
    for seq in sorted(paid.keys() - seqs) if settled else ():
        scope.add(KIND, f"entry {seq}", "it paid, and the register of payouts does not show it")


def _payment(decision: Decision) -> list[Any]:
    outcome: dict[str, Any] = decision.outcome
    which = [outcome[name] for name in ("hit", "line", "part", "seat")]
    amounts = [decision.body["parts"].get(method, 0) for method in (*METHODS, TAX)]
    return [*which, decision.entry.first, outcome["paid"], *amounts]
