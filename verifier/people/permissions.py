"""Promise: whoever recorded something had the permission for it then, in that casino.

What decisions rest on is recorded row by row (`verifier.people.decision_basis`), and so is who got
or lost which role, who may log in no longer, and what a role allows. Going through the records of
a system in their order says what everybody held at each; no clock is asked. `ASKED` says what each
kind of record takes. What is one person's word at once, a suspension or its end, is asked where
its command stands among the records.

What was recorded before roles had a history, nobody can judge: a remark says how much.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask, stream

KIND = "permissions"

PermissionsByKind = Mapping[str, Sequence[str]]  # by kind ("" where there is none): one of these

_TWO: dict[str, tuple[str, str]] = {  # by kind of proposal: to propose, to agree
    "adjust_pool": ("propose_adjustment", "second_adjustment"),
    "reverse_claim": ("propose_reversal", "second_reversal"),
    "reverse_rejection": ("propose_reversal", "second_reversal"),
    "forfeit": ("propose_forfeit", "second_forfeit"),
    "resolve_dispute": ("propose_resolution", "second_resolution"),
    "lift_hold": ("propose_lift", "second_lift"),
    "put_terms": ("propose_terms", "second_terms"),
    "close_tier": ("propose_closing", "second_closing"),
    "missed_rounds": ("credit_missed", "second_missed"),
    "refuse_rounds": ("rule_round", "second_missed"),
    "move_table": ("propose_move", "second_move"),
    "settle_order": ("propose_order", "second_order"),
    "reset_boots": ("propose_boots", "second_boots"),
    "delegate_claim": ("propose_delegation", "second_delegation"),
    "close_day": ("propose_day_close", "second_day_close"),
    "close_month": ("propose_day_close", "second_day_close"),
    "release_excluded": ("propose_excluded", "second_excluded"),
    "same_player": ("propose_same_player", "second_same_player"),
}
_RULINGS = {
    "missed_rounds": "credit_missed",
    "enter_hand": "enter_hand",
    "withdraw_hand": "propose_rejection",
    **dict.fromkeys(
        ("void_round", "cancel_round", "accept_rounds", "refuse_rounds", "refuse"), "rule_round"
    ),
}
_ON_CLAIMS = {
    "amend": "amend_claim",
    "verify": "verify_claim",
    "approve": "confirm_claim",
    "confirm": "confirm_claim",
    "propose_rejection": "propose_rejection",
    "withdraw_rejection": "propose_rejection",
    "second_rejection": "second_rejection",
    "pay": "pay_claim",
    "withhold": "withhold_payment",
    "release": "withhold_payment",
    "unclaimed": "book_unclaimed",
    "dispute": "open_dispute",
    "hold_claim": "place_hold",
    **dict.fromkeys(("name_round", "separate_hand", "unpair_hand"), "enter_hand"),
}


def _one(permissions: Mapping[str, str]) -> PermissionsByKind:
    return {kind: (permission,) for kind, permission in permissions.items()}


def _any(*permissions: str) -> PermissionsByKind:
    return {"": permissions}


# By source and the column that names the person.
REQUIRED_PERMISSIONS: dict[str, dict[str, PermissionsByKind]] = {
    "settlement_action": {"person_id": _one(_ON_CLAIMS)},
    "settlement_checkanswer": {"person_id": _any("verify_claim")},
    "settlement_decktick": {"person_id": _any("verify_claim")},
    "settlement_footage": {"person_id": _any("add_footage")},
    "settlement_note": {"person_id": _any("add_note")},
    "settlement_attachment": {"person_id": _any("add_attachment")},
    "settlement_identification": {"person_id": _any("add_identification")},
    "settlement_sharer": {"person_id": _any("add_identification")},
    "settlement_identificationlook": {"person_id": _any("view_identification")},
    "settlement_exclusionimport": {"person_id": _any("import_exclusions")},
    "settlement_exclusionend": {"person_id": _any("import_exclusions")},
    "settlement_exclusionlook": {"person_id": _any("view_exclusions")},
    "settlement_exclusionstop": {"person_id": _any("import_exclusions")},
    "settlement_bundleexport": {"person_id": _any("export_bundle")},
    "settlement_slipprint": {"person_id": _any("print_slip")},
    "settlement_formfiling": {"person_id": _any("file_form")},
    "settlement_filingfile": {"person_id": _any("file_form")},
    "settlement_proposal": {"person_id": _one({kind: each[0] for kind, each in _TWO.items()})},
    "settlement_proposaldecision": {
        "person_id": {
            f"{kind}{how}": (each,)
            for kind, both in _TWO.items()
            for how, each in zip((", withdrawn", ", agreed"), both, strict=True)
        }
    },
    "settlement_proposalapproval": {"person_id": _any("second_adjustment")},
    "settlement_retypedfigures": {"person_id": _any("propose_terms", "second_terms")},
    "settlement_asideproposal": {"person_id": _any("propose_aside")},
    "jackpot_setaside": {"first": _any("propose_aside"), "second": _any("second_aside")},
    "settlement_ruling": {"person_id": _one(_RULINGS)},
    "settlement_countersignature": {
        "person_id": _one({"missed_rounds": "countersign_missed", "enter_hand": "rule_round"})
    },
    "settlement_incident": {"person_id": _any("report_incident", "second_aside")},
    "settlement_incidentend": {"person_id": _any("resolve_incident")},
    "settlement_moneycount": {
        "person_id": _one({"count_drop": "count_drop", "enter_balance": "enter_balance"})
    },
    "settlement_taxremittance": {"person_id": _any("remit_tax")},
    "settlement_findingstep": {
        "person_id": _one(
            dict.fromkeys(("take", "explain"), "explain_finding")
            | dict.fromkeys(("sign", "return"), "sign_finding")
        )
    },
    "settlement_staffplay": {"said_by_id": _any("view_claim")},
    "settlement_staffplayword": {"person_id": _any("view_claim")},
    "settlement_staffplayend": {"said_by_id": _any("view_claim")},
    "settlement_handover": {
        "outgoing_id": _any("verify_claim", "confirm_claim"),
        "incoming_id": _any("verify_claim", "confirm_claim"),
    },
    "tables_closedgap": {"closed_by": _any("close_gap")},
    "tables_alarm": {"cleared_by": _any("clear_alarm")},
}
_WITHOUT_PERSON = ("settlement_incident", "settlement_bundleexport")  # the console's, the server's
_COMMANDS = {"suspend": "suspend_jackpot", "resume": "suspend_jackpot"}
_CAPACITIES = {
    "manager": frozenset({"confirm_claim", "second_rejection"}),
    "supervisor": frozenset({"verify_claim"}),
}
_NAMES_KIND = (
    *("settlement_action", "settlement_proposal", "settlement_ruling"),
    *("settlement_moneycount", "settlement_findingstep"),
)

_RECORDS = """
    SELECT source, row, command, said FROM settlement_record WHERE system_id = %s ORDER BY id
