"""Promise: nobody decides or pays alone.

Terms, confirmations, rejections, reversals, forfeits and adjustments name two people. Behind what
is decided about a claim stand the acts of these very people: a verification and a confirmation of
the same report, a proposal and an agreement. Who amended, verified, confirmed and paid one claim
are different people. A payout of the register has its payment in the order, of a claim confirmed
before it: the same part of the same line in the same chips, cash and cash equivalent; each payment
has one payout.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from verifier.fold.folding import Decision
from verifier.fold.payees import METHODS
from verifier.report import Scope
from verifier.rows import Connection, System, ask

KIND = "people"
TWO = frozenset({"put_terms", "confirm_claim", "reject_claim"})
TWO |= {"reverse_claim", "forfeit", "adjust_pool", "resolve_dispute", "lift_hold"}
TWO |= {"close_tier", "move_table", "receive_table", "settle_order"}
ROLES = ("amend", "verify", "approve", "confirm", "pay")

_ACTS = """
    SELECT a.id, c.number, a.kind, u.username, a.report_entry, a.command
    FROM settlement_act a JOIN settlement_claim c ON c.id = a.claim_id
    JOIN auth_user u ON u.id = a.person_id
    WHERE c.system_id = %s ORDER BY a.id
"""
_RULINGS = """
    SELECT r.command, r.kind, u.username, g.code, r.round, r.count
    FROM settlement_ruling r JOIN auth_user u ON u.id = r.person_id
    JOIN tables_gamingtable g ON g.id = r.table_id
    WHERE r.system_id = %s AND r.command IS NOT NULL
"""
_MISSED = """
    SELECT d.command, p_user.username, d_user.username
    FROM settlement_proposal p JOIN settlement_proposaldecision d ON d.proposal_id = p.id
    JOIN auth_user p_user ON p_user.id = p.person_id
    JOIN auth_user d_user ON d_user.id = d.person_id
    WHERE p.system_id = %s AND p.kind = 'missed_rounds' AND d.agreed
"""
_PAYOUTS = """
    SELECT p.entry_seq, c.number, p.line, p.part, p.seat, p.cashier, p.amount, p.chips, p.cash,
           p.equivalent
    FROM settlement_payout p JOIN settlement_claim c ON c.id = p.claim_id
    WHERE c.system_id = %s ORDER BY p.id
