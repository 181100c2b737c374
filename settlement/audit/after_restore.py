"""After a restore from a backup: what may be missing, and hands whose number may have changed.

Events come back from the units' journals. What people decided does not, and where tables
interleaved, the order may not be the one that was announced before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import connection

from jackpot.models import Command, Entry, Head
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import Action, Payout
from tables.alarms import raise_alarm
from tables.models import EraBegun, JackpotSystem, TableEvent

ORDER_ALARM = "order_after_restore"

# Hands that got their place after the restore, and were recorded by their unit before it: their
# number may have been announced already. The unit's clock is evidence enough for a warning.
_RECORDED_BEFORE = """
    SELECT h.number, g.name, h.place FROM jackpot_hit h
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (h.system_id, h.place)
    JOIN tables_tableevent e ON e.id = n.event_id
    JOIN tables_gamingtable g ON g.id = h.table_id
    WHERE h.system_id = %(system)s AND h.at >= %(begun)s AND e.recorded_at < %(begun)s
      AND NOT EXISTS (SELECT FROM tables_alarm a WHERE a.kind = %(kind)s
                      AND a.subject = %(code)s || '-' || h.number)
    ORDER BY h.number
"""


def last_known(system: JackpotSystem, entries: Mapping[str, int]) -> list[str]:
    """What this database knew last; anything after it is gone unless a unit sends it again.

    `entries`: the entry at which displays stand by the broker's memory, by system.
    """
    head = Head.objects.filter(system=system).first()
    seq = head.seq if head else 0
    entry = Entry.objects.filter(system=system, seq=seq).first()
    event = TableEvent.objects.filter(system=system).order_by("-id").first()
    command = Command.objects.filter(system=system).order_by("-number").first()
    action = Action.objects.filter(claim__system=system).select_related("claim", "person").last()
    payout = Payout.objects.filter(claim__system=system).select_related("claim").last()
    texts = [
        f"last entry {seq}" + (f" of {entry.at:%Y-%m-%d %H:%M:%S} UTC" if entry else ""),
        f"last event received {event.received_at:%Y-%m-%d %H:%M:%S} UTC" if event else "no event",
        f"last command {command.number}, {command.kind} by {command.first},"
        f" {command.issued_at:%Y-%m-%d %H:%M:%S} UTC"
        if command
        else "no command",
        f"last action on a claim: {action.get_kind_display()} {action.claim},"
        f" {action.at:%Y-%m-%d %H:%M:%S} UTC"
        if action
        else "no action on a claim",
        f"last payout: {payout.claim}, seat {payout.seat}, {payout.at:%Y-%m-%d %H:%M:%S} UTC"
        if payout
        else "no payout",
    ]
    if (shown_seq := entries.get(system.code, 0)) > seq:
        texts.append(
            f"displays were last told entry {shown_seq}: {shown_seq - seq} entries are gone"
        )
    return texts


def fence_writers(systems: list[int]) -> None:
    """A writer of before the restore that is still there may commit nothing."""
    for head in Head.objects.select_for_update().filter(system__in=systems).order_by("pk"):
        head.epoch, head.writer, head.lease_until = head.epoch + 1, "", None
        head.save(update_fields=["epoch", "writer", "lease_until"])


def flag_hands(system: JackpotSystem) -> int:
    """Raise an alarm for each hand that got its place a second time; how many. Idempotent."""
    if system.era == 1:
        return 0
    era = EraBegun.objects.filter(system=system).order_by("-era").first()
    if era is None:
        return 0
    names: dict[str, Any] = {
        "system": system.pk,
        "code": system.code,
        "begun": era.begun_at,
        "kind": ORDER_ALARM,
    }
    with connection.cursor() as cursor:
        cursor.execute(_RECORDED_BEFORE, names)
        hands = cursor.fetchall()
    for number, table, place in hands:
        raise_alarm(
            ORDER_ALARM,
            f"{system.code}-{number}",
            HouseAlarm.ORDER_AFTER_RESTORE
            % {"table": table, "place": place, "claim": f"{system.code}-{number}"},
            system,
        )
    return len(hands)
