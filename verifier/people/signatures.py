"""Promise: what a house wants signed was signed by the person, with a passkey of their own.

A signature stands behind one act: an action on a claim, an agreement or approval, the endorsement
of a key. Its bytes are JSON with sorted keys and no spaces, `{"acts": [...], "at": ..., "v": 1}`;
one of the acts says what the row of the act says, down to the micro. Their SHA-256 is the challenge
that the browser names, and the key signed what the browser says and what the device says. Nothing
of it is believed from the database but the keys themselves, and their history is held together by
signatures, too: each key but the first of the house was endorsed with a key that signed then, by
its person or by another one (whose role allowed it says `verifier.people.permissions`). A key whose
passkey ended signs nothing after that.

Which acts a casino wants signed two people decide: none, large ones, all. Before they did, large
ones are once keys of two people signed; behind each rule of those that was made since stands an
agreement to it. Large: a claim is approved, confirmed or paid of which people confirm more than one
manager may, by the order. That the rows are as they were written says
`verifier.people.decision_basis`; their times are those of one clock, the database's.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from verifier.database.report import Report
from verifier.database.rows import Connection, System, ask
from verifier.webauthn import acts_of, fault_of, is_signed, read, stated

KIND = "signatures"
KEYS, SET_UP = "settlement_signingkey", "settlement_setupdecision"
_OLDEST, _AHEAD = dt.timedelta(minutes=15), dt.timedelta(minutes=1)
_INSTANT = dt.timedelta(microseconds=1)
_MARGIN = dt.timedelta(seconds=10)  # what was decided a moment ago may not have been seen yet
_ON_CLAIMS = ("verify", "approve", "confirm", "second_rejection", "pay")
_LARGE = ("approve", "confirm", "pay")
_OF_THE_RULE = ("signatures", "second_manager")  # set-up that is signed where anything is

_KEYS = """
    SELECT k.id, u.username, k.credential_id, k.algorithm, k.public_key, k.origin, k.is_first, k.at,
           e.at
    FROM settlement_signingkey k JOIN auth_user u ON u.id = k.person_id
    LEFT JOIN settlement_signingkeyend e ON e.key_id = k.id ORDER BY k.id
"""
_SIGNATURES = """
    SELECT s.source, s.row, u.username, s.key_id, s.statement, s.authenticator_data, s.client_data,
           s.signature, s.at
    FROM settlement_signature s JOIN auth_user u ON u.id = s.person_id ORDER BY s.id
"""
_ACTIONS = """
    SELECT a.id, a.kind, a.command, c.number, a.report_entry, a.body::text, u.username,
           a.key::text, a.at
    FROM settlement_action a JOIN settlement_claim c ON c.id = a.claim_id
    JOIN auth_user u ON u.id = a.person_id
    WHERE c.system_id = %s AND a.kind = ANY(%s) ORDER BY a.id
"""
_MOVED = """
    SELECT n.command, n.hit, CASE WHEN n.type = 'confirm_claim'
        AND jsonb_typeof(n.outcome -> 'confirmed') = 'number' THEN n.outcome ->> 'confirmed' END
    FROM jackpot_entry n
    WHERE n.system_id = %s AND n.command IS NOT NULL AND n.type IN ('confirm_claim', 'pay')
      AND NOT n.outcome ? 'refused' ORDER BY n.seq
"""
_AGREEMENTS = """
    SELECT d.source, d.id, d.act, p.kind, p.subject, p.body::text, p.key::text, u.username, d.at
    FROM (
        SELECT 'settlement_proposaldecision' AS source, id, 'agree' AS act, proposal_id, person_id,
               at FROM settlement_proposaldecision WHERE agreed
        UNION ALL
        SELECT 'settlement_proposalapproval', id, 'approve_proposal', proposal_id, person_id, at
        FROM settlement_proposalapproval
    ) AS d JOIN settlement_proposal p ON p.id = d.proposal_id
    JOIN auth_user u ON u.id = d.person_id
    WHERE p.system_id = %s ORDER BY d.source, d.id
