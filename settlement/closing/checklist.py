"""What keeps a gaming day open, and who must act: asked before anybody proposes to close it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from jackpot.labels.figures import write_count
from jackpot.models import CommandQueue, Head
from settlement.core.gaming_day import DAY, start_of
from settlement.core.sequence_at import first_entries
from settlement.core.words.translation import Labels
from settlement.drop import figures, findings
from settlement.models import Reconciliation
from settlement.set_up.counting import counting_of
from tables.models import Alarm, JackpotSystem

# Boots whose events have no place in the order yet, or of which some have not come; and events that
# came after the order had gone past them.
_STREAMS = """
    SELECT g.code, g.name, s.committed_seq < s.last_seq AS missing
    FROM tables_stream s
    JOIN tables_gamingtable g ON g.id = s.table_id
    LEFT JOIN jackpot_cursor c
      ON (c.system_id, c.table_id, c.boot) = (s.system_id, s.table_id, s.boot)
    WHERE s.system_id = %(system)s AND NOT s.settled AND NOT s.discarded
      AND (s.committed_seq < s.last_seq OR s.committed_seq > coalesce(c.through, 0))
      AND EXISTS (SELECT FROM tables_tableevent e
                  WHERE (e.system_id, e.table_id, e.boot) = (s.system_id, s.table_id, s.boot)
                    AND e.seq > coalesce(c.through, 0) AND e.received_at < %(end)s)
    UNION
    SELECT g.code, g.name, false
    FROM tables_straggler w
    JOIN tables_tableevent e ON e.id = w.event_id
    JOIN jackpot_cursor c
      ON (c.system_id, c.table_id, c.boot) = (w.system_id, w.table_id, w.boot)
    JOIN tables_gamingtable g ON g.id = w.table_id
    WHERE w.system_id = %(system)s AND w.seq <= c.through AND e.received_at < %(end)s
      AND NOT EXISTS (SELECT FROM jackpot_entry n WHERE n.event_id = w.event_id)
    ORDER BY 1, 3
"""
# Units of open tables that have not been heard since before the day ended: they may hold more.
_UNHEARD = """
    SELECT g.code, g.name FROM tables_unitpresence p
    JOIN tables_gamingtable g ON g.id = p.table_id
    JOIN jackpot_tablestate t ON t.table_id = g.id
    WHERE g.system_id = %(system)s AND g.moved_to_id IS NULL AND t.session IS NOT NULL
      AND NOT p.online AND p.heard_at < %(end)s
    ORDER BY g.code
"""
# Held rounds, and what dealers asked about rounds that nobody has decided or proposed to credit.
_HELD = """
    SELECT g.code, g.name, count(*) FROM jackpot_roundstate r
    JOIN tables_gamingtable g ON g.id = r.table_id
    WHERE r.system_id = %(system)s AND r.started <= %(through)s
      AND r.pace IS NOT NULL AND r.accepted IS NULL AND r.cancelled IS NULL
    GROUP BY g.code, g.name ORDER BY g.code
"""
_REQUESTS = """
    SELECT g.code, g.name, count(*) FROM jackpot_entry n
    JOIN tables_gamingtable g ON g.id = n.table_id
    WHERE n.system_id = %(system)s AND n.seq <= %(through)s
      AND n.type IN ('rounds_missed', 'void_requested') AND n.outcome -> 'flags' ? 'request'
      AND NOT EXISTS (SELECT FROM settlement_ruling r WHERE r.request_id = n.event_id)
      AND NOT EXISTS (
          SELECT FROM settlement_proposal p
          LEFT JOIN settlement_proposaldecision d ON d.proposal_id = p.id
          WHERE p.system_id = n.system_id AND p.kind = 'missed_rounds'
            AND d.agreed IS NOT FALSE AND p.body -> 'signals' @> to_jsonb(n.seq))
    GROUP BY g.code, g.name ORDER BY g.code
"""
# Missed rounds that are proposed: by the end of the day, or for a request or a round of it.
_PROPOSED = """
    SELECT g.code, g.name, count(*) FROM settlement_proposal p
    JOIN tables_gamingtable g ON (g.system_id, g.code) = (p.system_id, p.body ->> 'table')
    WHERE p.system_id = %(system)s AND p.kind = 'missed_rounds'
      AND NOT EXISTS (SELECT FROM settlement_proposaldecision d WHERE d.proposal_id = p.id)
      AND (p.at < %(end)s
           OR EXISTS (SELECT FROM jsonb_array_elements_text(p.body -> 'signals') AS signal
                      WHERE signal::bigint <= %(through)s)
           OR EXISTS (
               SELECT FROM jsonb_array_elements_text(p.body -> 'rounds') AS named
               JOIN jackpot_roundstate r ON (r.system_id, r.table_id, r.round)
                 = (p.system_id, g.id, named::bigint)
               WHERE least(r.started, r.completed) <= %(through)s))
    GROUP BY g.code, g.name ORDER BY g.code
