"""Incidents on the floor (19.20): entered by staff or found in the order, resolved with a note.

Nothing of them is ever changed.
"""

from __future__ import annotations

import datetime as dt
import json
import uuid
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.labels.figures import write_exact
from settlement.core import guards
from settlement.core.errors import USED, BadReason, KeyUsed
from settlement.core.input import required_text
from settlement.models import Incident, IncidentEnd
from settlement.people.rights.permissions import require
from tables.models import Casino, GamingTable, JackpotSystem

LONGEST_NOTE = 1000
ENTERED = {kind.value: kind.label for kind in Incident.Kind if kind != Incident.Kind.FIGURES}

# Rounds whose unit contradicted what a supervisor had credited (19.19), without an incident so far.
_DIFFERING = """
    SELECT r.system_id, r.table_id, r.round, r.differs, e.at, e.outcome -> 'figures'
    FROM jackpot_roundstate r
    JOIN jackpot_entry e ON (e.system_id, e.seq) = (r.system_id, r.differs)
    WHERE r.differs IS NOT NULL AND NOT EXISTS (
        SELECT FROM settlement_incident i WHERE (i.system_id, i.entry) = (r.system_id, r.differs))
    ORDER BY r.system_id, r.differs
"""


@dataclass(frozen=True, slots=True)
class IncidentReport:
    """What a person says of an incident; without a table it is one of the whole system."""

    kind: str
    note: str
    happened_at: dt.datetime
    table: GamingTable | None = None


def report(
    system: JackpotSystem, user: Any, incident: IncidentReport, key: uuid.UUID | None = None
) -> Incident:
    """Enter an incident, at a table or of the whole system."""
    require(user, "report_incident", system)
    kind, happened_at, table = incident.kind, incident.happened_at, incident.table
    if kind not in ENTERED:
        raise BadReason(_("Choose what kind of incident it was."))
    note = required_text(
        incident.note, _("Describe what happened and what was done at once."), LONGEST_NOTE
    )
    if happened_at > timezone.now():
        raise BadReason(_("This time is in the future: enter the time at which it happened."))
    if table is not None and table.system_id != system.pk:
        raise BadReason(_("This table belongs to another system: choose its own."))
    key = key or uuid.uuid4()
    row = Incident.objects.filter(key=key).first()
    if row is not None:
        where = (system.pk, table.pk if table is not None else None)
        content = (
            row.system_id,
            row.table_id,
            row.happened_at,
            row.kind,
            row.note,
        )
        if content != (*where, happened_at, kind, note) or row.person_id != user.pk:
            raise KeyUsed(USED)
        return row
    with guards.in_words():
        return Incident.objects.create(
            system=system,
            table=table,
            kind=kind,
            happened_at=happened_at,
            note=note,
            person=user,
            key=key,
        )


def find_in_the_order() -> int:
    """Open an incident for each round whose figures differ and that has none. Idempotent."""
    with connection.cursor() as cursor:
        cursor.execute(_DIFFERING)
        rows = cursor.fetchall()
    if not rows:
        return 0
    systems = JackpotSystem.objects.select_related("casino").in_bulk({row[0] for row in rows})
    incident_rows = [
        Incident(
            system_id=system,
            table_id=table,
            kind=Incident.Kind.FIGURES,
            happened_at=at,
            note=_differs_words(systems[system].casino, number, entry, json.loads(figures)),
            entry=entry,
            key=uuid.uuid4(),
        )
        for system, table, number, entry, at, figures in rows
    ]
    return len(Incident.objects.bulk_create(incident_rows, ignore_conflicts=True))


def _differs_words(
    casino: Casino, number: int, entry: int, figures: dict[str, list[int | None]]
) -> str:
    def amount_text(what: str, amount: int | None) -> str:
        if amount is None:
            return _("not given")
        return str(amount) if what == "players" else write_exact(amount, casino.minor_digits)

    pairs = [
        _("%(what)s %(written)s credited, %(written_2)s reported")
        % {
            "what": what,
            "written": amount_text(what, credited),
            "written_2": amount_text(what, unit_figure),
        }
        for what, (credited, unit_figure) in figures.items()
    ]
    return _(
        "Round %(number)s: what its unit reported later (entry %(entry)s)"
        " differs from what was credited. %(pairs)s. The difference was posted."
    ) % {"number": number, "entry": entry, "pairs": "; ".join(pairs).capitalize()}


def resolve(incident: Incident, user: Any, note: str) -> IncidentEnd:
    """Say how an incident was resolved; it is resolved once."""
    require(user, "resolve_incident", incident.system)
    note = required_text(note, _("Enter what was done about it."), LONGEST_NOTE)
    with guards.in_words():
        return IncidentEnd.objects.create(incident=incident, note=note, person=user)


def incidents() -> QuerySet[Incident]:
    """All incidents, the newest first."""
    return Incident.objects.select_related("system__casino", "table", "person", "end__person")


def open_incidents() -> QuerySet[Incident]:
    """Those that nobody has resolved."""
    return incidents().filter(end=None)
