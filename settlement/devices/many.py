"""Credentials of many devices issued, rotated or revoked: each by itself, so that one refusal stops
no other."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import RuleBroken, WrongState
from settlement.core.input import required_text
from settlement.devices import credentials
from settlement.devices.credentials import Device, Issued, Kind
from tables.models import DeviceCredential, GamingTable, JackpotSystem

Result = TypeVar("Result")


@dataclass(frozen=True)
class Refusal:
    """A table's device whose credential was left as it was, and why."""

    table: GamingTable
    fault: RuleBroken


def tables_of(system: JackpotSystem) -> list[GamingTable]:
    """The tables of a system by their codes, numbers in their order."""
    tables = GamingTable.objects.filter(system=system, moved_to=None)
    rows = tables.select_related("system__casino")
    return sorted(rows, key=lambda each: (len(each.code), each.code))


def without_one(system: JackpotSystem, kind: Kind) -> list[GamingTable]:
    """The tables of a system whose unit, or display, has no credential that holds."""
    held = holding(system, kind)
    return [each for each in tables_of(system) if each.pk not in held]


def with_one(system: JackpotSystem, kind: Kind) -> list[GamingTable]:
    """The others: what a credential can be revoked of, and rotated where one alone holds."""
    held = holding(system, kind)
    return [each for each in tables_of(system) if each.pk in held]


def holding(system: JackpotSystem, kind: Kind) -> dict[int, list[DeviceCredential]]:
    """By table the credentials of its unit, or display, that hold; tables without one are left
    out."""
    rows = DeviceCredential.objects.filter(kind=kind, table__system=system)
    held: dict[int, list[DeviceCredential]] = {}
    for each in credentials.credentials_of(rows, timezone.now()):
        if each.holds and each.credential.table_id is not None:
            held.setdefault(each.credential.table_id, []).append(each.credential)
    return held


def issue_all(
    by: Any, kind: Kind, tables: Iterable[GamingTable], way: str, overlap: dt.timedelta | None
) -> tuple[list[Issued], list[Refusal]]:
    """First credentials, with their secrets, which are read here and never again; and who got none.

    `overlap` as `credentials.issue` takes it. NotPermitted where none may be issued.
    """
    keeps = overlap if kind == Kind.UNIT else None
    return _each(by, tables, lambda table: credentials.issue(by, Device(kind, table), way, keeps))


def rotate_all(
    by: Any, kind: Kind, tables: Sequence[GamingTable], way: str, overlap: dt.timedelta
) -> tuple[list[Issued], list[Refusal]]:
    """Another credential for each, as `credentials.rotate` makes it, with their secrets, which are
    read here and never again; and whose was not rotated. NotPermitted where none may be."""
    held = _held(kind, tables)

    def rotate(table: GamingTable) -> Issued:
        one = held.get(table.pk, [])
        if not one:
            raise WrongState(_("No credential of this device holds: issue one."))
        if len(one) > 1:
            raise WrongState(_("Two credentials hold already: wait until one ends, or revoke."))
        return credentials.rotate(by, one[0], way, overlap)

    return _each(by, tables, rotate)


def revoke_all(
    by: Any, kind: Kind, tables: Sequence[GamingTable], reason: str
) -> tuple[list[DeviceCredential], list[Refusal]]:
    """End every credential of each device at once; which ended, and whose did not.

    NotPermitted where none may be revoked, BadReason without a reason.
    """
    credentials.require(by, credentials.MAY)
    reason = required_text(reason, _("Enter why the credential is revoked."))
    held = _held(kind, tables)

    def revoke(table: GamingTable) -> list[DeviceCredential]:
        rows = held.get(table.pk, [])
        if not rows:
            raise WrongState(_("No credential of this device holds."))
        for each in rows:
            credentials.revoke(by, each, reason)
        return rows

    revoked, refusals = _each(by, tables, revoke)
    return [each for rows in revoked for each in rows], refusals


def _held(kind: Kind, tables: Sequence[GamingTable]) -> dict[int, list[DeviceCredential]]:
    held: dict[int, list[DeviceCredential]] = {}
    for system in {table.system for table in tables}:
        held |= holding(system, kind)
    return held


def _each(
    by: Any, tables: Iterable[GamingTable], act: Callable[[GamingTable], Result]
) -> tuple[list[Result], list[Refusal]]:
    credentials.require(by, credentials.MAY)
    results: list[Result] = []
    refusals: list[Refusal] = []
    for table in tables:
        try:
            results.append(act(table))
        except RuleBroken as fault:
            refusals.append(Refusal(table, fault))
    return results, refusals
