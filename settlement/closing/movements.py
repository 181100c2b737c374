"""What moved between which accounts on each gaming day: of closed days from what is kept of them.

The worker keeps a closed day in short (`ClosedDay`, `DayMovement`), so that a report reads some
rows a day instead of every transfer. Days that are open are read from the ledger.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from jackpot.models import Command, Entry
from settlement.closing import display_days, table_days
from settlement.closing.closes import closes
from settlement.core.gaming_day import DAY, start_of
from settlement.core.sequence_at import first_transfers
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import ClosedDay, ClosedDayCheck
from tables.alarms import raise_alarm
from tables.models import Alarm, JackpotSystem

MISSED = "comparison_missed"  # an alarm
_HOUR = dt.timedelta(hours=1)
_YOUNG = dt.timedelta(hours=20)  # a comparison that is enough for the night
_KEEP = """
    INSERT INTO settlement_daymovement (day_id, debit_id, credit_id, reason, count, amount)
    SELECT %(id)s, debit_id, credit_id, reason, count(*), sum(amount) FROM jackpot_transfer
    WHERE system_id = %(system)s AND number > %(since)s AND number <= %(through)s
    GROUP BY debit_id, credit_id, reason
"""
_CLOSED = """
    SELECT d.day, o.code, i.code, m.reason, m.count, m.amount FROM settlement_closedday d
    JOIN settlement_daymovement m ON m.day_id = d.id
    JOIN jackpot_account o ON o.id = m.debit_id JOIN jackpot_account i ON i.id = m.credit_id
    WHERE d.system_id = %s AND d.day BETWEEN %s AND %s
"""
_OPEN = """
    SELECT d.day, o.code, i.code, t.reason, t.count, t.amount::bigint
    FROM unnest(%s::date[], %s::bigint[], %s::bigint[]) AS d (day, low, high)
    CROSS JOIN LATERAL (
        SELECT debit_id, credit_id, reason, count(*), sum(amount) AS amount FROM jackpot_transfer
        WHERE system_id = %s AND number >= d.low AND number < d.high
        GROUP BY debit_id, credit_id, reason
    ) AS t
    JOIN jackpot_account o ON o.id = t.debit_id JOIN jackpot_account i ON i.id = t.credit_id
"""
_DIFFERENT = """
    WITH days AS (
        SELECT id, day, through_transfer AS through,
               lag(through_transfer, 1, 0::bigint) OVER (ORDER BY day) AS since
        FROM settlement_closedday WHERE system_id = %(system)s
    ), due AS (
        SELECT days.day, t.* FROM days CROSS JOIN LATERAL (
            SELECT debit_id, credit_id, reason, count(*), sum(amount) AS amount
            FROM jackpot_transfer
            WHERE system_id = %(system)s AND number > days.since AND number <= days.through
            GROUP BY debit_id, credit_id, reason) AS t
    ), rows AS (
        SELECT days.day, m.debit_id, m.credit_id, m.reason, m.count, m.amount
        FROM days JOIN settlement_daymovement m ON m.day_id = days.id
    )
    SELECT DISTINCT day FROM (
        (SELECT * FROM due EXCEPT ALL SELECT * FROM rows)
        UNION ALL (SELECT * FROM rows EXCEPT ALL SELECT * FROM due)
    ) AS different ORDER BY day
