"""Promise: what a house wants signed was signed by the person, with a passkey of their own.

A signature stands behind one act: an action on a claim, an agreement or approval, the registration
or endorsement of a key; payments of one claim, or invitations, may share their bytes. Those are
JSON with sorted keys and no spaces, `{"acts": [...], "at": ..., "v": 1}`; one of the acts says what
the row of the act says, down to the micro. People are in it by number, so a log-in that was renamed
since changes nothing. Their SHA-256 is the challenge that the browser names, and the key signed
what the browser says and what the device says. Nothing of it is believed from the database but the
keys themselves, and their history is held together by signatures, too: each key signed its own
registration, and each but the first of the house was endorsed with a key that signed then, by its
person or by another one whose role allowed it; what the owner endorsed instead, a remark names. A
key whose passkey ended signs nothing after that.

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
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from verifier.database.report import Report
from verifier.database.rows import Connection, System, ask
from verifier.people.role_history import RoleHistory
from verifier.people.set_up_agreements import MARGIN, agreements, roles, rules
from verifier.webauthn import acts_of, fault_of, is_signed, may_stand_beside, nameless, read, stated

KIND = "signatures"
KEYS, SET_UP = "settlement_signingkey", "settlement_setupdecision"
REGISTRATION = "registration"  # of a key, signed by itself
_OLDEST, _AHEAD = dt.timedelta(minutes=15), dt.timedelta(minutes=1)
_INSTANT = dt.timedelta(microseconds=1)
_ON_CLAIMS = ("verify", "approve", "confirm", "second_rejection", "pay")
_LARGE = ("approve", "confirm", "pay")
# What is signed where anything is: of set-up, and of the proposals of a system.
_OF_THE_RULE = ("signatures", "second_manager")
_OF_PEOPLE = (
    *("invite", "give_role", "unlock", "reset_factors", "mail_address"),
    *("new_password", "factor_demand"),
)
_DELEGATES = "delegate_claim"

_KEYS = """
    SELECT k.id, u.id, u.username, k.credential_id, k.algorithm, k.public_key, k.origin,
           k.is_first, k.at, e.at
    FROM settlement_signingkey k JOIN auth_user u ON u.id = k.person_id
    LEFT JOIN settlement_signingkeyend e ON e.key_id = k.id ORDER BY k.id
"""
_SIGNATURES = """
    SELECT s.source, s.row, u.id, u.username, s.key_id, s.statement, s.authenticator_data,
           s.client_data, s.signature, s.at
    FROM settlement_signature s JOIN auth_user u ON u.id = s.person_id ORDER BY s.id
