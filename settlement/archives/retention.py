"""How long things stay: how old the oldest of a kind is, what the law asks, what may go.

Of orders, people and money nothing is ever removed. What goes are files of reports, which can be
made again: once they are older than EXPORT_DAYS and than the pack of the casino lets reports go.
"""

from __future__ import annotations

import datetime as dt
import shutil
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.models import Entry
from settlement.core.errors import WrongState
from settlement.core.gaming_day import day_of, today
from settlement.jurisdiction.pack import Records
from settlement.jurisdiction.rules import retention_years
from settlement.models import AccessNote, Claim, Identification, ReportExport
from settlement.reports import exports
from settlement.reports.exports import folder_of
from tables.models import Casino


@dataclass(frozen=True, slots=True)
class Holding:
    """A kind of record of a casino. `years`: how long it is kept at least; None: for good.

    `removable`: exports whose files may go; of every other kind nothing does.
    """

    records: Records
    oldest: dt.date | None
    years: int | None
    removable: tuple[ReportExport, ...] = ()


def holdings(casino: Casino) -> list[Holding]:
    """Every kind of record, how old its oldest is, and what may go."""
    day = today(casino)
    past = [each for each in _with_files(casino) if goes_from(each) <= timezone.now()]
    return [
        Holding(
            records,
            None if oldest is None else day_of(oldest, casino),
            retention_years(casino, records, day),
            tuple(past) if records == "reports" else (),
        )
        for records, oldest in _oldest(casino)
    ]


def goes_from(export: ReportExport) -> dt.datetime:
    """From when on the files of an export may be removed; the end of time where no rule lets
    them go."""
    ended = export.ended_at or export.at
    years = retention_years(export.casino, "reports", today(export.casino))
    if years is None:
        return dt.datetime.max.replace(tzinfo=dt.UTC)
    return max(_after(ended, years), ended + dt.timedelta(days=settings.EXPORT_DAYS))


def _after(moment: dt.datetime, years: int) -> dt.datetime:
    """So many years later; of 29 February on 1 March."""
    try:
        return moment.replace(year=moment.year + years)
    except ValueError:
        return moment.replace(year=moment.year + years, month=3, day=1)


def remove(export: ReportExport) -> None:
    """Remove the files of an export. WrongState before their age."""
    first = goes_from(export)
    if timezone.now() < first:
        raise WrongState(
            _("The files of export %(export)s stay until %(day)s.")
            % {"export": export.pk, "day": first.date()}
        )
    shutil.rmtree(folder_of(export), ignore_errors=True)


def prune() -> None:
    """Remove the files of all exports that are past their age, and what dead workers left."""
    exports.prune()
    for casino in Casino.objects.all():
        for each in holdings(casino):
            for export in each.removable:
                remove(export)


def _with_files(casino: Casino) -> list[ReportExport]:
    rows = ReportExport.objects.filter(casino=casino, state=ReportExport.State.READY)
    rows = rows.select_related("casino").order_by("pk")
    return [export for export in rows if folder_of(export).is_dir()]


def _oldest(casino: Casino) -> list[tuple[Records, dt.datetime | None]]:
    """When the oldest of each kind was made."""

    def first(rows: Any, column: str) -> dt.datetime | None:
        moment: dt.datetime | None = rows.aggregate(first=Min(column))["first"]
        return moment

    files = [export.ended_at or export.at for export in _with_files(casino)]
    return [
        ("money", first(Entry.objects.filter(system__casino=casino, seq=1), "at")),
        ("claims", first(Claim.objects.filter(system__casino=casino), "opened_at")),
        (
            "identification",
            first(Identification.objects.filter(claim__system__casino=casino), "at"),
        ),
        ("reports", min(files, default=None)),
        ("access", first(AccessNote.objects.all(), "at")),
    ]
