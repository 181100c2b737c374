"""All promises of all systems, one after the other, in one moment of the database."""

from __future__ import annotations

import functools
import gc
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from verifier.database.people_records import recorded
from verifier.database.report import CannotLook, Report, Scope
from verifier.database.rows import (
    Conflict,
    Connection,
    Sealed,
    System,
    ask,
    of_a_standby,
    snapshot,
    systems,
    walk,
)
from verifier.fold.folding import Fold
from verifier.fold.skipped_entries import SkippedEntries
from verifier.journals import Journal, UnitRecords, find, journals_are_in_the_inbox
from verifier.order import inbox, unit_receipts
from verifier.order.boot_counter import discarded
from verifier.order.chain import Sources
from verifier.order.closes import closes
from verifier.order.displays import dark
from verifier.order.order import Order
from verifier.order.projections import projections
from verifier.order.receipts import HeldOtherwise, receipts
from verifier.order.row_statements import End, Stated, end_of
from verifier.order.table_transfers import table_transfers
from verifier.people.authorisation import behind, two_people
from verifier.people.conflicts import conflicts
from verifier.people.counts import counts
from verifier.people.decision_basis import records, unrecorded
from verifier.people.evidence import evidence
from verifier.people.exclusions import exclusions
from verifier.people.files import files
from verifier.people.permissions import permitted
from verifier.people.remittances import remittances
from verifier.people.sharers import sharers
from verifier.people.signatures import signatures
from verifier.people.two_people import different_people, payouts, undone_by_others
from verifier.second_process import SecondProcess, helps

# How the code begins, under the hash of every block, of a system whose money is not real.
REHEARSAL = "rehearsal-"
# So far back the fold keeps what may change; whether they come back it judges by itself.
_RETURNING = """
    SELECT hit FROM jackpot_entry
    WHERE system_id = %s AND type = 'reverse_rejection' AND hit IS NOT NULL
"""
Progress = Callable[[str], None]
NO_UNITS = UnitRecords()


def verify(
    database_url: str,
    units: UnitRecords = NO_UNITS,
    settled: bool = True,
    *,
    system: str | None = None,
    with_actions: bool = True,
    progress: Progress | None = None,
) -> Report:
    """Hold a database, and what the units hold where given, against every promise.

    `settled`: nothing is on its way any more, so that every event and command has its entry.
    `system`: a code; without it all systems. `with_actions=False`: the decisions were queued by a
    program, without the people's actions behind them. A standby is looked at as well; one that ends
    the look twice, to follow its primary, is CannotLook.
    """
    options = _Options(units, settled, with_actions, progress or _nothing, database_url)
    try:
        return _look_once(database_url, options, system)
    except Conflict:
        options.progress("the standby ended the look to follow its primary: once more")
    try:
        return _look_once(database_url, options, system)
    except Conflict as conflict:
        words = str(conflict).partition("\n")[0]
        raise CannotLook(
            f"the standby ended the look twice, to follow its primary ({words}):"
            " set hot_standby_feedback and a longer max_standby_streaming_delay there, look when no"
            " migration runs, or name the primary"
        ) from conflict


def _look_once(database_url: str, options: _Options, system: str | None) -> Report:
    with snapshot(database_url) as connection:
        report = _look(connection, options, system)
        if (until := of_a_standby(connection)) is not None:
            report.remarks.append(f"the server is a standby: commits after {until} are not seen")
        return report


def look(
    connection: Connection,
    units: UnitRecords = NO_UNITS,
    settled: bool = True,
    *,
    system: str | None = None,
    with_actions: bool = True,
    progress: Progress | None = None,
) -> Report:
    """As `verify`, in the transaction of a connection that is open already."""
    options = _Options(units, settled, with_actions, progress or _nothing)
    return _look(connection, options, system)


def _nothing(_line: str) -> None:
    pass


def _look(connection: Connection, options: _Options, system: str | None) -> Report:
    started = time.monotonic()
    report = Report()
    if options.units.journals is not None:
        options.journals = find(options.units.journals, report)
    system_rows = systems(connection, system)
    if not system_rows:
        raise CannotLook(f"There is no system {system}." if system else "There is no system.")
    with _seldom_collected():
        for each in system_rows:
            if each.code.startswith(REHEARSAL):
                report.remarks.append(f"system {each.code} is a rehearsal: its money is not real")
            _system(connection, each, report, options)
    if system is None:
        unrecorded(connection, report)
        codes = {each.code for each in system_rows}
        for journal in options.journals:
            if journal.system not in codes:
                name = f"{journal.path.name} is of a system {journal.system}"
                report.add("journals", f"{name}, which the console does not know")
    if options.with_actions:
        signatures(connection, report, system_rows)
    report.seconds = time.monotonic() - started
    return report


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Rows refer to nothing in circles: to look for those every few hundred rows takes a tenth."""
    thresholds = gc.get_threshold()
    gc.set_threshold(100 * thresholds[0], *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


@dataclass
class _Options:
    """What the caller asked for."""

    units: UnitRecords
    settled: bool
    with_actions: bool
    progress: Progress
    url: str | None = None  # where a second process finds the same moment of the database
    journals: list[Journal] = field(default_factory=list)

    @property
    def folder(self) -> Path | None:
        """Where the units' files are, if they are in a folder."""
        folder = self.units.journals
        return Path(folder) if isinstance(folder, Path | str) else None


