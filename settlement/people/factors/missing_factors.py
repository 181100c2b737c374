"""Who has a role that needs a second factor, and none: by role, for check-up, metric and alarm."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

from django.conf import settings
from django.db import connection

from settlement.people.factors.demand import LOOKS_ON
from settlement.people.rights.role_holders import HELD

LATE_AFTER = dt.timedelta(days=7)  # since somebody got a role
# As `demand.by_role` has it, in one query.
_LACKING = f"""
    SELECT g.name, count(DISTINCT h.person) FROM ({HELD}) AS h
    JOIN auth_group g ON g.id = h.role
    LEFT JOIN (
        SELECT DISTINCT ON (role_id) role_id, demanded FROM settlement_factordemand
        ORDER BY role_id, id DESC
    ) AS asked ON asked.role_id = h.role
    WHERE %(SECOND_FACTOR_DEMANDED)s
      AND coalesce(asked.demanded, NOT h.permissions <@ '{json.dumps(sorted(LOOKS_ON))}'::jsonb)
      AND NOT EXISTS (
          SELECT FROM settlement_secondfactor f WHERE f.person_id = h.person AND f.ended_at IS NULL)
"""  # noqa: S608 - of constants
BY_ROLE = f"{_LACKING} GROUP BY g.name"
_LATE = f"""
    {_LACKING} AND NOT EXISTS (
        SELECT FROM settlement_rolechange c WHERE c.person_id = h.person AND c.at > %(since)s)
    GROUP BY g.name
"""


def by_role() -> dict[str, int]:
    """How many people of each role that needs a factor have none."""
    return _counted(BY_ROLE)


def late_by_role(now: dt.datetime) -> dict[str, int]:
    """Of these who got their last role more than seven days ago."""
    return _counted(_LATE, since=now - LATE_AFTER)


def _counted(statement: str, **values: dt.datetime) -> dict[str, int]:
    names: dict[str, Any] = {
        "SECOND_FACTOR_DEMANDED": settings.SECOND_FACTOR_DEMANDED,
        **values,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, names)
        return dict(cursor.fetchall())
