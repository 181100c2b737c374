"""Reports that are due whenever a gaming day or a month is closed."""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.closing.closes import closes
from settlement.core.errors import WrongState
from settlement.core.gaming_day import Month
from settlement.models import ReportExport, ReportSchedule
from settlement.people.permissions import require
from settlement.reports.catalogue import reports
from settlement.reports.definition import Definition, Filters
from settlement.reports.exports import files_of, formats
from tables.models import Casino

log = logging.getLogger(__name__)
MOST_MAILED = 10 * 1024 * 1024  # bytes of all files: larger ones are named, not sent


def add(
    definition: Definition, filters: Filters, moment: str, wanted: list[str], mail: str, user: Any
) -> ReportSchedule:
    """From the next close on. ValidationError for an address that is none."""
    for system in filters.systems:
        require(user, "export_reports", system)
    chosen = [name for name in formats() if name in wanted]
    if not chosen:
        raise WrongState(_("Choose at least one kind of file."))
    addresses = mail.replace(",", " ").split()
    for each in addresses:
        validate_email(each)
    return ReportSchedule.objects.create(
        casino=filters.casino,
        report=definition.code,
        moment=moment,
        filters={name: text for name, text in filters.codes.items() if text},
        formats=chosen,
        mail_to="\n".join(addresses),
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


def send_mail() -> None:
    """Tell whoever a schedule names that its files are ready, with the files where they are small.

    Each once: the row is locked, and says that it was sent before the mail leaves.
    """
    while _send_next():
        pass


def _send_next() -> bool:
    with transaction.atomic():
        rows = ReportExport.objects.select_for_update(skip_locked=True, of=("self",))
        export = (
            rows.filter(state="done", schedule__isnull=False, mailed_at=None)
            .exclude(schedule__mail_to="")
            .select_related("schedule", "casino")
            .first()
        )
        if export is None or export.schedule is None:
            return False
        export.mailed_at = timezone.now()
        export.save(update_fields=["mailed_at"])
        message = _message(export, export.schedule.mail_to.split())
    try:
        message.send()
    except OSError as fault:
        log.warning("Export %s was not mailed: %s", export.pk, fault)
        ReportExport.objects.filter(pk=export.pk).update(fault=str(fault)[:500])
    return True


def _message(export: ReportExport, addresses: list[str]) -> EmailMessage:
    files = files_of(export)
    is_small = sum(each.stat().st_size for each in files) <= MOST_MAILED
    title = _(reports()[export.report].title)
    lines = [
        _("%(title)s, %(casino)s, %(first)s to %(last)s.")
        % {
            "title": title,
            "casino": export.casino.name,
            "first": export.filters["from"],
            "last": export.filters["to"],
        },
        _("The files are on the console under Reports, Files, number %(number)s.")
        % {"number": export.pk},
    ]
    message = EmailMessage(title, "\n\n".join(lines), settings.DEFAULT_FROM_EMAIL, bcc=addresses)
    for each in files if is_small else ():
        message.attach(each.name, each.read_bytes(), "application/octet-stream")
    return message


def of_casino(casino: Casino) -> list[ReportSchedule]:
    """Those that run."""
    rows = ReportSchedule.objects.filter(casino=casino, ended_at=None)
    return list(rows.select_related("person"))
