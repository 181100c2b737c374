"""Which export a worker takes next, and how one ends.

Two at a time, so that the worker always has hands free for displays, and of long reports (a row an
event) one, so that a short one waits behind none of them. A worker that dies leaves a row that says
nothing any more; another worker takes it and begins again.
"""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import ReportExport
from settlement.reports.catalogue import reports
from tables.alarms import raise_alarm

State = ReportExport.State
SILENT = dt.timedelta(seconds=60)  # a worker that says nothing for so long is gone
MOST_AT_ONCE = 2  # of them one of long reports
MOST_ATTEMPTS = 3
FAILED = "report_failed"  # an alarm


@transaction.atomic
def take() -> ReportExport | None:
    """The next one that waits, or that a dead worker left; None while there is no hand for it.

    Whoever has none that is being written goes first.
    """
    now = timezone.now()
    # All of them, so that of two workers who look at once the second sees what the first took.
    rows = ReportExport.objects.filter(state__in=[State.WAITING, State.RUNNING]).order_by("pk")
    due = list(rows.select_for_update(of=("self",)))
    running = [each for each in due if _is_alive(each, now)]
    waiting = [each for each in due if each not in running and not _is_given_up(each, now)]
    if any(map(_is_long, running)):
        waiting = [each for each in waiting if not _is_long(each)]
    if not waiting or len(running) >= MOST_AT_ONCE:
        return None
    people = {each.person_id for each in running}
    export = min(waiting, key=lambda each: (each.person_id in people, each.pk))
    export.state, export.attempts = State.RUNNING, export.attempts + 1
    export.alive_at, export.rows_done = now, 0
    export.save(update_fields=["state", "attempts", "alive_at", "rows_done"])
    return export


def _is_given_up(export: ReportExport, now: dt.datetime) -> bool:
    """Whether nobody wants it any more, or too many workers died over it; the row says so then."""
    if export.cancel_at is not None:
        export.state = State.CANCELLED
    elif export.attempts >= MOST_ATTEMPTS:
        export.state = State.FAILED
        export.fault = _("The worker died %(times)s times over it: call technical support.") % {
            "times": MOST_ATTEMPTS
        }
    else:
        return False
    export.ended_at = now
    export.save(update_fields=["state", "fault", "ended_at"])
    if export.state == State.FAILED:
        raise_failed(export)
    return True


def _is_long(export: ReportExport) -> bool:
    """Whether one of its reports has a row for each event."""
    return any(code in reports() and reports()[code].is_long for code in export.codes)


def _is_alive(export: ReportExport, now: dt.datetime) -> bool:
    """Whether a worker is writing it."""
    heard = export.alive_at
    return export.state == State.RUNNING and heard is not None and heard > now - SILENT


def end(export: ReportExport, state: str, fault: str = "") -> None:
    """Only what this worker still has: a row that another one took over is that one's."""
    changed = ReportExport.objects.filter(
        pk=export.pk, state=State.RUNNING, attempts=export.attempts
    ).update(state=state, fault=fault[:500], ended_at=timezone.now())
    if changed and state == State.FAILED:
        export.fault = fault
        raise_failed(export)


def raise_failed(export: ReportExport) -> None:
    """Nobody waits for what a schedule asked for: an alarm says that it is missing, and why."""
    if export.schedule_id is None:
        return
    raise_alarm(
        FAILED,
        f"{export.casino.code} {export.name} {export.pk}",
        HouseAlarm.FAILED_REPORT
        % {
            "casino": export.casino.name,
            "report": export.name,
            "export": export.pk,
            "fault": export.fault,
        },
        export.casino.systems.order_by("pk").first(),
    )
