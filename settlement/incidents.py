"""Incidents on the floor (19.20): entered by staff, resolved with a note, never changed."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from settlement.errors import BadReason, KeyUsed, WrongState
from settlement.models import Incident, IncidentEnd
from settlement.people import require
from tables.models import GamingTable, JackpotSystem

LONGEST_NOTE = 1000


def report(
    system: JackpotSystem,
    user: Any,
    *,
    kind: str,
    note: str,
    happened_at: dt.datetime,
    table: GamingTable | None = None,
    key: uuid.UUID | None = None,
) -> Incident:
    """Enter an incident, at a table or of the whole system."""
    require(user, "report_incident")
    note = note.replace("\x00", "").strip()[:LONGEST_NOTE]
    if kind not in Incident.Kind:
        raise BadReason("Choose what kind of incident it was.")
    if not note:
        raise BadReason("Say what happened, and what was done at once.")
    if happened_at > timezone.now():
        raise BadReason("The time lies ahead: give the time at which it happened.")
    if table is not None and table.system_id != system.pk:
        raise BadReason("This table belongs to another system: choose its own.")
    key = key or uuid.uuid4()
    known = Incident.objects.filter(key=key).first()
    if known is not None:
        if (known.kind, known.note, known.person_id) != (kind, note, user.pk):
            raise KeyUsed("This form was sent before for something else: open the page again.")
        return known
    return Incident.objects.create(
        system=system,
        table=table,
        kind=kind,
        happened_at=happened_at,
        note=note,
        person=user,
        key=key,
    )


def resolve(incident: Incident, user: Any, note: str) -> IncidentEnd:
    """Say how an incident was resolved; it is resolved once."""
    require(user, "resolve_incident")
    note = note.replace("\x00", "").strip()[:LONGEST_NOTE]
    if not note:
        raise BadReason("Say what was done about it.")
    try:
        with transaction.atomic():
            return IncidentEnd.objects.create(incident=incident, note=note, person=user)
    except IntegrityError as error:
        raise WrongState("This incident is resolved already: nothing was changed.") from error


def incidents() -> QuerySet[Incident]:
    """All incidents, the newest first."""
    return Incident.objects.select_related("system__casino", "table", "person", "end__person")


def open_incidents() -> QuerySet[Incident]:
    """Those that nobody has resolved."""
    return incidents().filter(end=None)
