"""What people recorded of a system, as rows: actions on claims, rulings, proposals, their ends."""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from verifier.database.rows import Connection, System, ask

_ACTIONS = """
    SELECT c.number, a.kind, u.username, a.report_entry, a.command, a.body::text, a.at, r.command
    FROM settlement_action a JOIN settlement_claim c ON c.id = a.claim_id
    LEFT JOIN settlement_record r
      ON (r.source, r.row, r.system_id) = ('settlement_action', a.id, c.system_id)
    LEFT JOIN auth_user u ON u.id = a.person_id
    WHERE c.system_id = %s ORDER BY a.id
"""
_RULINGS = """
    SELECT r.command, r.kind, u.username, g.code, r.round, r.count, r.reason, r.note, r.misdeal,
           o.username
    FROM settlement_ruling r LEFT JOIN auth_user u ON u.id = r.person_id
    JOIN tables_gamingtable g ON g.id = r.table_id
    LEFT JOIN settlement_countersignature c ON c.ruling_id = r.id
    LEFT JOIN auth_user o ON o.id = c.person_id
    WHERE r.system_id = %s AND r.command IS NOT NULL ORDER BY r.id
"""
_PROPOSALS = """
    SELECT p.id, p.kind, p.body::text, u.username, p.at,
           d.agreed, d.command, o.username, d.at, c.kind
    FROM settlement_proposal p JOIN settlement_proposaldecision d ON d.proposal_id = p.id
    LEFT JOIN auth_user u ON u.id = p.person_id
    LEFT JOIN auth_user o ON o.id = d.person_id
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (p.system_id, d.command)
    WHERE p.system_id = %s ORDER BY d.id
"""


class Action(NamedTuple):
    """What a person did to a claim."""

    hit: int
    kind: str
    person: str | None
    report_entry: int | None
    command: int | None
    body: str
    at: dt.datetime
    taken_in: int | None  # by that command; `command` is the one that it queued

    @property
    def content(self) -> dict[str, Any]:
        return _object(self.body)


class Ruling(NamedTuple):
    """What one supervisor decided about a round."""

    command: int
    kind: str
    person: str | None
    table: str
    round: int | None
    rounds: int
    reason: str
    note: str
    misdeal: str
    signed: str | None  # who countersigned it


class Proposal(NamedTuple):
    """What one person proposed and somebody decided, with the command that it was decided by."""

    id: int
    kind: str
    body: str
    proposer: str | None
    proposed_at: dt.datetime
    agreed: bool
    command: int | None
    agreer: str | None
    agreed_at: dt.datetime
    command_kind: str | None


@dataclass
class Recorded:
    """What people recorded of one system. `opened`: the first entry that a table's event has."""

    actions: dict[int, list[Action]] = field(default_factory=lambda: defaultdict(list))  # by hit
    rulings: dict[int, list[Ruling]] = field(default_factory=lambda: defaultdict(list))
    proposals: dict[int, list[Proposal]] = field(default_factory=lambda: defaultdict(list))
    opened: int | None = None


def recorded(connection: Connection, system: System, opened: int | None) -> Recorded:
    """All that people recorded of a system."""
    records = Recorded(opened=opened)
    for row in ask(connection, _ACTIONS, [system.id]):
        action = Action(*row)
        records.actions[action.hit].append(action)
    for row in ask(connection, _RULINGS, [system.id]):
        ruling = Ruling(*row)
        records.rulings[ruling.command].append(ruling)
    for row in ask(connection, _PROPOSALS, [system.id]):
        proposal = Proposal(*row)
        if proposal.command is not None:
            records.proposals[proposal.command].append(proposal)
    return records


def _object(text: str) -> dict[str, Any]:
    document = json.loads(text)
    return document if isinstance(document, dict) else {}
