"""Whom a person may administer, as the database asks it (`require_person`)."""

from __future__ import annotations

from typing import Any

from django.db import connection


def administered_by(user: Any, permission: str = "administer_people") -> set[int]:
    """The other people for whom the person has this permission in every casino where they have or
    last had a role."""
    with connection.cursor() as cursor:
        cursor.execute(_ADMINISTERED, {"who": user.pk, "permission": permission})
        return {number for (number,) in cursor.fetchall()}


# Where each person has or had a role; NULL: everywhere, or nowhere. Each place is asked for once.
_ADMINISTERED = """
    WITH places AS (
        SELECT u.id, c.casino_id FROM auth_user u
        LEFT JOIN settlement_rolechange c ON c.person_id = u.id AND c.role_id IS NOT NULL
    ), kinds AS MATERIALIZED (
        SELECT DISTINCT casino_id FROM places
    ), closed AS MATERIALIZED (
        SELECT casino_id FROM kinds WHERE NOT may_in_casino(%(who)s, %(permission)s, casino_id)
    )
    SELECT id FROM auth_user WHERE id <> %(who)s AND id NOT IN (
        SELECT id FROM places JOIN closed ON places.casino_id IS NOT DISTINCT FROM closed.casino_id)
"""
