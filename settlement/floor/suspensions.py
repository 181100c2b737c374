"""Tables that are suspended at present: since when, by whom, and why. Selectors only."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext

from jackpot.display.dark_displays import is_lit, last_read
from jackpot.models import Command, Entry
from jackpot.terms.document import JackpotTerms
from settlement.people.rights.permissions import name_of
from settlement.pools.status import Posted, posted_terms
from tables.models import GamingTable, JackpotSystem


@dataclass(frozen=True, slots=True)
class Suspension:
    """A table that a jackpot does without. `by` empty: the console, for a dark display (19.7)."""

    system: JackpotSystem
    table: GamingTable
    jackpot: JackpotTerms
    at: dt.datetime
    by: str
    why: str
    dark_since: dt.datetime | None
    is_lit: bool  # whether its display reads back now

    @property
    def words(self) -> str:
        """Who did it and why, and what is to do where the console did."""
        if self.by:
            return gettext("By %(by)s: %(why)s") % {"by": self.by, "why": self.why}
        if self.is_lit:
            return gettext("Its display was dark, and reads back again: resume it.")
        return gettext("Its display is dark: see that it is lit, then resume it.")


def suspensions(systems: Iterable[JackpotSystem]) -> list[Suspension]:
    """Of every jackpot the tables that it does without, by system; a fixed number of queries."""
    system_list = list(systems)
    candidates = [
        (system, code, versions[-1], _first_without(versions, code))
        for (of, _), versions in sorted(posted_terms(system_list).items())
        for system in system_list
        if of == system.pk
        for code in versions[-1].terms.suspended_tables
        if versions[-1].terms.is_at(code)  # it may have been closed since, or named other tables
    ]
    if not candidates:
        return []
    seqs = {first.effective_seq for *_, first in candidates}
    entries = {
        (entry.system_id, entry.seq): entry
        for entry in Entry.objects.filter(system__in=system_list, seq__in=seqs)
    }
    numbers = {entry.command for entry in entries.values() if entry.command is not None}
    commands = {
        (command.system_id, command.number): command
        for command in Command.objects.filter(system__in=system_list, number__in=numbers)
    }
    people = User.objects.in_bulk(
        {command.first for command in commands.values()}, field_name="username"
    )
    tables = {
        (table.system_id, table.code): table
        for table in GamingTable.objects.filter(
            system__in=system_list, code__in={code for _, code, *_ in candidates}
        ).annotate(last_read=last_read())
    }
    now, rows = timezone.now(), []
    for system, code, newest, first in candidates:
        entry, table = entries[system.pk, first.effective_seq], tables[system.pk, code]
        command = commands.get((system.pk, entry.command or 0))
        who = command.first if command else ""
        since = (entry.body or {}).get("since") if command is None else None
        rows.append(
            Suspension(
                system=system,
                table=table,
                jackpot=newest.terms,
                at=entry.at,
                by=name_of(people[who]) if who in people else who,
                why=str(command.body.get("reason", "")) if command else "",
                dark_since=dt.datetime.fromisoformat(since) if since else None,
                is_lit=is_lit(table.last_read, now),
            )
        )
    return rows


def _first_without(versions: list[Posted], table: str) -> Posted:
    """The version that suspended the table for as long as it is now."""
    first = versions[-1]
    for version in reversed(versions):
        if table not in version.terms.suspended_tables:
            break
        first = version
    return first
