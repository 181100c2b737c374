"""First credentials for many devices: each by itself, so that one refusal stops no other."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from settlement.core.errors import RuleBroken
from settlement.devices import credentials
from settlement.devices.credentials import Device, Issued, Kind
from tables.models import DeviceCredential, GamingTable, JackpotSystem


@dataclass(frozen=True)
class Refusal:
    """A device that got no credential, and why."""

    table: GamingTable
    fault: RuleBroken


def without_one(system: JackpotSystem, kind: Kind) -> list[GamingTable]:
    """The tables of a system whose unit, or display, has no credential that holds, by their codes,
    numbers in their order."""
    rows = DeviceCredential.objects.filter(kind=kind, table__system=system)
    standings = credentials.credentials_of(rows, timezone.now())
    holding = [
        each.credential.table_id
        for each in standings
        if each.holds and each.credential.table_id is not None
    ]
    tables = GamingTable.objects.filter(system=system, moved_to=None)
    rest = tables.exclude(pk__in=holding).select_related("system__casino")
    return sorted(rest, key=lambda each: (len(each.code), each.code))


def issue_all(
    by: Any, kind: Kind, tables: Iterable[GamingTable], way: str, overlap: dt.timedelta | None
) -> tuple[list[Issued], list[Refusal]]:
    """First credentials, with their secrets, which are read here and never again; and who got none.

    `overlap` as `credentials.issue` takes it. NotPermitted where none may be issued.
    """
    credentials.require(by, credentials.MAY)
    issued_list: list[Issued] = []
    refusals: list[Refusal] = []
    for table in tables:
        keeps = overlap if kind == Kind.UNIT else None
        try:
            issued_list.append(credentials.issue(by, Device(kind, table), way, keeps))
        except RuleBroken as fault:
            refusals.append(Refusal(table, fault))
    return issued_list, refusals