"""


# Codes stand with a close as it was agreed to: one that was given is never another's.
TITLES = Labels(
    {
        "queues": gettext_noop("Posting runs, and decisions are carried out"),
        "messages": gettext_noop("Messages of all units are here and posted"),
        "units": gettext_noop("Units of open tables are online"),
        "quarantine": gettext_noop("Quarantined messages are reviewed"),
        "held": gettext_noop("Held rounds are decided"),
        "requests": gettext_noop("Requests about rounds are decided"),
        "drop": gettext_noop("Drop is counted"),
        "bank": gettext_noop("Bank balance is entered"),
        "variances": gettext_noop("Variances are explained and signed off"),
        "reconciled": gettext_noop("Reconciled without differences"),
        "days": gettext_noop("All days are closed"),
        "earlier": gettext_noop("Earlier days are closed"),
    }
)
NOT_KEPT = Labels(
    {
        "drop": gettext_noop("Not counted by this house"),
        "bank": gettext_noop("Not entered by this house"),
    }
)


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """`text`: what keeps the day open; `who` must act; `page`, `args` and `query`: an address."""

    text: str
    who: str
    page: str
    args: tuple[str, ...] = ()
    query: str = ""


class CheckState(StrEnum):
    """What was found; its words stand under the agreement to a close."""

    OPEN = "open"
    COMPLETE = "done"
    NOT_KEPT = "not_kept"  # the house keeps no such figures


@dataclass(frozen=True, slots=True)
class Check:
    """`code`: what is looked at; `points`: what of it is open; `is_kept`: the house keeps such
    figures; `stopped_since`: from when on it keeps none by rule."""

    code: str
    points: tuple[OpenPoint, ...] = ()
    is_kept: bool = True
    stopped_since: dt.date | None = None

    @property
    def title(self) -> str:
        return TITLES[self.code]

    @property
    def note(self) -> str:
        """Why there is nothing to look at."""
        if self.stopped_since is not None:
            return _("Not counted by rule since %(since)s") % {"since": self.stopped_since}
        return "" if self.is_kept else NOT_KEPT[self.code]

    @property
    def state(self) -> CheckState:
        if self.points:
            return CheckState.OPEN
        return CheckState.COMPLETE if self.is_kept else CheckState.NOT_KEPT


def checks(system: JackpotSystem, day: dt.date) -> list[Check]:
    """All that is looked at before a gaming day that is over is closed."""
    end = start_of(day + DAY, system.casino)
    through = first_entries(system.pk, [end])[0] - 1
    return [
        Check("queues", _queues(system)),
        Check("messages", _streams(system, end)),
        Check("units", _unheard(system, end)),
        Check("quarantine", _skipped(system, end)),
        Check("held", _held(system, through)),
        Check("requests", _requests(system, end, through)),
        _drop(system, day),
        _bank(system, day),
        Check("variances", _findings(system, day)),
        Check("reconciled", _reconciliation(system, through)),
    ]


def points(system: JackpotSystem, day: dt.date) -> list[OpenPoint]:
    """All that is open of a gaming day that is over; empty: it can be closed."""
    return [point for check in checks(system, day) for point in check.points]


def _queues(system: JackpotSystem) -> tuple[OpenPoint, ...]:
    waiting = []
    head = Head.objects.filter(system=system).first()
    if head is not None and head.halted_at is not None:
        text = _("Posting has halted: %(entry)s.") % {"entry": head.halted_on}
        waiting.append(OpenPoint(text, _("Technical support"), "reconciliation"))
    queue = CommandQueue.objects.filter(system=system).first()
    if queue is not None and queue.taken < queue.last_number:
        text = _("Decisions are queued and not carried out yet.")
        waiting.append(OpenPoint(text, _("Technical support"), "reconciliation"))
    return tuple(waiting)


def _streams(system: JackpotSystem, end: dt.datetime) -> tuple[OpenPoint, ...]:
    points_ = []
    for code, name, missing in _rows(_STREAMS, {"system": system.pk, "end": end}):
        text = (
            _("%(table)s: messages of its unit are missing.")
            if missing
            else _("%(table)s: events are waiting for a sequence number.")
        )
        who = _("Casino manager")
        points_.append(OpenPoint(text % {"table": name}, who, "table", (system.code, code)))
    return tuple(points_)


def _unheard(system: JackpotSystem, end: dt.datetime) -> tuple[OpenPoint, ...]:
    text = _("%(table)s: its unit is offline since before the end of the day.")
    who = _("Game supervisor")
    return tuple(
        OpenPoint(text % {"table": name}, who, "table", (system.code, code))
        for code, name in _rows(_UNHEARD, {"system": system.pk, "end": end})
    )


def _held(system: JackpotSystem, through: int) -> tuple[OpenPoint, ...]:
    """Rounds that were pressed too fast (decision 0075), and of which nobody said whether they
    were played: a refusal that waits for its second person is one of them."""
    return tuple(
        OpenPoint(
            ngettext(
                "%(table)s: %(count)s held round is not decided.",
                "%(table)s: %(count)s held rounds are not decided.",
                number,
            )
            % {"table": name, "count": write_count(number)},
            _("Game supervisor"),
            "rounds-held",
            (system.code, code),
        )
        for code, name, number in _rows(_HELD, {"system": system.pk, "through": through})
    )


def _requests(system: JackpotSystem, end: dt.datetime, through: int) -> tuple[OpenPoint, ...]:
    """What dealers asked, and missed rounds that wait for a second person."""
    values = {"system": system.pk, "end": end, "through": through}
    points_ = []
    for _code, name, number in _rows(_REQUESTS, values):
        text = ngettext(
            "%(table)s: %(count)s request about rounds is not decided.",
            "%(table)s: %(count)s requests about rounds are not decided.",
            number,
        ) % {"table": name, "count": write_count(number)}
        points_.append(OpenPoint(text, _("Game supervisor"), "irregularities"))
    for _code, name, _number in _rows(_PROPOSED, values):
        text = _("%(table)s: missed rounds are proposed, and not approved.") % {"table": name}
        points_.append(OpenPoint(text, _("Casino manager"), "irregularities"))
    return tuple(points_)


def _skipped(system: JackpotSystem, end: dt.datetime) -> tuple[OpenPoint, ...]:
    """Messages in quarantine, and what was skipped: alarms that nobody has looked into."""
    kinds = ("quarantine", "quarantine_limit", "identity_conflict")
    alarms = Alarm.objects.filter(
        system=system, kind__in=kinds, cleared_at=None, raised_at__lt=end
    ).order_by("pk")
    return tuple(
        OpenPoint(
            _("Quarantined messages: nobody has cleared the alarm about %(subject)s.")
            % {"subject": alarm.subject},
            _("Casino manager"),
            "quarantine",
        )
        for alarm in alarms
    )


def _reconciliation(system: JackpotSystem, through: int) -> tuple[OpenPoint, ...]:
    newest = Reconciliation.objects.filter(system=system).order_by("-id").first()
    if newest is None or newest.up_to_seq < through:
        text = _("The system has not been reconciled since the end of the day.")
    elif newest.differences:
        text = _("The last reconciliation found differences.")
    else:
        return ()
    return (OpenPoint(text, _("Compliance"), "reconciliation"),)


def _drop(system: JackpotSystem, day: dt.date) -> Check:
    """The drop of every table, of a house that counts it (decisions 0097 and 0174)."""
    counting = counting_of(system, figures.DROP)
    if not counting.is_on(day):
        return Check("drop", is_kept=False, stopped_since=counting.stopped_since(day))
    who, query = _("Cashier or compliance"), f"?system={system.code}&day={day}"
    text = _("%(table)s: its drop is not counted.")
    return Check(
        "drop",
        tuple(
            OpenPoint(text % {"table": row.table.name}, who, "drop", query=query)
            for row in figures.variances(system, day, day)
            if row.count is None
        ),
    )


def _bank(system: JackpotSystem, day: dt.date) -> Check:
    """The balance at the bank, of a house that enters it (decisions 0097 and 0174)."""
    counting = counting_of(system, figures.BANK)
    if not counting.is_on(day):
        return Check("bank", is_kept=False, stopped_since=counting.stopped_since(day))
    text, query = _("The bank balance is not entered."), f"?system={system.code}&day={day}"
    return Check(
        "bank",
        tuple(
            OpenPoint(text, _("Compliance"), "drop", query=query)
            for row in figures.balances(system, day, day)
            if row.count is None
        ),
    )


def _findings(system: JackpotSystem, day: dt.date) -> tuple[OpenPoint, ...]:
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
    return tuple(points_)


def _rows(query: str, values: dict[str, Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        rows: list[Any] = cursor.fetchall()
    return rows
