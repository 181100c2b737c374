"""Reports and whole returns that are due whenever a gaming day, a month, or the last month of a
quarter or year is closed."""

from __future__ import annotations

import datetime as dt
import json
import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.storage.pinned_read import pins_of
from settlement.closing.closes import closes, first_day
from settlement.core import guards
from settlement.core.errors import WrongState
from settlement.core.gaming_day import DAY, Month, today
from settlement.jurisdiction.pack import Period
from settlement.jurisdiction.returns import ended_before, layouts_on
from settlement.jurisdiction.rules import PackError
from settlement.models import ClosedDay, ReportExport, ReportSchedule, SetUpProposal
from settlement.people.rights.permissions import require
from settlement.people.shared.database_calls import ask
from settlement.reports.definitions.definition import Definition, Filters, in_order
from settlement.reports.delivery import FOLDER, has_folders, is_outside
from settlement.reports.export_queue import raise_failed
from settlement.reports.exports import definitions_of, formats, of_return
from tables.models import Casino, JackpotSystem

log = logging.getLogger(__name__)

Moment = ReportSchedule.Moment
PROPOSED = SetUpProposal.Kind.REPORT_SCHEDULE
_MONTHS: dict[str, int] = {Moment.MONTH: 1, Moment.QUARTER: 3, Moment.YEAR: 12}
_PERIODS: dict[str, Period] = {Moment.QUARTER: "quarter", Moment.YEAR: "year"}
_A_MONTH = "2026-11"  # a name, as long as every other one


@dataclass(frozen=True, slots=True)
class Plan:
    """When a report is made, as which files, and where they go besides the console.

    `moment`: of a return it is the period that its rule names. `mail`: addresses, apart by blanks
    or commas. `folder`: within DELIVERY_DIR, or empty.
    """

    moment: str
    formats: Sequence[str]
    mail: str = ""
    folder: str = ""


def add(definition: Definition, filters: Filters, plan: Plan, user: Any) -> ReportSchedule | None:
    """From the next close on; None: it waits for a second person, as it mails to somebody else than
    people who may export reports.

    ValidationError for an address that is none, WrongState for a filter that the report has not, or
    that is nothing of the casino.
    """
    _require_filters(definition, filters)
    return _add([definition], in_order(filters), plan, user, report=definition.code)


def add_return(casino: Casino, title: str, plan: Plan, user: Any) -> ReportSchedule | None:
    """All reports of a return, by its title, of the whole casino, for each of its periods from the
    next close on. ValidationError and WrongState as of `add`; PackError: rules cannot be read."""
    rule = next((each for each in layouts_on(casino, today(casino)) if each.title == title), None)
    if rule is None or rule.period is None:
        raise WrongState(_("The rules of this place ask for no such return."))
    plan = replace(plan, moment=rule.period)
    definitions = definitions_of(rule.reports)
    title = of_return(rule)["of_return"]
    return _add(definitions, Filters.from_codes(casino, {}), plan, user, of_return=title)


def _add(
    definitions: Sequence[Definition], filters: Filters, plan: Plan, user: Any, **what: str
) -> ReportSchedule | None:
    for system in filters.systems:
        require(user, "export_reports", system)
        for each in definitions:
            require(user, each.permission, system)
    chosen = [name for name in formats() if name in plan.formats]
    if not chosen:
        raise WrongState(_("Choose at least one kind of file."))
    if chosen == ["pdf"] and any(each.is_long for each in definitions):
        raise WrongState(
            _("This report has a row for each event, too many for a PDF: choose CSV or XLSX.")
        )
    addresses = plan.mail.replace(",", " ").split()
    for address in addresses:
        validate_email(address)
    folder = plan.folder.strip().strip("/")
    if folder and not has_folders():
        raise WrongState(_("No folder is set up: technical support sets DELIVERY_DIR."))
    if folder and FOLDER.fullmatch(folder) is None:
        raise WrongState(
            _("Enter the folder in small letters, digits and hyphens: regulator/monthly.")
        )
    columns: dict[str, Any] = {
        "report": "",
        "of_return": "",
        "moment": plan.moment,
        "filters": {name: text for name, text in filters.codes.items() if text},
        "formats": chosen,
        "mail_to": "\n".join(addresses),
        "folder": folder,
        **what,
    }
    if is_outside(columns["mail_to"], filters.casino.pk):
        ask("propose_set_up", user.pk, PROPOSED, filters.casino.pk, json.dumps(columns))
        return None
    with guards.in_words():
        return ReportSchedule.objects.create(casino=filters.casino, person=user, **columns)