"""
_SET_UP = """
    SELECT d.id, p.id, p.kind, p.body::text, p.casino_id, c.code, u.username, d.at
    FROM settlement_setupdecision d JOIN settlement_setupproposal p ON p.id = d.proposal_id
    LEFT JOIN tables_casino c ON c.id = p.casino_id JOIN auth_user u ON u.id = d.person_id
    WHERE d.agreed ORDER BY d.id
"""
_POLICIES = "SELECT id, casino_id, acts, at, second FROM settlement_signaturepolicy ORDER BY id"
_LIMITS = "SELECT id, casino_id, amount, at, second FROM settlement_secondmanagerlimit ORDER BY id"
_CASINO = "SELECT casino_id FROM tables_jackpotsystem WHERE id = %s"


class _Key(NamedTuple):
    id: int
    person: str
    credential: bytes
    algorithm: int
    public: bytes
    origin: str
    is_first: bool
    at: dt.datetime
    ended: dt.datetime | None

    def endorsed_by(self, person: str) -> dict[str, Any]:
        """The act of whoever endorsed it."""
        return {
            "act": "endorse_key",
            "of": self.person,
            "algorithm": self.algorithm,
            "credential": bytes(self.credential).hex(),
            "public_key": bytes(self.public).hex(),
            "origin": self.origin,
            "person": person,
        }


class _Signature(NamedTuple):
    source: str
    row: int
    person: str
    key: int
    statement: str
    authenticator_data: bytes
    client_data: bytes
    signature: bytes
    at: dt.datetime


def fingerprint(public_key: bytes | memoryview) -> str:
    """Of a key, short enough to be read out: the first 64 bits of its SHA-256."""
    digits = hashlib.sha256(bytes(public_key)).hexdigest()[:16]
    return " ".join(digits[place : place + 4] for place in range(0, 16, 4))


def signatures(connection: Connection, report: Report, systems: Sequence[System]) -> None:
    """Keys, set-up, and the acts of these systems."""
    house = _House(connection, report)
    house.keys_are_endorsed()
    agreements = list(_of_set_up(connection))
    house.rules_are_agreed(agreements)
    for casino, row, kind, person, at, act in agreements:
        is_asked = house.asks_set_up(casino, kind, at)
        house.judge(SET_UP, row, f"{SET_UP} {row} ({kind})", person, act, is_asked)
    for system in systems:
        _acts_on_claims(connection, house, system)
        _agreements(connection, house, system)
    house.behind_nothing([each.code for each in systems])


class _House:
    """Keys and policies by time, and the signatures that nothing was said of yet."""

    def __init__(self, connection: Connection, report: Report) -> None:
        self._report = report
        self._keys = {key.id: key for key in (_Key(*row) for row in ask(connection, _KEYS))}
        self._signs_from: dict[int, dt.datetime] = {}
        rows = (_Signature(*row) for row in ask(connection, _SIGNATURES))
        self._signatures = {(each.source, each.row): each for each in rows}
        self._policies: dict[int, list[tuple[dt.datetime, Any]]] = defaultdict(list)
        self._limits: dict[int, list[tuple[dt.datetime, Any]]] = defaultdict(list)
        self._rules = {
            "signatures": ("acts", ask(connection, _POLICIES)),
            "second_manager": ("amount", ask(connection, _LIMITS)),
        }
        for _, casino, acts, at, _ in self._rules["signatures"][1]:
            self._policies[casino].append((at, acts))
        for _, casino, amount, at, _ in self._rules["second_manager"][1]:
            self._limits[casino].append((at, amount))
        report.counts["signatures"] += len(self._signatures)

    def keys_are_endorsed(self) -> None:
        """Since when each key signs; the first of the house was believed as it came."""
        firsts = [key for key in self._keys.values() if key.is_first]
        first = min(firsts, key=lambda key: key.at, default=None)
        endorsements = [each for each in self._signatures.values() if each.source == KEYS]
        for key in self._keys.values():
            if key is first:
                self._signs_from[key.id] = key.at
                self._report.remarks.append(
                    f"the key of {key.person} is the first of the house: believed as it came;"
                    f" its fingerprint is {fingerprint(key.public)}"
                )
            elif key.is_first:
                self._add(f"{KEYS} {key.id}", f"of {key.person}: it is not the first of the house")
        for made in sorted(endorsements, key=lambda each: each.at):
            endorsed = self._keys.get(made.row)
            if endorsed is None or endorsed.id == made.key:
                self._add(f"{KEYS} {made.row}", "a key endorses what is no other key")
                continue
            place = f"{KEYS} {endorsed.id} of {endorsed.person}"
            if self._is_good(made, place, endorsed.endorsed_by(made.person)):
                self._signs_from[endorsed.id] = made.at

    def rules_are_agreed(self, agreements: Sequence[tuple[Any, ...]]) -> None:
        """Behind each rule that was made while acts were signed stands an agreement to it."""
        left = [
            (casino, kind, person, at, act["body"])
            for casino, _, kind, person, at, act in agreements
        ]
        for kind, (name, rows) in self._rules.items():
            for row, casino, value, at, second in rows:
                behind = next(
                    (
                        each
                        for each in left
                        if each[:3] == (casino, kind, second)
                        and abs(each[3] - at) <= _MARGIN
                        and isinstance(each[4], dict)
                        and each[4].get(name, "") == value
                    ),
                    None,
                )
                if behind is not None:
                    left.remove(behind)
                elif self._policy(casino, at - _INSTANT) != "none":
                    place = f"the rule {kind} of number {row}"
                    self._add(place, f"nobody agreed to it: {second} is named, {name} {value}")

    def judge(
        self, source: str, row: int, place: str, person: str, act: Any, is_asked: bool
    ) -> None:
        """An act with its signature, or without one where the house wants it."""
        made = self._signatures.pop((source, row), None)
        if made is not None:
            self._is_good(made, place, act)
        elif is_asked:
            self._add(place, f"the house wants it signed, and {person} did not sign it")

    def behind_nothing(self, codes: list[str]) -> None:
        """Signatures whose act is gone."""
        for (source, row), made in self._signatures.items():
            acts = [act for act in acts_of(made.statement) if isinstance(act, dict)]
            of_systems = [act["system"] for act in acts if "system" in act]
            is_ours = any(each in codes or not isinstance(each, str) for each in of_systems)
            if source != KEYS and (source == SET_UP or is_ours or not of_systems):
                self._add(f"{source} {row}", f"{made.person} signed it, and there is no such act")

    def asks(self, casino: int | None, at: dt.datetime) -> str:
        """Which acts the casino wanted signed then, by what surely was decided."""
        decided = {self._policy(casino, when) for when in (at - _MARGIN, at)}
        return next((acts for acts in ("none", "large") if acts in decided), "all")

    def asks_set_up(self, casino: int | None, kind: str, at: dt.datetime) -> bool:
        acts = self.asks(casino, at)
        return acts == "all" or (acts == "large" and kind in _OF_THE_RULE)

    def one_manager(self, casino: int, at: dt.datetime) -> int | None:
        """What one manager may confirm; the higher of what may have held."""
        held = [_newest(self._limits[casino], when) for when in (at - _MARGIN, at)]
        return None if None in held else max(held)

    def _policy(self, casino: int | None, at: dt.datetime) -> str:
        begun = {
            self._keys[number].person for number, since in self._signs_from.items() if since <= at
        }
        default = "large" if len(begun) > 1 else "none"
        if casino is None:
            newest = (_newest(each, at) for each in self._policies.values())
            return "all" if "all" in newest else default
        return _newest(self._policies[casino], at) or default

    def _is_good(self, made: _Signature, place: str, act: Any) -> bool:
        fault = self._fault(made, act)
        if fault:
            self._add(place, f"the signature of {made.person} is not good: {fault}")
        return fault is None

    def _fault(self, made: _Signature, act: Any) -> str | None:
        key = self._keys.get(made.key)
        if key is None or key.person != made.person or act["person"] != made.person:
            return "the key, or the act, is somebody else's"
        since = self._signs_from.get(key.id)
        if since is None or made.at < since:
            return "nobody had endorsed the key"
        if key.ended is not None and key.ended <= made.at:
            return "the key had ended"
        document = stated(made.statement)
        if document is None:
            return "its bytes are not canonical"
        acts, signed_at = document
        if act not in acts:
            return "it says something else than was done"
        if len(acts) > 1 and not all(_pays_of_the_same(act, each) for each in acts):
            return "it says more than one act, and not payments of one claim"
        if not made.at - _OLDEST <= signed_at <= made.at + _AHEAD:
            return "it was signed at another time"
        challenge = hashlib.sha256(made.statement.encode()).digest()
        device, client = bytes(made.authenticator_data), bytes(made.client_data)
        if fault := fault_of(key.origin, challenge, device, client):
            return fault
        if not is_signed(key.algorithm, bytes(key.public), device, client, bytes(made.signature)):
            return "the key did not sign it"
        return None

    def _add(self, place: str, sentence: str) -> None:
        self._report.add(KIND, f"{place}: {sentence}")


def _acts_on_claims(connection: Connection, house: _House, system: System) -> None:
    ((casino,),) = ask(connection, _CASINO, [system.id])
    confirmed = _confirmed_so_far(connection, system)
    rows = ask(connection, _ACTIONS, [system.id, list(_ON_CLAIMS)])
    for row, kind, command, claim, report, body_text, person, key, at in rows:
        body = read(body_text)
        act = {
            "act": kind,
            "system": system.code,
            "claim": claim,
            "report": report,
            "body": body,
            "person": person,
            "key": key,
        }
        total = _approved(body) if kind == "approve" else confirmed.get((command, claim), 0)
        acts, one_manager = house.asks(casino, at), house.one_manager(casino, at)
        is_large = kind in _LARGE and one_manager is not None and total > one_manager
        place = f"system {system.code}, claim {claim}, action {row} ({kind})"
        is_asked = acts == "all" or (acts == "large" and is_large)
        house.judge("settlement_action", row, place, person, act, is_asked)


def _confirmed_so_far(connection: Connection, system: System) -> dict[tuple[int, int], Decimal]:
    """What people had confirmed of a claim with each of its confirmations, and at each payment.

    By command and claim, of the order alone: rows of actions could say anything
    (`verifier.people.authorisation` holds them against it).
    """
    so_far: dict[int, Decimal] = defaultdict(Decimal)
    totals = {}
    for command, hit, amount in ask(connection, _MOVED, [system.id]):
        so_far[hit] += Decimal(amount or 0)
        totals[command, hit] = so_far[hit]
    return totals


def _approved(body: Any) -> int:
    """What the claim comes to with it. `verifier.people.conflicts` says that this was approved."""
    amounts = [body.get(name) for name in ("amount", "confirmed")] if isinstance(body, dict) else []
    return sum(each for each in amounts if isinstance(each, int))


def _agreements(connection: Connection, house: _House, system: System) -> None:
    ((casino,),) = ask(connection, _CASINO, [system.id])
    rows = ask(connection, _AGREEMENTS, [system.id])
    for source, row, what, kind, subject, body_text, key, person, at in rows:
        act = {
            "act": what,
            "system": system.code,
            "kind": kind,
            "subject": subject,
            "body": read(body_text),
            "proposal": key,
            "person": person,
        }
        place = f"system {system.code}, {source} {row} ({kind})"
        house.judge(source, row, place, person, act, house.asks(casino, at) == "all")


def _of_set_up(connection: Connection) -> Iterable[tuple[Any, ...]]:
    for row, proposal, kind, body_text, casino, code, person, at in ask(connection, _SET_UP):
        act = {
            "act": "agree_set_up",
            "casino": code,
            "kind": kind,
            "body": read(body_text),
            "proposal": proposal,
            "person": person,
        }
        yield casino, row, kind, person, at, act


def _pays_of_the_same(act: dict[str, Any], other: Any) -> bool:
    """Whether the other act is a payment, of the claim of this one."""
    if not isinstance(other, dict) or other.get("act") != "pay":
        return False
    return all(other.get(name) == act.get(name) for name in ("system", "claim"))


def _newest(history: Sequence[tuple[dt.datetime, Any]], at: dt.datetime) -> Any:
    """What was decided last by then; None: nothing."""
    return next((value for when, value in reversed(history) if when <= at), None)
