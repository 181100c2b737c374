"""Where an entry of the order leads: its claim, its table, or what it moved in the ledger."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from jackpot.models import Entry
from settlement.core.gaming_day import day_of
from settlement.people.rights.permissions import may
from tables.models import GamingTable


def table_at(entry: Entry, table: GamingTable) -> str:
    """The table's page at what its unit said with that entry, or from the newest on."""
    place = f"?before={entry.boot}.{(entry.event_seq or 0) + 1}" if entry.boot else ""
    return f"{reverse('table', args=[table.system.code, table.code])}{place}#events"


def entry_address(entry: Entry, user: Any) -> str:
    """Empty where the person's role opens none of them."""
    system = entry.system
    if entry.hit:
        return reverse("claim", args=[system.code, entry.hit])
    if entry.table is not None and entry.event_seq:
        return table_at(entry, entry.table)
    return ledger_address(entry, user)


def ledger_address(entry: Entry, user: Any) -> str:
    """What the entry moved, in the general ledger; empty for who opens no reports."""
    if not may(user, "export_reports", entry.system):
        return ""
    casino = entry.system.casino
    day = str(day_of(entry.at, casino))
    query = {"casino": casino.code, "system": entry.system.code, "entry": str(entry.seq)}
    return f"{reverse('report', args=['ledger'])}?{urlencode({**query, 'from': day, 'to': day})}"
