"""Who held which role when, and what it allowed: the rows of all casinos, by time.

That they are as they were written says `verifier.people.decision_basis`.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from typing import NamedTuple

from verifier.database.rows import Connection, ask

ENDORSES = frozenset({"second_set_up", "administer_people"})
_MARGIN = dt.timedelta(seconds=10)  # what was taken a moment ago may not have been seen yet
_CHANGES = """
    SELECT person_id, role_id, casino_id, granted, until, at FROM settlement_rolechange ORDER BY id
"""
_PERMISSIONS = """
    SELECT role_id, ARRAY(SELECT jsonb_array_elements_text(permissions)), at
    FROM settlement_rolepermissions ORDER BY id
"""


class Change(NamedTuple):
    """A person got a role or lost it; `role` None: may log in or not."""

    role: int | None
    casino: int | None
    granted: bool
    until: dt.datetime | None
    at: dt.datetime


class RoleHistory:
    """Of everybody."""

    def __init__(self, connection: Connection) -> None:
        self._changes: dict[int, list[Change]] = defaultdict(list)
        for person, *change in ask(connection, _CHANGES):
            self._changes[person].append(Change(*change))
        self._allowed: dict[int, list[tuple[dt.datetime, frozenset[str]]]] = defaultdict(list)
        for role, permissions, at in ask(connection, _PERMISSIONS):
            self._allowed[role].append((at, frozenset(permissions)))
        starts = [each[0][0] for each in self._allowed.values()]
        self._start = min(starts, default=None)

    def permissions(self, role: int, at: dt.datetime) -> frozenset[str]:
        """What a role allowed then."""
        past = (each for when, each in reversed(self._allowed[role]) if when <= at)
        return next(past, frozenset())

    def held(
        self, person: int, at: dt.datetime, *, is_locked: bool = False
    ) -> dict[tuple[int, int | None], frozenset[str]]:
        """What each role in each casino (None: in all) allowed then; of who is locked out nothing,
        or, with `is_locked`, what comes back with the log-in."""
        held: dict[tuple[int, int | None], frozenset[str]] = {}
        for change in self._changes[person]:
            if change.at > at:
                continue
            if change.role is None:
                continue
            place = (change.role, change.casino)
            held.pop(place, None)
            if change.granted and (change.until is None or change.until > at):
                held[place] = self.permissions(change.role, at)
        logs = [
            each.granted for each in self._changes[person] if each.role is None and each.at <= at
        ]
        return {} if logs and not logs[-1] and not is_locked else held

    def may_endorse(self, by: int, of: int, at: dt.datetime) -> bool:
        """Whether the person might endorse a key of the other one then, by what surely was so."""
        if by == of or self._start is None or self._start > at:
            return True
        return any(self._may_endorse(by, of, when) for when in (at, at - _MARGIN))

    def _may_endorse(self, by: int, of: int, at: dt.datetime) -> bool:
        others = {casino for _, casino in self.held(of, at)}
        return bool(others) and any(
            permissions & ENDORSES and (casino is None or others == {casino})
            for (_, casino), permissions in self.held(by, at).items()
        )
