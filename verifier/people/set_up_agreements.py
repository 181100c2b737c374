"""Behind each rule about signing, each role that agrees and each log-in that was opened again
stands an agreement, once anything is signed. That it is signed says `verifier.people.signatures`.

What the owner of the database did by a command has none, and is named.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from verifier.database.rows import Connection, ask
from verifier.people.role_history import ENDORSES, RoleHistory
from verifier.webauthn import read

MARGIN = dt.timedelta(seconds=10)  # what was decided a moment ago may not have been seen yet
_INVITED_FOR = dt.timedelta(hours=72)  # that a link opens
_AGREED = """
    SELECT d.id, p.id, p.kind, p.body::text, p.casino_id, c.code, u.id, u.username, d.at
    FROM settlement_setupdecision d JOIN settlement_setupproposal p ON p.id = d.proposal_id
    LEFT JOIN tables_casino c ON c.id = p.casino_id JOIN auth_user u ON u.id = d.person_id
    WHERE d.agreed ORDER BY d.id
"""
_RULES = {
    "signatures": (
        "acts",
        "SELECT id, casino_id, acts, at, second FROM settlement_signaturepolicy ORDER BY id",
    ),
    "second_manager": (
        "amount",
        "SELECT id, casino_id, amount, at, second FROM settlement_secondmanagerlimit ORDER BY id",
    ),
}
_NAMES = """
    SELECT u.id, u.username FROM auth_user u
    UNION SELECT u.id, x.before ->> 'username' FROM settlement_setupchange x
    JOIN auth_user u ON u.username = x.after ->> 'username' OR u.username = x.subject
    WHERE x.kind = 'person' AND x.before ? 'username'
"""
# A role comes back with the group at the log-in provider that took it, and no other way: then it is
# the grant of before, whose agreement is looked for there.
_GRANTS = """
    SELECT c.id, c.person_id, u.username, u.date_joined, c.role_id, g.name, c.casino_id, c.by, c.at
    FROM (
        SELECT *, coalesce(
            role_id IS NOT NULL AND by = 'the log-in provider'
            AND lag(by) OVER w = 'the log-in provider' AND NOT lag(granted) OVER w
            AND lag(granted, 2) OVER w AND until IS NOT DISTINCT FROM lag(until, 2) OVER w,
            false) AS is_back
        FROM settlement_rolechange
        WINDOW w AS (PARTITION BY person_id, role_id, casino_id ORDER BY id)
    ) c JOIN auth_user u ON u.id = c.person_id
    LEFT JOIN auth_group g ON g.id = c.role_id WHERE c.granted AND NOT c.is_back ORDER BY c.id
"""
Finding = tuple[str, str]  # the place, and a sentence
Asks = Callable[[int | None, dt.datetime], bool]


class Agreement(NamedTuple):
    """A second person agreed to something of set-up."""

    row: int
    kind: str
    casino: int | None
    person: int
    name: str
    at: dt.datetime
    act: dict[str, Any]

    @property
    def body(self) -> dict[str, Any]:
        """What was proposed."""
        body = self.act["body"]
        return body if isinstance(body, dict) else {}


def agreements(connection: Connection) -> list[Agreement]:
    """All of them, the oldest first."""
    return [
        Agreement(
            *(row, kind, casino, person, name, at),
            {
                "act": "agree_set_up",
                "casino": code,
                "kind": kind,
                "body": read(body),
                "proposal": proposal,
                "person": person,
            },
        )
        for row, proposal, kind, body, casino, code, person, name, at in ask(connection, _AGREED)
    ]


def rules(connection: Connection, agreed: Sequence[Agreement], asks: Asks) -> Iterator[Finding]:
    """Rules that nobody agreed to, of those made while acts were signed (`asks`)."""
    names = set(ask(connection, _NAMES))  # a log-in may have been renamed since
    left = list(agreed)
    for kind, (name, query) in _RULES.items():
        for row, casino, value, at, second in ask(connection, query):
            facts = (kind, casino, name, value, at, second)
            behind = _first(left, [each for each in left if _is_rule(each, names, *facts)])
            if behind is None and asks(casino, at):
                sentence = f"nobody agreed to it: {second} is named, {name} {value}"
                yield f"the rule {kind} of number {row}", sentence


def _is_rule(each: Agreement, names: set[tuple[int, str]], *facts: Any) -> bool:
    kind, casino, name, value, at, second = facts
    is_it = (each.kind, each.casino) == (kind, casino) and (each.person, second) in names
    return is_it and abs(each.at - at) <= MARGIN and bool(each.body.get(name, "") == value)


def roles(connection: Connection, agreed: Sequence[Agreement], asks: Asks) -> Iterator[Finding]:
    """Roles that agree or endorse, and log-ins of those who have one, that nobody agreed to."""
    history = RoleHistory(connection)
    names = set(ask(connection, _NAMES))
    left = list(agreed)
    for row, person, username, joined, role, name, casino, by, at in ask(connection, _GRANTS):
        if role is None:
            held = history.held(person, at, is_locked=True)
            places = {place for (_, place), each in held.items() if _agrees(each)}
            matches = [each for each in left if _opens(each, person, at)]
            place = f"the log-in of {username}, opened again (number {row})"
        else:
            places = {casino} if _agrees(history.permissions(role, at)) else set()
            grant = (person, joined, role, casino, at)
            matches = [each for each in left if _gives(each, names, *grant)]
            place = f"the role {name} of {username} (number {row})"
        behind = _first(left, matches)
        if behind is None and any(asks(each, at) for each in places):
            yield place, f"nobody agreed to it: {by} is named"


def _agrees(permissions: frozenset[str]) -> bool:
    seconds = any(each.startswith("second_") for each in permissions)
    return seconds or bool(permissions & ENDORSES) or "confirm_claim" in permissions


def _opens(each: Agreement, person: int, at: dt.datetime) -> bool:
    return (each.kind, each.body.get("person")) == ("unlock", person) and abs(
        each.at - at
    ) <= MARGIN


def _gives(each: Agreement, names: set[tuple[int, str]], *grant: Any) -> bool:
    """The role that was proposed, or that of an invitation which made this person."""
    person, joined, role, casino, at = grant
    if (each.casino, each.body.get("role")) != (casino, role):
        return False
    if each.kind == "give_role":
        return bool(each.body.get("person") == person) and abs(each.at - at) <= MARGIN
    is_theirs = each.kind == "invite" and (person, each.body.get("username")) in names
    is_then = at <= joined + MARGIN and -MARGIN <= at - each.at <= _INVITED_FOR + MARGIN
    return is_theirs and is_then


def _first(left: list[Agreement], matches: Sequence[Agreement]) -> Agreement | None:
    """The first that is it, which stands behind nothing else."""
    if not matches:
        return None
    left.remove(matches[0])
    return matches[0]
