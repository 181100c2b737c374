"""Reconciliations of every system, and the alarms that wait for a person."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe
from kombu.exceptions import OperationalError as BrokerError

from jackpot.labels.figures import write_count, write_decimals
from jackpot.models import Head
from settlement import tasks
from settlement.audit import file_keys
from settlement.audit.reconciliation import reconcile
from settlement.core.errors import WrongState
from settlement.core.input import LONGEST_TEXT, clean_text
from settlement.floor.open_alarms import RaisedAlarm, clear_kind, may_clear, open_kinds
from settlement.floor.skipped_entries import Halt, halt_of
from settlement.models import ClosedDayCheck, Reconciliation
from settlement.pages.shared.choices import system_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.cursor import page_of_rows
from settlement.pages.shared.lists.order import Column
from tables.alarms import clear_alarm
from tables.models import Alarm, JackpotSystem

RUNS = 8  # of each system
ALARM_ROWS = 100  # of each kind
CLEARED_ROWS = 20  # on a page
CLEARED = (Column("cleared_at", dt.datetime, is_down=True), Column("id", int, is_down=True))
_NOT_HERE = gettext_lazy("Your role does not allow this here: ask a casino manager.")
AT_ONCE = 10_000  # entries: above this a worker recomputes, and the page does not wait


@dataclass(frozen=True, slots=True)
class Run:
    """A reconciliation as the page shows it."""

    row: Reconciliation

    @property
    def seconds(self) -> str:
        return write_decimals(self.row.duration_ms / 1000, 1)

    @property
    def words(self) -> str:
        count = len(self.row.differences)
        return ngettext("%(count)s difference", "%(count)s differences", count) % {
            "count": write_count(count)
        }


@require_safe
@opens_for("view_claim")
def reconciliation(request: HttpRequest) -> HttpResponse:
    """The last runs of each system, open alarms, and those cleared recently."""
    runs: dict[int, list[Run]] = defaultdict(list)
    newest = Reconciliation.objects.annotate(
        place=Window(RowNumber(), partition_by=F("system"), order_by=F("id").desc())
    )
    for run in newest.filter(place__lte=RUNS).order_by("system", "-id"):
        runs[run.system_id].append(Run(run))
    systems = JackpotSystem.objects.select_related("casino", "head").order_by("name", "pk")
    kinds = open_kinds(ALARM_ROWS)
    alarms = Alarm.objects.select_related("system__casino").exclude(cleared_at=None)
    cleared = page_of_rows(request, alarms, CLEARED, CLEARED_ROWS)
    return render(
        request,
        "console/audit/reconciliation.html",
        {
            "systems": [(system, runs[system.pk], *_halt(system)) for system in systems],
            "closed_days": list(
                ClosedDayCheck.objects.order_by("system", "-id")
                .distinct("system")
                .select_related("system__casino")
            ),
            "kinds": kinds,
            "alarm_count": sum(kind.count for kind in kinds),
            "cleared": [RaisedAlarm(alarm) for alarm in cleared.rows],
            "page": cleared,
            "may_reconcile": _may_reconcile(request),
            "file_key": next(iter(file_keys.published()), None),
            "may_propose_skip": request.user.has_perm("settlement.propose_aside"),
            "may_second_skip": request.user.has_perm("settlement.second_aside"),
            "may_clear": request.user.has_perm("settlement.clear_alarm"),
            "longest_note": LONGEST_TEXT,
        },
    )


@require_POST
@opens_for("view_claim")
def reconcile_now(request: HttpRequest, system: str) -> HttpResponse:
    """Recompute a system: at once where that is quick, else by a worker."""
    if not _may_reconcile(request):
        raise PermissionDenied(_("Your role does not allow this: ask compliance or a manager."))
    jackpot_system = system_or_404(system)
    entries = Head.objects.filter(pk=jackpot_system.pk).values_list("seq", flat=True).first()
    if entries is None:
        messages.info(
            request,
            _("%(jackpot_system_name)s has no entries yet: nothing to reconcile.")
            % {"jackpot_system_name": jackpot_system.name},
        )
    elif entries > AT_ONCE:
        _queue(request, jackpot_system, entries)
    else:
        _at_once(request, jackpot_system)
    return redirect("reconciliation")


@require_POST
@opens_for("clear_alarm")
def alarm_clear(request: HttpRequest, alarm: int) -> HttpResponse:
    """Close an alarm with a note of what was done; with `through`, all of its kind up to there."""
    alarm_row = get_object_or_404(Alarm.objects.select_related("system"), pk=alarm)
    through = _moment(request.POST.get("through", ""))
    if through is None and not may_clear(request.user, alarm_row):
        raise PermissionDenied(_NOT_HERE)
    note = clean_text(request.POST.get("note", ""))
    if not note:
        messages.error(request, _("Enter what was done about it: an alarm is cleared with a note."))
    elif through:
        _clear_kind(request, alarm_row, note, through)
    elif alarm_row.cleared_at is not None:
        messages.info(
            request,
            _("%(cleared_by)s has cleared this alarm already.")
            % {"cleared_by": alarm_row.cleared_by},
        )
    else:
        clear_alarm(alarm_row, request.user.get_username(), note)
        words = RaisedAlarm(alarm_row).words
        messages.success(request, _("Cleared: %(words)s.") % {"words": words})
    return redirect(reverse("reconciliation") + "#alarms")


def _moment(text: str) -> dt.datetime | None:
    """What the page named; None where a form names none."""
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def _clear_kind(request: HttpRequest, alarm: Alarm, note: str, through: dt.datetime) -> None:
    count, left = clear_kind(request.user, alarm.kind, note, through)
    if not count and left:
        raise PermissionDenied(_NOT_HERE)
    if not count:
        messages.info(request, _("Somebody has cleared these alarms already."))
        return
    text = _("Cleared: %(words)s, %(count)s alarms.") if count > 1 else _("Cleared: %(words)s.")
    words = RaisedAlarm(alarm).words
    messages.success(request, text % {"words": words, "count": write_count(count)})
    if left:
        text = _("Of this kind, %(count)s are for others to clear.")
        messages.info(request, text % {"count": write_count(left)})


def _halt(system: JackpotSystem) -> tuple[Head | None, Halt | None]:
    """The head of a system, and its halt: asked for where there is one."""
    head: Head | None = getattr(system, "head", None)
    return head, halt_of(system) if head is not None and head.halted_at else None


def _may_reconcile(request: HttpRequest) -> bool:
    return any(
        request.user.has_perm(f"settlement.{name}") for name in ("export_reports", "clear_alarm")
    )


def _queue(request: HttpRequest, system: JackpotSystem, entries: int) -> None:
    try:
        tasks.reconcile_one.delay(system.pk)
    except BrokerError:
        messages.error(
            request,
            _(
                "The reconciliation could not be queued: the workers' broker does not answer. Try"
                " again in a minute; if this continues, call technical support."
            ),
        )
        return
    messages.info(
        request,
        _(
            "%(system_name)s has %(entries)s entries: a worker recomputes them now. Reload this"
            " page in a few minutes; the result is at the top."
        )
        % {"system_name": system.name, "entries": write_count(entries)},
    )


def _at_once(request: HttpRequest, system: JackpotSystem) -> None:
    try:
        result = reconcile(system)
    except WrongState as busy:
        messages.info(request, str(busy))
        return
    if result.differences:
        messages.error(
            request,
            _(
                "%(system_name)s does not reconcile: %(words)s. Stop payouts on this"
                " system and call technical support."
            )
            % {"system_name": system.name, "words": Run(result).words},
        )
    else:
        messages.success(
            request,
            _(
                "%(system_name)s reconciles: %(entries)s entries and %(transfers)s"
                " transfers recomputed in %(seconds)s s."
            )
            % {
                "system_name": system.name,
                "entries": write_count(result.entries),
                "transfers": write_count(result.transfers),
                "seconds": Run(result).seconds,
            },
        )
