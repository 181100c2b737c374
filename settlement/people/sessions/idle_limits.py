"""After how long without a touch a person's screen locks: by their roles, as two people decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import connection

LEAST, MOST = 1, 240  # minutes
# Before anybody decided: those who move money or people have the shortest.
DEFAULT_MINUTES: Mapping[str, int] = {
    "Game supervisor": 15,
    "Casino manager": 10,
    "Cashier": 10,
    "Surveillance": 20,
    "Compliance": 20,
    "Administrator": 10,
}
SHORTEST = min(DEFAULT_MINUTES.values())

# By role and casino in which a person holds it, what was decided last.
_DECIDED = """
    SELECT g.name, l.minutes
    FROM roles_held(%s) h
    JOIN auth_group g ON g.id = h.role
    LEFT JOIN tables_casino c ON h.casino IS NULL OR c.id = h.casino
    LEFT JOIN LATERAL (
        SELECT minutes FROM settlement_idlelimit
        WHERE casino_id = c.id AND role_id = h.role ORDER BY id DESC LIMIT 1
    ) l ON true
"""


def seconds_for(person: Any) -> float:
    """The shortest of all that the person's roles say."""
    with connection.cursor() as cursor:
        cursor.execute(_DECIDED, [person.pk])
        minutes = [
            decided or DEFAULT_MINUTES.get(role, SHORTEST) for role, decided in cursor.fetchall()
        ]
    return 60.0 * min(minutes, default=SHORTEST)