"""


@dataclass(frozen=True, slots=True)
class Act:
    """What a person did to a claim."""

    id: int
    hit: int
    kind: str
    person: str
    report_entry: int | None
    command: int | None


def two_people(scope: Scope, decisions: list[Decision]) -> None:
    """Each decision that takes two people names two."""
    for decision in decisions:
        entry = decision.entry
        if entry.type in TWO and (not entry.first or not entry.second):
            scope.add(KIND, f"entry {entry.seq}", f"{entry.type} names one person alone")


def acts(connection: Connection, scope: Scope, system: System, decisions: list[Decision]) -> None:
    """Behind each decision stand the acts of the people that it names."""
    done: dict[int, list[Act]] = defaultdict(list)
    for row in ask(connection, _ACTS, [system.id]):
        act = Act(*row)
        done[act.hit].append(act)
    entered = {
        each.told["hit"]: each.entry.first or ""
        for each in decisions
        if each.entry.type == "enter_hand"
    }
    for hit, found in done.items():
        _differ(scope, hit, found, entered.get(hit))
    for decision in decisions:
        entry = decision.entry
        if entry.type in _BEHIND:
            missing = _BEHIND[entry.type](decision, done[decision.told["hit"]])
            if missing:
                scope.add(KIND, f"entry {entry.seq}", f"{entry.type} without {missing}")


def rulings(
    connection: Connection, scope: Scope, system: System, decisions: list[Decision]
) -> None:
    """Behind what one supervisor decided about rounds stands that ruling; behind the rest two."""
    ruled = {command: row for command, *row in ask(connection, _RULINGS, [system.id])}
    agreed = {command: row for command, *row in ask(connection, _MISSED, [system.id])}
    for decision in decisions:
        entry = decision.entry
        if entry.type not in ("void_round", "cancel_round", "missed_rounds", "enter_hand"):
            continue
        body = decision.body
        if entry.second is not None:
            found = agreed.get(entry.command) == [entry.first, entry.second]
        else:
            named = body.get("round"), body.get("count", 0)
            kind, who, table, round_, count = ruled.get(entry.command, [None] * 5)
            found = (kind, who, table) == (entry.type, entry.first, body["table"])
            found = found and (round_ if named[0] else None, count) == named
        if not found:
            scope.add(KIND, f"entry {entry.seq}", f"{entry.type} without the ruling behind it")


def _differ(scope: Scope, hit: int, found: list[Act], recorder: str | None) -> None:
    roles = {} if recorder is None else {recorder: "amend"}  # who entered it wrote the report
    for act in found:
        if act.kind not in ROLES:
            continue
        before = roles.setdefault(act.person, act.kind)
        if before != act.kind:
            sentence = f"{act.person} did both: {before} and {act.kind}"
            scope.add(KIND, f"claim {hit}", sentence)


def _amended(decision: Decision, found: list[Act]) -> str | None:
    return _by_command(decision, found, "amend", decision.entry.first)


def _confirmed(decision: Decision, found: list[Act]) -> str | None:
    report = decision.body["report_entry"]
    for act in found:
        if (act.kind, act.person, act.report_entry) == ("verify", decision.entry.first, report):
            return _by_command(decision, found, "confirm", decision.entry.second)
    return f"a verification of that report by {decision.entry.first}"


def _rejected(decision: Decision, found: list[Act]) -> str | None:
    proposed = [act for act in found if act.kind == "propose_rejection"]
    if not any(act.person == decision.entry.first for act in proposed):
        return f"a proposal by {decision.entry.first}"
    return _by_command(decision, found, "second_rejection", decision.entry.second)


def _paid(decision: Decision, found: list[Act]) -> str | None:
    return _by_command(decision, found, "pay", decision.entry.first)


def _stopped(decision: Decision, found: list[Act]) -> str | None:
    return _by_command(decision, found, decision.entry.type, decision.entry.first)


def _by_command(decision: Decision, found: list[Act], kind: str, who: str | None) -> str | None:
    """The act that queued the command is of that kind and that person."""
    for act in found:
        if (act.command, act.kind, act.person) == (decision.entry.command, kind, who):
            return None
    return f"the act of {who} that it names"


_BEHIND = {
    "amend_hand": _amended,
    "confirm_claim": _confirmed,
    "reject_claim": _rejected,
    "pay": _paid,
    "dispute": _stopped,
    "hold_claim": _stopped,
    "name_round": _stopped,
    "separate_hand": _stopped,
    "unpair_hand": _stopped,
}


def payouts(
    connection: Connection,
    scope: Scope,
    system: System,
    decisions: list[Decision],
    settled: bool,
) -> None:
    """The register of payouts and the payments of the order are the same."""
    paid = {each.entry.seq: each for each in decisions if each.entry.type == "pay"}
    seen: set[int] = set()
    for seq, *payout in ask(connection, _PAYOUTS, [system.id]):
        hit, line, part = payout[:3]
        place = f"payout of claim {hit}, line {line}, part {part}"
        payment = paid.get(seq)
        if payment is None:
            scope.add(KIND, place, f"entry {seq} paid nothing")
            continue
        if seq in seen:
            scope.add(KIND, place, f"entry {seq} has a payout already")
        seen.add(seq)
        if payout != _payment(payment):
            scope.add(KIND, place, f"entry {seq} says otherwise: {_payment(payment)}")
    for seq in sorted(paid.keys() - seen) if settled else ():
        scope.add(KIND, f"entry {seq}", "it paid, and the register of payouts does not show it")


def _payment(decision: Decision) -> list[Any]:
    told: dict[str, Any] = decision.told
    which = [told[name] for name in ("hit", "line", "part", "seat")]
    given = [decision.body["parts"].get(method, 0) for method in METHODS]
    return [*which, decision.entry.first, told["paid"], *given]
