"""Reports that are due whenever a gaming day or a month is closed."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.validators import validate_email
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.closing.closes import closes
from settlement.core.errors import WrongState
from settlement.core.gaming_day import Month
from settlement.models import ReportExport, ReportSchedule
from settlement.people.permissions import require
from settlement.reports.definition import Definition, Filters
from settlement.reports.delivery import FOLDER, has_folders
from settlement.reports.exports import formats
from tables.models import Casino


@dataclass(frozen=True, slots=True)
class Plan:
    """When a report is made, as which files, and where they go besides the console.

    `mail`: addresses, apart by blanks or commas. `folder`: within DELIVERY_DIR, or empty.
    """

    moment: str
    formats: Sequence[str]
    mail: str = ""
    folder: str = ""


def add(definition: Definition, filters: Filters, plan: Plan, user: Any) -> ReportSchedule:
    """From the next close on. ValidationError for an address that is none."""
    for system in filters.systems:
        require(user, "export_reports", system)
        require(user, definition.permission, system)
    chosen = [name for name in formats() if name in plan.formats]
    if not chosen:
        raise WrongState(_("Choose at least one kind of file."))
    addresses = plan.mail.replace(",", " ").split()
    for each in addresses:
        validate_email(each)
    folder = plan.folder.strip().strip("/")
    if folder and not has_folders():
        raise WrongState(_("No folder is set up: technical support sets DELIVERY_DIR."))
    if folder and FOLDER.fullmatch(folder) is None:
        raise WrongState(
            _("Name the folder in small letters, digits and hyphens: regulator/monthly.")
        )
    return ReportSchedule.objects.create(
        casino=filters.casino,
        report=definition.code,
        moment=plan.moment,
        filters={name: text for name, text in filters.codes.items() if text},
        formats=chosen,
        mail_to="\n".join(addresses),
        folder=folder,
        person=user,
    )


def end(schedule: ReportSchedule, user: Any) -> None:
    """No more of it."""
    require(user, "export_reports")
    ReportSchedule.objects.filter(pk=schedule.pk, ended_at=None).update(
        ended_at=timezone.now(), ended_by=user
    )


def ask_for_due() -> None:
    """An export for each day or month that was closed since a schedule began, once each."""
    running = ReportSchedule.objects.filter(ended_at=None).select_related("casino")
    for schedule in running:
        for first, last in _closed(schedule):
            filters = Filters(schedule.casino, first, last, schedule.filters)
            ReportExport.objects.get_or_create(
                schedule=schedule,
                filters=filters.as_json(),
                defaults={
                    "casino": schedule.casino,
                    "report": schedule.report,
                    "formats": schedule.formats,
                    "person_id": schedule.person_id,
                    "key": uuid.uuid4(),
                },
            )


def _closed(schedule: ReportSchedule) -> list[tuple[dt.date, dt.date]]:
    """Periods that every system of it has closed, the last of them since the schedule began."""
    systems = Filters(schedule.casino, dt.date.min, dt.date.min, schedule.filters).systems
    by_name: dict[str, list[dt.datetime]] = {}
    length = len("2026-11" if schedule.moment == "month" else "2026-11-21")
    for system in systems:
        for name, entry in closes(system).items():
            if len(name) == length:
                by_name.setdefault(name, []).append(entry.at)
    due = [
        name
        for name, times in sorted(by_name.items())
        if len(times) == len(systems) and max(times) >= schedule.at
    ]
    return [_span(name) for name in due]


def _span(name: str) -> tuple[dt.date, dt.date]:
    if len(name) == len("2026-11"):
        month = Month.parse(name)
        return month.first, month.last
    day = dt.date.fromisoformat(name)
    return day, day


def of_casino(casino: Casino) -> list[ReportSchedule]:
    """Those that run."""
    rows = ReportSchedule.objects.filter(casino=casino, ended_at=None)
    return list(rows.select_related("person"))