def waiting(casino: Casino) -> list[ReportSchedule]:
    """Those that a second person has not decided on yet, without a number."""
    rows = SetUpProposal.objects.filter(kind=PROPOSED, casino=casino, decision=None)
    return [
        ReportSchedule(casino=casino, person=each.person, at=each.at, **each.body)
        for each in rows.select_related("person")
    ]


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
    with guards.in_words():
        ReportSchedule.objects.filter(pk=schedule.pk, ended_at=None).update(
            ended_at=timezone.now(), ended_by=user
        )


def ask_for_due() -> None:
    """An export for each day, month, quarter or year closed since a schedule began, once each."""
    running = ReportSchedule.objects.filter(ended_at=None).select_related("casino")
    for schedule in running:
        exports = ReportExport.objects.filter(schedule=schedule)
        spans = set(exports.values_list("filters__from", "filters__to"))
        for first, last in _closed(schedule):
            if (str(first), str(last)) not in spans:
                _ask(schedule, Filters(schedule.casino, first, last, schedule.filters))


@transaction.atomic
def _ask(schedule: ReportSchedule, filters: Filters) -> None:
    """Once, of workers that look at the same moment, a failed one together with its alarm. Of rules
    that cannot be read now later."""
    try:
        what = _what(schedule, filters.last)
    except PackError as fault:  # of which `settlement.jurisdiction.watch` raises an alarm
        log.error("Schedule %s waits: %s", schedule.pk, fault)
        return
    export, is_new = ReportExport.objects.get_or_create(
        schedule=schedule,
        filters=filters.as_json(),
        defaults={
            "casino": schedule.casino,
            "formats": schedule.formats,
            "person_id": schedule.person_id,
            "pins": pins_of(each.pk for each in filters.systems),
            "key": uuid.uuid4(),
            **what,
        },
    )
    if is_new and export.state == ReportExport.State.FAILED:
        raise_failed(export)


def _what(schedule: ReportSchedule, last: dt.date) -> dict[str, Any]:
    """What an export of it is of. Of a return the reports that the rules of the period's last day
    name; where they name none any more, the export has failed, which is an alarm."""
    title = schedule.of_return
    if not title:
        return {"report": schedule.report}
    for rule in layouts_on(schedule.casino, last):
        what = of_return(rule)
        if what["of_return"] == title and rule.period == schedule.moment:
            return what
    fault = _("The rules of this place do not ask for this return any more: end its schedule.")
    state = ReportExport.State.FAILED
    return {"of_return": title, "state": state, "fault": fault, "ended_at": timezone.now()}


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
        if schedule.moment in _PERIODS:
            span = ended_before(span[1] + DAY, _PERIODS[schedule.moment])
        at = [times.get(name) for first, times in spans if first <= span[1]]
        closed = [each for each in at if each is not None]
        if len(closed) == len(at) and max(closed) >= schedule.at:
            due.append(span)
    return due


def _ends(name: str, moment: str) -> bool:
    """Whether a day or month, by name, is the last that such a period waits for."""
    if len(name) != len(_A_MONTH):
        return moment == Moment.DAY
    month = Month.parse(name).first.month
    return moment != Moment.DAY and month % _MONTHS[moment] == 0


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