"""


@dataclass(frozen=True, slots=True)
class Movement:
    """`count` transfers of a gaming day from one account to another for one reason; micros."""

    day: dt.date
    debit: str
    credit: str
    reason: str
    count: int
    amount: int


def movements(system: JackpotSystem, first: dt.date, last: dt.date) -> list[Movement]:
    """What moved on the gaming days from `first` to `last`, both included, in their order."""
    with connection.cursor() as cursor:
        cursor.execute(_CLOSED, [system.pk, first, last])
        rows = [Movement(*row) for row in cursor.fetchall()]
        days = open_days(system, first, last)
        cuts = first_transfers(
            system.pk, [start_of(day, system.casino) for day in [*days, last + DAY]]
        )
        cursor.execute(_OPEN, [days, cuts[:-1], cuts[1:], system.pk])
        rows += [Movement(*row) for row in cursor.fetchall()]
    return sorted(rows, key=lambda each: (each.day, each.debit, each.credit, each.reason))


def open_days(system: JackpotSystem, first: dt.date, last: dt.date) -> list[dt.date]:
    """The days of that span of which nothing is kept: those behind the last closed one."""
    newest = ClosedDay.objects.filter(system=system).order_by("-day").first()
    day = first if newest is None else max(first, newest.day + DAY)
    return [day + DAY * n for n in range((last - day).days + 1)]


def keep_closed_days(system: JackpotSystem) -> int:
    """Keep in short what people closed since the last time; how many days that were."""
    days = set(ClosedDay.objects.filter(system=system).values_list("day", flat=True))
    row_count = 0
    for name, entry in closes(system).items():
        if len(name) == 7 or dt.date.fromisoformat(name) in days:
            continue
        with transaction.atomic():
            row_count += _keep(system, dt.date.fromisoformat(name), entry)
    return row_count


def _keep(system: JackpotSystem, day: dt.date, entry: Entry) -> int:
    body = _body(system, entry)
    before = ClosedDay.objects.filter(system=system).order_by("-day").first()
    row, is_new = ClosedDay.objects.get_or_create(
        system=system,
        day=day,
        defaults={
            "entry": entry.seq,
            "through_seq": body["through_seq"],
            "through_transfer": body["through_transfer"],
        },
    )
    if not is_new:  # another worker was faster
        return 0
    values = {
        "id": row.pk,
        "system": system.pk,
        "since": before.through_transfer if before else 0,
        "through": row.through_transfer,
    }
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, values)
    return 1


def _body(system: JackpotSystem, entry: Entry) -> dict[str, int]:
    return dict(Command.objects.get(system=system, number=entry.command or 0).body)


def is_comparison_due(system: JackpotSystem) -> bool:
    """Whether it is COMPARE_AT_HOUR by the casino's clock, or the hour that a night has instead
    when clocks jump over it, and no comparison is younger than 20 hours."""
    zone, now = ZoneInfo(system.casino.timezone), timezone.now()
    at = _hour_of(now.astimezone(zone).date(), zone)
    if not at <= now < at + _HOUR:
        return False
    return not ClosedDayCheck.objects.filter(system=system, at__gt=now - _YOUNG).exists()


def missed_night(system: JackpotSystem) -> dt.date | None:
    """The date of the last COMPARE_AT_HOUR that is over, where the system was in play and nobody
    compared it then, or in the hours before; None where somebody did."""
    zone, now = ZoneInfo(system.casino.timezone), timezone.now()
    night = now.astimezone(zone).date()
    at = _hour_of(night, zone)
    if now < at + _HOUR:
        night -= dt.timedelta(days=1)
        at = _hour_of(night, zone)
    if not Entry.objects.filter(system=system, seq=1, at__lt=at).exists():
        return None
    is_compared = ClosedDayCheck.objects.filter(system=system, at__gt=at - _YOUNG).exists()
    return None if is_compared else night


def _hour_of(night: dt.date, zone: ZoneInfo) -> dt.datetime:
    """When COMPARE_AT_HOUR begins: the first of two; of an hour that clocks jump over, the one
    after it."""
    return dt.datetime.combine(night, dt.time(settings.COMPARE_AT_HOUR), zone).astimezone(dt.UTC)


def raise_for_missed_night(system: JackpotSystem) -> None:
    """One alarm for each night; the next comparison makes up for it."""
    night = missed_night(system)
    subject = f"{system.code} {night}"
    if night is None or Alarm.objects.filter(kind=MISSED, subject=subject).exists():
        return
    raise_alarm(
        MISSED,
        subject,
        HouseAlarm.NO_COMPARISON % {"system": system.name, "night": night},
        system,
    )


def compare(system: JackpotSystem) -> ClosedDayCheck:
    """Compute every closed day again from transfers, and the last days of displays from what they
    read back and of tables from transfers; a difference raises an alarm, of closed days or of what
    was added up."""
    with connection.cursor() as cursor:
        cursor.execute(_DIFFERENT, {"system": system.pk})
        differences = [f"{day}: what is kept is not its transfers" for (day,) in cursor.fetchall()]
    totals = [
        *(
            f"{day}: what displays showed is not what they read back"
            for day in display_days.different_days(system)
        ),
        *(
            f"{day}: what tables contributed is not its transfers"
            for day in table_days.different_days(system)
        ),
    ]
    check = ClosedDayCheck.objects.create(
        system=system,
        days=ClosedDay.objects.filter(system=system).count(),
        differences=differences + totals,
    )
    if differences:
        raise_alarm(
            "closed_days",
            system.code,
            HouseAlarm.CLOSED_DAYS % {"system": system.name, "difference": differences[0]},
            system,
        )
    if totals:
        raise_alarm(
            "day_totals",
            system.code,
            HouseAlarm.DAY_TOTALS % {"system": system.name, "difference": totals[0]},
            system,
        )
    return check