"""
_ALONE = """
    SELECT number, kind, first FROM jackpot_command
    WHERE system_id = %s AND kind = ANY(%s) ORDER BY number
"""


def permitted(connection: Connection, scope: Scope, system: System) -> None:
    """Everybody whom a record of the system names was permitted what it says, when it was made."""
    people = dict(ask(connection, "SELECT id, username FROM auth_user", []))
    roles = _Roles(scope, people)
    alone = ask(connection, _ALONE, [system.id, list(_COMMANDS)])
    for source, row, command, content in stream(connection, _RECORDS, [system.id]):
        while alone and (command is None or alone[0][0] < command):
            roles.command(*alone.pop(0))
        roles.record(source, row, json.loads(content))
    for each in alone:
        roles.command(*each)
    if roles.before:
        scope.report.remarks.append(
            f"system {system.code}: {roles.before} records are from before roles had a history:"
            " who was permitted them nobody can say"
        )


class _Roles:
    """What everybody holds, at the place among the records that was reached."""

    def __init__(self, scope: Scope, people: dict[int, str]) -> None:
        self._scope, self._people = scope, people
        self._numbers = {name: number for number, name in people.items()}
        self._allowed: dict[int, frozenset[str]] = {}  # by role
        self._held: dict[int, set[tuple[int, int | None]]] = defaultdict(set)  # role and casino
        self._out: set[int] = set()  # may not log in
        self._kinds: dict[tuple[str, int], str] = {}
        self._delegations: dict[int, dict[str, Any]] = {}  # delegations that were proposed
        self._claims: dict[int, int] = {}  # numbers, by id
        self._delegated: dict[tuple[str, int], frozenset[str]] = {}  # by log-in and claim
        self._is_begun = False
        self.before = 0

    def record(self, source: str, row: int, content: dict[str, Any]) -> None:
        if source == "settlement_rolepermissions":
            self._allowed[content["role_id"]] = frozenset(content["permissions"])
            self._is_begun = True
        elif source == "settlement_rolechange":
            self._change(content)
            self._is_begun = True
        elif source == "settlement_claim":
            self._claims[row] = content["number"]
        for column, permissions in REQUIRED_PERMISSIONS.get(source, {}).items():
            if content[column] is None and source in _WITHOUT_PERSON:
                continue
            if source == "settlement_exclusionend" and content["origin_id"] is not None:
                continue  # the word of who imported the list, which is asked there
            kind = self._kind(source, content)
            if not self._is_begun:
                self.before += 1
            elif kind not in permissions:
                self._add(source, row, kind, "this verifier knows nobody who may")
            elif not any(self._may(content, column, each) for each in permissions[kind]):
                who = self._name(content[column])
                self._add(source, row, kind, f"{who} was not permitted it ({permissions[kind][0]})")
        self._keep(source, row, content)

    def command(self, number: int, kind: str, first: str) -> None:
        person = self._numbers.get(first)
        if not self._is_begun:
            self.before += 1
        elif person is None or _COMMANDS[kind] not in self._permissions(person):
            sentence = f"{first} was not permitted it ({_COMMANDS[kind]})"
            self._scope.add(KIND, f"command {number} ({kind})", sentence)

    def _change(self, content: dict[str, Any]) -> None:
        person, role = content["person_id"], content["role_id"]
        if role is None:
            (self._out.discard if content["granted"] else self._out.add)(person)
        elif content["granted"]:
            self._held[person].add((role, content["casino_id"]))
        else:
            self._held[person].discard((role, content["casino_id"]))

    def _permissions(self, person: int) -> frozenset[str]:
        if person in self._out:
            return frozenset()
        roles = {role for role, _ in self._held[person]}
        return frozenset().union(*(self._allowed.get(role, ()) for role in roles))

    def _may(self, content: dict[str, Any], column: str, permission: str) -> bool:
        number = content[column]
        person = number if isinstance(number, int) else self._numbers.get(number)
        if person is None:
            return False
        claim = self._claims.get(content.get("claim_id", 0), 0)
        delegation = self._delegated.get((self._people.get(person, ""), claim), frozenset())
        delegated = delegation if person not in self._out else frozenset()
        return permission in self._permissions(person) | delegated

    def _kind(self, source: str, content: dict[str, Any]) -> str:
        if source in _NAMES_KIND:
            return str(content["kind"])
        if source == "settlement_proposaldecision":
            kind = self._kinds.get(("settlement_proposal", content["proposal_id"]), "unknown")
            return f"{kind}, agreed" if content["agreed"] else f"{kind}, withdrawn"
        if source == "settlement_countersignature":
            return self._kinds.get(("settlement_ruling", content["ruling_id"]), "unknown")
        return ""

    def _keep(self, source: str, row: int, content: dict[str, Any]) -> None:
        """What later records lean on."""
        if source in _NAMES_KIND:
            self._kinds[source, row] = content["kind"]
        if source == "settlement_proposal" and content["kind"] == "delegate_claim":
            self._delegations[row] = content["body"]
        elif source == "settlement_proposaldecision" and content["agreed"]:
            body = self._delegations.get(content["proposal_id"])
            if body is not None:
                place = (body["person"], body["hit"])
                rights = self._delegated.get(place, frozenset())
                self._delegated[place] = rights | _CAPACITIES[body["capacity"]]

    def _name(self, person: int | str) -> str:
        return self._people.get(person, f"person {person}") if isinstance(person, int) else person

    def _add(self, source: str, row: int, kind: str, sentence: str) -> None:
        place = f"{source} {row} ({kind})" if kind else f"{source} {row}"
        self._scope.add(KIND, place, sentence)
