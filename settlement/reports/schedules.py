"""Reports that are due whenever a gaming day, a month, or the last month of a quarter is closed."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.validators import validate_email
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.storage.pinned_read import pins_of
from settlement.closing.closes import closes, first_day
from settlement.core.errors import WrongState
from settlement.core.gaming_day import DAY, Month
from settlement.jurisdiction.returns import ended_before
from settlement.models import ClosedDay, ReportExport, ReportSchedule
from settlement.people.rights.permissions import require
from settlement.reports.definitions.definition import Definition, Filters
from settlement.reports.delivery import FOLDER, has_folders
from settlement.reports.exports import formats
from tables.models import Casino, JackpotSystem

Moment = ReportSchedule.Moment
_A_MONTH = "2026-11"  # a name, as long as every other one


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
    """From the next close on. ValidationError for an address that is none, WrongState for a filter
    that the report has not, or that is nothing of the casino."""
    for system in filters.systems:
        require(user, "export_reports", system)
        require(user, definition.permission, system)
    _require_filters(definition, filters)
    chosen = [name for name in formats() if name in plan.formats]
    if not chosen:
        raise WrongState(_("Choose at least one kind of file."))
    if chosen == ["pdf"] and definition.is_long:
        raise WrongState(
            _("This report has a row for each event, too many for a PDF: choose CSV or XLSX.")
        )
    addresses = plan.mail.replace(",", " ").split()
    for each in addresses:
        validate_email(each)
    folder = plan.folder.strip().strip("/")
    if folder and not has_folders():
        raise WrongState(_("No folder is set up: technical support sets DELIVERY_DIR."))
    if folder and FOLDER.fullmatch(folder) is None:
        raise WrongState(
            _("Enter the folder in small letters, digits and hyphens: regulator/monthly.")
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


def _require_filters(definition: Definition, filters: Filters) -> None:
    """Else every export of the schedule would be empty, or of more than was chosen."""
    codes = {name: text for name, text in filters.codes.items() if text}
    if codes.keys() - set(definition.filters):
        raise WrongState(_("This report has no such filter: leave it at “All”."))
    if "system" in codes and not filters.systems:
        raise WrongState(_("This casino has no such system."))


def end(schedule: ReportSchedule, user: Any) -> None:
    """No more of it."""
    require(user, "export_reports")
    ReportSchedule.objects.filter(pk=schedule.pk, ended_at=None).update(
        ended_at=timezone.now(), ended_by=user
    )


def ask_for_due() -> None:
    """An export for each day, month or quarter closed since a schedule began, once each."""
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
                    "pins": pins_of(each.pk for each in filters.systems),
                    "key": uuid.uuid4(),
                },
            )


def _closed(schedule: ReportSchedule) -> list[tuple[dt.date, dt.date]]:
    """Periods that are final in every system that had begun by then, the last of them closed since
    the schedule began.

    Final once the worker keeps the days in short: what a report says of open days goes by that.
    """
    systems = Filters(schedule.casino, dt.date.min, dt.date.min, schedule.filters).systems
    spans = [(first, _closes(system)) for system in systems if (first := first_day(system))]
    names = {name for _first, times in spans for name in times if _ends(name, schedule.moment)}
    due = []
    for name in sorted(names):
        span = _span(name)
        if schedule.moment == Moment.QUARTER:
            span = ended_before(span[1] + DAY, "quarter")
        at = [times.get(name) for first, times in spans if first <= span[1]]
        closed = [each for each in at if each is not None]
        if len(closed) == len(at) and max(closed) >= schedule.at:
            due.append(span)
    return due


def _ends(name: str, moment: str) -> bool:
    """Whether a day or month, by name, is the last that such a period waits for."""
    if len(name) != len(_A_MONTH):
        return moment == Moment.DAY
    is_last = Month.parse(name).first.month % 3 == 0
    return moment == Moment.MONTH or (moment == Moment.QUARTER and is_last)


def _closes(system: JackpotSystem) -> dict[str, dt.datetime]:
    """When each day and month of a system was closed, by name, as far as its days are kept."""
    newest = ClosedDay.objects.filter(system=system).aggregate(last=Max("day"))["last"]
    if newest is None:
        return {}
    return {name: entry.at for name, entry in closes(system).items() if _span(name)[1] <= newest}


def _span(name: str) -> tuple[dt.date, dt.date]:
    if len(name) == len(_A_MONTH):
        month = Month.parse(name)
        return month.first, month.last
    day = dt.date.fromisoformat(name)
    return day, day


def of_casino(casino: Casino) -> list[ReportSchedule]:
    """Those that run."""
    rows = ReportSchedule.objects.filter(casino=casino, ended_at=None)
    return list(rows.select_related("person"))
