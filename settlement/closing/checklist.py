"""What keeps a gaming day open, and who must act: asked before anybody proposes to close it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import connection
from django.utils.translation import gettext as _

from jackpot.models import CommandQueue, Head
from settlement.core.gaming_day import DAY, start_of
from settlement.core.sequence_at import first_entries
from settlement.drop import figures, findings
from settlement.models import Reconciliation
from tables.models import Alarm, JackpotSystem

# Boots whose events have no place in the order yet, or of which some have not come.
_STREAMS = """
    SELECT g.code, g.name, s.committed_seq < s.last_seq AS missing
    FROM tables_stream s
    JOIN tables_gamingtable g ON g.id = s.table_id
    LEFT JOIN jackpot_cursor c
      ON (c.system_id, c.table_id, c.boot) = (s.system_id, s.table_id, s.boot)
    WHERE s.system_id = %s AND NOT s.settled AND NOT s.discarded
      AND (s.committed_seq < s.last_seq OR s.committed_seq > coalesce(c.through, 0))
      AND EXISTS (SELECT FROM tables_tableevent e
                  WHERE (e.system_id, e.table_id, e.boot) = (s.system_id, s.table_id, s.boot)
                    AND e.seq > coalesce(c.through, 0) AND e.received_at < %s)
    ORDER BY g.code, s.boot
"""
# Units of open tables that have not been heard since before the day ended: they may hold more.
_UNHEARD = """
    SELECT g.code, g.name FROM tables_unitpresence p
    JOIN tables_gamingtable g ON g.id = p.table_id
    JOIN jackpot_tablestate t ON t.table_id = g.id
    WHERE g.system_id = %s AND g.moved_to_id IS NULL AND t.session IS NOT NULL
      AND NOT p.online AND p.heard_at < %s
    ORDER BY g.code
"""


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """`text`: what keeps the day open; `who` must act; `page`, `args` and `query`: an address."""

    text: str
    who: str
    page: str
    args: tuple[str, ...] = ()
    query: str = ""


def points(system: JackpotSystem, day: dt.date) -> list[OpenPoint]:
    """All that is open of a gaming day that is over; empty: it can be closed."""
    end = start_of(day + DAY, system.casino)
    return [
        *_queues(system),
        *_units(system, end),
        *_skipped(system, end),
        *_drop(system, day),
        *_findings(system, day),
        *_reconciliation(system, first_entries(system.pk, [end])[0] - 1),
    ]


def _queues(system: JackpotSystem) -> list[OpenPoint]:
    waiting = []
    head = Head.objects.filter(system=system).first()
    if head is not None and head.halted_at is not None:
        text = _("Posting has halted: %(entry)s.") % {"entry": head.halted_on}
        waiting.append(OpenPoint(text, _("Technical support"), "reconciliation"))
    queue = CommandQueue.objects.filter(system=system).first()
    if queue is not None and queue.taken < queue.last_number:
        text = _("Decisions are queued and not carried out yet.")
        waiting.append(OpenPoint(text, _("Technical support"), "reconciliation"))
    return waiting


def _units(system: JackpotSystem, end: dt.datetime) -> list[OpenPoint]:
    with connection.cursor() as cursor:
        cursor.execute(_STREAMS, [system.pk, end])
        streams = cursor.fetchall()
        cursor.execute(_UNHEARD, [system.pk, end])
        unheard = cursor.fetchall()
    manager, supervisor = _("Casino manager"), _("Game supervisor")
    points_ = []
    for code, name, missing in streams:
        text = (
            _("%(table)s: messages of its unit are missing.")
            if missing
            else _("%(table)s: events wait for their place in the order.")
        )
        points_.append(OpenPoint(text % {"table": name}, manager, "table", (system.code, code)))
    for code, name in unheard:
        text = _("%(table)s: its unit is offline since before the end of the day.")
        points_.append(OpenPoint(text % {"table": name}, supervisor, "table", (system.code, code)))
    return points_


def _skipped(system: JackpotSystem, end: dt.datetime) -> list[OpenPoint]:
    """Messages in quarantine, and what was skipped: alarms that nobody has looked into."""
    kinds = ("quarantine", "quarantine_limit", "identity_conflict")
    alarms = Alarm.objects.filter(
        system=system, kind__in=kinds, cleared_at=None, raised_at__lt=end
    ).order_by("pk")
    return [
        OpenPoint(
            _("Quarantined messages: nobody has cleared the alarm about %(subject)s.")
            % {"subject": alarm.subject},
            _("Casino manager"),
            "quarantine",
        )
        for alarm in alarms
    ]


def _reconciliation(system: JackpotSystem, through_seq: int) -> list[OpenPoint]:
    newest = Reconciliation.objects.filter(system=system).order_by("-id").first()
    if newest is None or newest.up_to_seq < through_seq:
        text = _("The system has not been reconciled since the end of the day.")
    elif newest.differences:
        text = _("The last reconciliation found differences.")
    else:
        return []
    return [OpenPoint(text, _("Compliance"), "reconciliation")]


def _drop(system: JackpotSystem, day: dt.date) -> list[OpenPoint]:
    """Drop and bank of a house that counts them (decision 0097)."""
    points_ = []
    query = f"?system={system.code}&day={day}"
    if figures.is_counting(system, figures.DROP, day):
        who = _("Cashier or compliance")
        points_ = [
            OpenPoint(
                _("%(table)s: its drop is not counted.") % {"table": row.table.name},
                who,
                "drop",
                query=query,
            )
            for row in figures.variances(system, day, day)
            if row.count is None
        ]
    if figures.is_counting(system, figures.BANK, day):
        points_ += [
            OpenPoint(_("The bank balance is not entered."), _("Compliance"), "drop", query=query)
            for row in figures.balances(system, day, day)
            if row.count is None
        ]
    return points_


def _findings(system: JackpotSystem, day: dt.date) -> list[OpenPoint]:
    """Variances of this day or an earlier one that nobody has explained, or signed."""
    points_ = []
    for finding in findings.open_findings(system, day):
        step, count = findings.newest_step(finding), finding.count
        words = {"table": count.table.name if count.table else _("Bank"), "day": count.day}
        if step is not None and step.kind == step.Kind.EXPLAIN:
            text = _("%(table)s, %(day)s: the variance is explained, and not signed off.") % words
        else:
            text = _("%(table)s, %(day)s: the variance is not explained.") % words
        points_.append(OpenPoint(text, _("Casino manager or compliance"), "findings"))
    return points_
