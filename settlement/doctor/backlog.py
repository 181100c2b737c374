"""What waits: events without a place, messages, commands; reconciliation, and open alarms."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.audit.reconciliation import LATE_INTERVALS
from settlement.closing import closes
from settlement.core.report_query import ask, bind
from settlement.core.words.labels import ALARMS
from settlement.devices.health import health_of
from settlement.devices.unit_states import LOST
from settlement.doctor.examination import Point, Subject, attention, good, series, unseen, wrong
from settlement.models import Reconciliation
from tables.models import Alarm, JackpotSystem

SLOW, STUCK = dt.timedelta(seconds=10), dt.timedelta(minutes=2)

# The oldest of each kind that waits, of all systems. Events behind a gap wait for its end
# (GAP_WAIT_S); what has an entry already is only not passed by its cursor yet.
_WAITING = """
    SELECT least(
               (SELECT min(waiting.received_at) FROM tables_stream s
                CROSS JOIN LATERAL (
                    SELECT e.received_at FROM tables_tableevent e
                    WHERE (e.system_id, e.table_id, e.boot) = (s.system_id, s.table_id, s.boot)
                      AND e.seq > coalesce((
                          SELECT c.through FROM jackpot_cursor c
                          WHERE (c.system_id, c.table_id, c.boot)
                              = (s.system_id, s.table_id, s.boot)), 0)
                      AND NOT EXISTS (SELECT FROM jackpot_entry n WHERE n.event_id = e.id)
                    ORDER BY e.seq LIMIT 1
                ) AS waiting
                WHERE NOT s.settled AND NOT s.discarded),
               (SELECT min(e.received_at) FROM tables_straggler w
                JOIN tables_tableevent e ON e.id = w.event_id
                JOIN jackpot_cursor c
                  ON (c.system_id, c.table_id, c.boot) = (w.system_id, w.table_id, w.boot)
                WHERE w.seq <= c.through
                  AND NOT EXISTS (SELECT FROM jackpot_entry n WHERE n.event_id = w.event_id))
           ) AS event,
           (SELECT min(created) FROM tables_outboxmessage) AS message,
           (SELECT count(*) FROM tables_outboxmessage) AS messages,
           (SELECT min(c.issued_at) FROM jackpot_commandqueue q JOIN jackpot_command c
              ON c.system_id = q.system_id AND c.number = q.taken + 1
            WHERE q.last_number > q.taken) AS command
"""


def look() -> dict[str, Any]:
    """The oldest of what waits, in one query."""
    (row,) = ask(bind(_WAITING))
    return row


BACKLOG = Subject("backlog", gettext_noop("What waits"), look)


@BACKLOG.check(gettext_noop("Events without a sequence number"))
def events(facts: dict[str, Any]) -> Point:
    return _age(facts["event"], _("Check that the poster runs, and that no system halted."))


@BACKLOG.check(gettext_noop("Messages to tables"))
def outbox(facts: dict[str, Any]) -> Point:
    return _age(facts["message"], _("Check that the intake runs and reaches the broker."))


@BACKLOG.check(gettext_noop("Commands of people"))
def commands(facts: dict[str, Any]) -> Point:
    return _age(facts["command"], _("Check that the poster runs, and that no system halted."))


@BACKLOG.check(gettext_noop("Reconciliation"))
def reconciliation(_facts: dict[str, Any]) -> Point:
    newest: Any = Reconciliation.objects.order_by("system_id", "-id").distinct("system_id")
    rows = {each.system_id: each for each in newest.only("system_id", "at", "differences")}
    oldest = timezone.now() - dt.timedelta(seconds=LATE_INTERVALS * settings.RECONCILE_EVERY_S)
    systems = JackpotSystem.objects.in_bulk()
    differing = [
        systems[key].code for key, row in rows.items() if key in systems and row.differences
    ]
    if differing:
        return wrong(
            _("Rows differ from the recorded sequence: %(systems)s.")
            % {"systems": series(differing)},
            _("Open the page Reconciliation, and pay nothing of these systems before it is clear."),
        )
    late = [each.code for key, each in systems.items() if key in rows and rows[key].at < oldest]
    if late:
        return wrong(
            _("Not reconciled for too long: %(systems)s.") % {"systems": series(late)},
            _("Check that worker and beat run."),
        )
    if not rows:
        return unseen(_("Nothing was reconciled yet."))
    return good(_("Every system was reconciled recently, without a difference."))


@BACKLOG.check(gettext_noop("Open alarms"))
def alarms(_facts: dict[str, Any]) -> Point:
    """Whoever watches raises them: unclosed days, certificates, accounts, passwords of roles."""
    rows = Alarm.objects.filter(cleared_at=None).values("kind").annotate(count=Sum("count"))
    words = [f"{ALARMS.get(row['kind'], row['kind'])} ({row['count']})" for row in rows.order_by()]
    if words:
        return attention(
            _("Open: %(alarms)s.") % {"alarms": series(words)},
            _("Open the overview: each alarm says what to do, and is cleared with a note."),
        )
    return good(_("No alarm is open."))


@BACKLOG.check(gettext_noop("Gaming days and months that are not closed"), by_command=True)
def unclosed(_facts: dict[str, Any]) -> Point:
    late = [
        closes.alarm_subject(each)
        for system in JackpotSystem.objects.for_money().select_related("casino")
        for each in closes.late(system, settings.UNCLOSED_AFTER_H)
    ]
    if late:
        return attention(
            _("Open too long: %(periods)s.") % {"periods": series(late)},
            _("Open Close of day: it says what keeps a day or month open and who must act."),
        )
    return good(_("No gaming day or month is open too long."))


@BACKLOG.check(gettext_noop("Devices"), by_command=True)
def devices(_facts: dict[str, Any]) -> Point:
    health = [each for system in JackpotSystem.objects.for_money() for each in health_of(system)]
    ailing = [
        f"{each.table.system.code}/{each.table.code}"
        for each in health
        if each.is_ailing or (each.table.in_service and each.state in LOST)
    ]
    if ailing:
        return attention(
            _("Needs attention: %(tables)s.") % {"tables": series(ailing)},
            _("Open the page Devices: it names clock, gap or MAC of each unit."),
        )
    return good(_("%(count)d units, none of which needs attention.") % {"count": len(health)})


def _age(oldest: dt.datetime | None, advice: str) -> Point:
    """How long the oldest has waited."""
    if oldest is None:
        return good(_("None waits."))
    age = max(timezone.now() - oldest, dt.timedelta())
    text = _("The oldest has waited for %(seconds)d s.") % {"seconds": age.total_seconds()}
    if age > STUCK:
        return wrong(text, advice)
    return attention(text, advice) if age > SLOW else good(text)