"""
_ACTIONS = """
    SELECT a.id, a.kind, a.command, c.number, a.report_entry, a.body::text, u.id,
           u.username, a.key::text, a.at
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
_PROPOSED = """
    SELECT a.id, (
        SELECT o.key::text FROM settlement_action o
        WHERE o.claim_id = a.claim_id AND o.kind = 'propose_rejection' AND o.id < a.id
        ORDER BY o.id DESC LIMIT 1)
    FROM settlement_action a JOIN settlement_claim c ON c.id = a.claim_id
    WHERE c.system_id = %s AND a.kind = 'second_rejection'
"""
_AGREEMENTS = """
    SELECT d.source, d.id, d.act, p.kind, p.subject, p.body::text, p.key::text, u.id, u.username,
           d.at
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
_POLICIES = "SELECT casino_id, acts, at FROM settlement_signaturepolicy ORDER BY id"
_LIMITS = "SELECT casino_id, amount, at FROM settlement_secondmanagerlimit ORDER BY id"
_OWNERS = "SELECT key_id, at, by, note FROM settlement_ownerendorsement ORDER BY id"
_CASINOS = "SELECT id FROM tables_casino"
_CASINO = "SELECT casino_id FROM tables_jackpotsystem WHERE id = %s"


class _Key(NamedTuple):
    id: int
    person: int
    name: str
    credential: bytes
    algorithm: int
    public: bytes
    origin: str
    is_first: bool
    at: dt.datetime
    ended: dt.datetime | None

    @property
    def registered(self) -> dict[str, Any]:
        """The act by which its passkey was let sign."""
        return {
            "act": "register_key",
            "algorithm": self.algorithm,
            "credential": bytes(self.credential).hex(),
            "public_key": bytes(self.public).hex(),
            "origin": self.origin,
            "person": self.person,
        }

    def endorsed_by(self, person: int) -> dict[str, Any]:
        """The act of whoever endorsed it."""
        return {**self.registered, "act": "endorse_key", "of": self.person, "person": person}


class _Signature(NamedTuple):
    source: str
    row: int
    person: int
    name: str
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
    agreed = agreements(connection)
    for each in agreed:
        is_asked = house.asks_set_up(each.casino, each.kind, each.at)
        place = f"{SET_UP} {each.row} ({each.kind})"
        house.judge(SET_UP, each.row, place, each.name, each.act, is_asked)
    asks = house.asked_before
    for place, sentence in (*rules(connection, agreed, asks), *roles(connection, agreed, asks)):
        report.add(KIND, f"{place}: {sentence}")
    for system in systems:
        _acts_on_claims(connection, house, system, report)
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
        for casino, acts, at in ask(connection, _POLICIES):
            self._policies[casino].append((at, acts))
        for casino, amount, at in ask(connection, _LIMITS):
            self._limits[casino].append((at, amount))
        self._casinos = [casino for (casino,) in ask(connection, _CASINOS)]
        self._history = RoleHistory(connection)
        self._owners = {key: row for key, *row in ask(connection, _OWNERS)}
        report.counts["signatures"] += len(self._signatures)

    def keys_are_endorsed(self) -> None:
        """Since when each key signs, which signed its registration itself; the first of the house,
        and what the owner endorsed, was believed as it came."""
        firsts = [key for key in self._keys.values() if key.is_first]
        first = min(firsts, key=lambda key: key.at, default=None)
        for key in self._keys.values():
            self._is_registered(key)
            if key is first:
                self._believe(key, key.at, "is the first of the house: believed as it came")
            elif key.is_first:
                self._add(f"{KEYS} {key.id}", f"of {key.name}: it is not the first of the house")
            elif key.id in self._owners:
                at, by, note = self._owners[key.id]
                words = f"was endorsed by the owner of the database, as {by} decided ({note})"
                self._believe(key, at, words)
        endorsements = [each for each in self._signatures.values() if each.source == KEYS]
        for signature in sorted(endorsements, key=lambda each: each.at):
            endorsed = self._keys.get(signature.row)
            if endorsed is None or endorsed.id == signature.key:
                self._add(f"{KEYS} {signature.row}", "a key endorses what is no other key")
                continue
            place = f"{KEYS} {endorsed.id} of {endorsed.name}"
            if not self._history.may_endorse(signature.person, endorsed.person, signature.at):
                self._add(place, f"{signature.name} was not permitted to endorse keys of others")
            elif self._is_good(signature, place, endorsed.endorsed_by(signature.person)):
                self._signs_from[endorsed.id] = signature.at

    def _believe(self, key: _Key, at: dt.datetime, why: str) -> None:
        self._signs_from[key.id] = at
        self._report.remarks.append(
            f"the key of {key.name} {why}; its fingerprint is {fingerprint(key.public)}"
        )

    def _is_registered(self, key: _Key) -> None:
        place = f"{KEYS} {key.id} of {key.name}"
        signature = self._signatures.pop((REGISTRATION, key.id), None)
        if signature is None or signature.key != key.id:
            self._add(place, "it did not sign its registration")
        else:
            self._is_good(signature, place, key.registered)

    def judge(self, source: str, row: int, place: str, name: str, act: Any, is_asked: bool) -> None:
        """An act with its signature, or without one where the house wants it."""
        signature = self._signatures.pop((source, row), None)
        if signature is not None:
            self._is_good(signature, place, act)
        elif is_asked:
            self._add(place, f"the house wants it signed, and {name} did not sign it")

    def is_signed(self, source: str, row: int) -> bool:
        """Whether somebody signed that act."""
        return (source, row) in self._signatures

    def behind_nothing(self, codes: list[str]) -> None:
        """Signatures whose act is gone."""
        for (source, row), signature in self._signatures.items():
            acts = [act for act in acts_of(signature.statement) if isinstance(act, dict)]
            of_systems = [act["system"] for act in acts if "system" in act]
            is_ours = any(each in codes or not isinstance(each, str) for each in of_systems)
            if source != KEYS and (source == SET_UP or is_ours or not of_systems):
                self._add(
                    f"{source} {row}", f"{signature.name} signed it, and there is no such act"
                )

    def asks(self, casino: int | None, at: dt.datetime) -> str:
        """Which acts the casino wanted signed then, by what surely was decided."""
        decided = {self._policy(casino, when) for when in (at - MARGIN, at)}
        return next((acts for acts in ("none", "large") if acts in decided), "all")

    def asks_set_up(self, casino: int | None, kind: str, at: dt.datetime) -> bool:
        acts = self.asks(casino, at)
        return acts == "all" or (acts == "large" and kind in (*_OF_THE_RULE, *_OF_PEOPLE))

    def asked_before(self, casino: int | None, at: dt.datetime) -> bool:
        """Whether anything of the casino was signed before that moment."""
        return self._policy(casino, at - _INSTANT) != "none"

    def one_manager(self, casino: int, at: dt.datetime) -> int | None:
        """What one manager may confirm; the higher of what may have held."""
        held = [_newest(self._limits[casino], when) for when in (at - MARGIN, at)]
        return None if None in held else max(held)

    def _policy(self, casino: int | None, at: dt.datetime) -> str:
        signers = {
            self._keys[number].person for number, since in self._signs_from.items() if since <= at
        }
        default = "large" if len(signers) > 1 else "none"
        if casino is None:
            of_each = {_newest(self._policies[each], at) for each in self._casinos}
            decided = next((acts for acts in ("all", "large") if acts in of_each), None)
            return decided or ("none" if of_each == {"none"} else default)
        return _newest(self._policies[casino], at) or default

    def _is_good(self, signature: _Signature, place: str, act: Any) -> bool:
        fault = self._fault(signature, act)
        if fault:
            self._add(place, f"the signature of {signature.name} is not good: {fault}")
        return fault is None

    def _fault(self, signature: _Signature, act: Any) -> str | None:
        key = self._keys.get(signature.key)
        if key is None or key.person != signature.person or act["person"] != signature.person:
            return "the key, or the act, is somebody else's"
        since = self._signs_from.get(key.id)
        if signature.source != REGISTRATION and (since is None or signature.at < since):
            return "nobody had endorsed the key"
        if key.ended is not None and key.ended <= signature.at:
            return "the key had ended"
        document = stated(signature.statement)
        if document is None:
            return "its bytes are not canonical"
        acts, signed_at = document
        if act not in [nameless(each) for each in acts]:
            return "it says something else than was done"
        if len(acts) > 1 and not all(may_stand_beside(act, each) for each in acts):
            return "it says more than one act, and neither payments of one claim nor invitations"
        if not signature.at - _OLDEST <= signed_at <= signature.at + _AHEAD:
            return "it was signed at another time"
        challenge = hashlib.sha256(signature.statement.encode()).digest()
        device, client = bytes(signature.authenticator_data), bytes(signature.client_data)
        if fault := fault_of(key.origin, challenge, device, client):
            return fault
        if not is_signed(
            key.algorithm, bytes(key.public), device, client, bytes(signature.signature)
        ):
            return "the key did not sign it"
        return None

    def _add(self, place: str, sentence: str) -> None:
        self._report.add(KIND, f"{place}: {sentence}")


def _acts_on_claims(connection: Connection, house: _House, system: System, report: Report) -> None:
    ((casino,),) = ask(connection, _CASINO, [system.id])
    confirmed = _confirmed_so_far(connection, system)
    proposed = dict(ask(connection, _PROPOSED, [system.id]))
    rows = ask(connection, _ACTIONS, [system.id, list(_ON_CLAIMS)])
    for row, kind, command, claim, report, body_text, person, name, key, at in rows:
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
        names_none = kind == "second_rejection" and body != {"proposal": proposed[row]}
        if names_none and house.is_signed("settlement_action", row):
            report.add(KIND, f"{place}: it does not name the proposal that it agrees to")
        house.judge("settlement_action", row, place, name, act, is_asked)


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
    for source, row, what, kind, subject, body_text, key, person, name, at in rows:
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
        policy = house.asks(casino, at)
        is_asked = policy == "all" or (policy == "large" and kind == _DELEGATES)
        house.judge(source, row, place, name, act, is_asked)


def _newest(history: Sequence[tuple[dt.datetime, Any]], at: dt.datetime) -> Any:
    """What was decided last by then; None: nothing."""
    return next((value for when, value in reversed(history) if when <= at), None)