def _system(connection: Connection, system: System, report: Report, options: _Options) -> None:
    scope = Scope(report, system.code)
    report.counts["systems"] += 1
    end = end_of(connection, system)
    otherwise = HeldOtherwise(connection, system)
    fold = _order(connection, scope, system, options, end, otherwise)
    if not fold.is_broken:
        projections(connection, scope, system, fold.state)
    closes(connection, scope, system, fold)
    options.progress(f"system {system.code}: inbox, receipts, people")
    if options.settled:
        inbox.every_event_has_its_entry(connection, scope, system)
        inbox.every_event_has_its_table(connection, scope, system)
    quarantined = inbox.quarantine_is_whole(connection, scope, system)
    if quarantined:
        report.remarks.append(f"system {system.code}: {quarantined} messages are in quarantine")
    if end.halted_on:
        report.remarks.append(f"system {system.code}: it is halted on {end.halted_on}")
    covered = _covered(system, options)
    receipts(connection, scope, system, otherwise, covered)
    files(
        connection,
        scope,
        system,
        fold.decisions,
        with_actions=options.with_actions,
        settled=options.settled,
    )
    counts(connection, scope, system, fold, settled=options.settled)
    remittances(connection, scope, system, fold.decisions, settled=options.settled)
    records(connection, scope, system)
    dark(connection, scope, system, fold.dark)
    discarded(connection, scope, system, fold.decisions)
    two_people(scope, fold.decisions)
    if options.with_actions:
        people_records = recorded(connection, system, fold.opened)
        behind(scope, fold.decisions, people_records)
        different_people(scope, fold.decisions, people_records)
        undone_by_others(scope, fold.decisions, people_records)
        permitted(connection, scope, system)
        conflicts(connection, scope, system, fold.decisions)
        exclusions(connection, scope, system, fold.decisions)
        sharers(connection, scope, system, fold.decisions)
        if not fold.is_broken:
            evidence(connection, scope, system, fold.decisions, fold.state)
        payouts(connection, scope, system, fold.decisions, options.settled)
    table_transfers(connection, scope, system, fold.decisions, settled=options.settled)
    _journals(connection, system, scope, options, covered)


def _order(
    connection: Connection,
    scope: Scope,
    system: System,
    options: _Options,
    end: End,
    otherwise: HeldOtherwise,
) -> Fold:
    """One walk through the order, or two side by side; every check looks at each block."""
    displays, skipped = _Displays(connection, system), SkippedEntries(connection, scope, system)
    returning = frozenset(hit for (hit,) in ask(connection, _RETURNING, [system.id]))
    fold = Fold(scope, system, end.accounts, displays.were_sent, skipped, returning)
    order, sources = Order(scope, otherwise.all_of), Sources(scope)
    blocks = _blocks(connection, scope, system, options, end)
    if options.url is not None and helps(end.seq):
        with SecondProcess(options.url, connection, system, options.units.log) as second:
            _walk(blocks, [order, sources, fold])
            second.report_to(scope.report)
    else:
        stated = Stated(connection, scope, system, options.units.log)
        _walk(blocks, [order, sources, stated, fold])
        stated.end()
    order.end(end.seq, end.last_command if options.settled and not end.halted_on else None)
    fold.end(end.balances)
    return fold


class Check(Protocol):
    """What looks at an order, block by block."""

    def block(self, sealed: Sealed) -> None:
        """The next block."""


def _walk(blocks: Iterator[Sealed], checks: list[Check]) -> None:
    for sealed in blocks:
        for check in checks:
            check.block(sealed)


def _blocks(
    connection: Connection, scope: Scope, system: System, options: _Options, end: End
) -> Iterator[Sealed]:
    """The order of a system, counted, with word of the progress."""
    counts, reported_at = scope.report.counts, time.monotonic()
    for sealed in walk(connection, system):
        yield sealed
        counts["entries"] += len(sealed.entries)
        counts["transfers"] += len(sealed.transfers)
        counts["blocks"] += sealed.block is not None
        if time.monotonic() - reported_at > 2 and sealed.entries:
            reported_at = time.monotonic()
            seq = sealed.entries[-1].seq
            options.progress(f"system {system.code}: entry {seq:,} of {end.seq:,}")


def _journals(
    connection: Connection,
    system: System,
    scope: Scope,
    options: _Options,
    covered: Mapping[tuple[str, int], int],
) -> None:
    own = [journal for journal in options.journals if journal.system == system.code]
    if own:
        options.progress(f"system {system.code}: {len(own)} journals")
        scope.report.counts["journalled"] += journals_are_in_the_inbox(
            connection, scope, system, own, options.settled, covered
        )
    if options.folder is not None:
        unit_receipts.numbers_stand(connection, scope, system, options.folder)


def _covered(system: System, options: _Options) -> dict[tuple[str, int], int]:
    """What receipts said to units, by the caller's word and by their own files."""
    committed_seqs = (
        unit_receipts.covered(options.folder, system) if options.folder is not None else {}
    )
    for (code, table, boot), through in options.units.covered.items():
        if code == system.code:
            committed_seqs[table, boot] = max(through, committed_seqs.get((table, boot), 0))
    return committed_seqs


class _Displays:
    """What displays were sent."""

    def __init__(self, connection: Connection, system: System) -> None:
        self._connection, self._system = connection, system

    @functools.lru_cache(maxsize=256)  # noqa: B019 it lives as long as one walk
    def _messages_of(self, seq: int) -> list[dict[str, int]]:
        rows = ask(
            self._connection,
            "SELECT payload::text FROM jackpot_displaymessage"
            " WHERE system_id = %s AND system_seq = %s",
            [self._system.id, seq],
        )
        unit = 10 ** (6 - self._system.digits)
        return [
            {tier["tier"]: tier["value"] * unit for tier in json.loads(payload)["tiers"]}
            for (payload,) in rows
        ]

    def were_sent(self, seq: int, values: dict[str, int]) -> bool:
        """Whether a message of that entry had these values."""
        return any(values.items() <= message.items() for message in self._messages_of(seq))
