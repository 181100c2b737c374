"""All promises of all systems, one after the other, in one moment of the database."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from verifier.database.recorded import recorded
from verifier.database.report import Report, Scope
from verifier.database.rows import Accounts, Connection, System, ask, snapshot, systems, walk
from verifier.fold.folding import Fold
from verifier.fold.skipped_entries import SkippedEntries
from verifier.journals import Journal, UnitRecords, find, journals_are_in_the_inbox
from verifier.order import inbox, unit_receipts
from verifier.order.books import Books
from verifier.order.boot_counter import discarded
from verifier.order.chain import Chain
from verifier.order.closes import closes
from verifier.order.displays import dark
from verifier.order.log import NO_LOG, Log, PublishedLog
from verifier.order.order import Order
from verifier.order.projections import projections
from verifier.order.receipts import HeldOtherwise, receipts
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
from verifier.people.two_people import different_people, payouts, undone_by_others

# So far back the fold keeps what may change; whether they come back it judges by itself.
_RETURNING = """
    SELECT hit FROM jackpot_entry
    WHERE system_id = %s AND type = 'reverse_rejection' AND hit IS NOT NULL
"""
Progress = Callable[[str], None]
NO_UNITS = UnitRecords()


class CannotLook(Exception):
    """The verifier could not look; the message says why and what to do."""


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
    program, without the people's actions behind them.
    """
    with snapshot(database_url) as connection:
        return look(
            connection, units, settled, system=system, with_actions=with_actions, progress=progress
        )


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
    started = time.monotonic()
    report = Report()
    wanted = _Wanted(settled, units.covered, with_actions, progress or (lambda _: None))
    wanted.log = units.log
    if units.journals is not None:
        wanted.journals = find(units.journals, report)
        if isinstance(units.journals, Path | str):
            wanted.folder = Path(units.journals)
    system_rows = systems(connection, system)
    if not system_rows:
        raise CannotLook(f"There is no system {system}." if system else "There is no system.")
    for each in system_rows:
        _system(connection, each, report, wanted)
    if system is None:
        unrecorded(connection, report)
        known = {each.code for each in system_rows}
        for journal in wanted.journals:
            if journal.system not in known:
                name = f"{journal.path.name} is of a system {journal.system}"
                report.add("journals", f"{name}, which the console does not know")
    report.seconds = time.monotonic() - started
    return report


@dataclass
class _Wanted:
    """What the caller asked for."""

    settled: bool
    covered: Mapping[tuple[str, str, int], int]
    with_actions: bool
    progress: Progress
    journals: list[Journal] = field(default_factory=list)
    folder: Path | None = None
    log: PublishedLog = NO_LOG


@dataclass(frozen=True)
class _End:
    """The end of a system's order as head and queue state it."""

    seq: int = 0
    transfer: int = 0
    block: int = 0
    hash: bytes = bytes(32)
    halted_on: str = ""
    last_command: int = 0


def _system(connection: Connection, system: System, report: Report, wanted: _Wanted) -> None:
    scope = Scope(report, system.code)
    report.counts["systems"] += 1
    end = _end(connection, system)
    otherwise = HeldOtherwise(connection, system)
    fold = _order(connection, system, scope, wanted, end, otherwise)
    if not fold.is_broken:
        projections(connection, scope, system, fold.state)
    closes(connection, scope, system, fold)
    wanted.progress(f"system {system.code}: inbox, receipts, people")
    if wanted.settled:
        inbox.every_event_has_its_entry(connection, scope, system)
        inbox.every_event_has_its_table(connection, scope, system)
    quarantined = inbox.quarantine_is_whole(connection, scope, system)
    if quarantined:
        report.remarks.append(f"system {system.code}: {quarantined} messages are in quarantine")
    if end.halted_on:
        report.remarks.append(f"system {system.code}: it is halted on {end.halted_on}")
    covered = _covered(system, wanted)
    receipts(connection, scope, system, otherwise, covered)
    files(
        connection,
        scope,
        system,
        fold.decisions,
        with_actions=wanted.with_actions,
        settled=wanted.settled,
    )
    counts(connection, scope, system, fold, settled=wanted.settled)
    remittances(connection, scope, system, fold.decisions, settled=wanted.settled)
    records(connection, scope, system)
    dark(connection, scope, system, fold.dark)
    discarded(connection, scope, system, fold.decisions)
    two_people(scope, fold.decisions)
    if wanted.with_actions:
        people_records = recorded(connection, system, fold.opened)
        behind(scope, fold.decisions, people_records)
        different_people(scope, fold.decisions, people_records)
        undone_by_others(scope, fold.decisions, people_records)
        permitted(connection, scope, system)
        conflicts(connection, scope, system, fold.decisions)
        exclusions(connection, scope, system, fold.decisions)
        if not fold.is_broken:
            evidence(connection, scope, system, fold.decisions, fold.state)
        payouts(connection, scope, system, fold.decisions, wanted.settled)
    table_transfers(connection, scope, system, fold.decisions, settled=wanted.settled)
    _journals(connection, system, scope, wanted, covered)


def _order(
    connection: Connection,
    system: System,
    scope: Scope,
    wanted: _Wanted,
    end: _End,
    otherwise: HeldOtherwise,
) -> Fold:
    """One walk through the order; every check looks at each block."""
    rows = ask(
        connection,
        "SELECT id, code, balance FROM jackpot_account WHERE system_id = %s",
        [system.id],
    )
    accounts = Accounts((id_, code) for id_, code, _ in rows)
    balances = {code: balance for _, code, balance in rows}
    order = Order(scope, otherwise.all_of)
    chain, books = Chain(scope, system, accounts), Books(scope, accounts)
    log = Log(connection, scope, system, accounts, wanted.log)
    displays, skipped = _Displays(connection, system), SkippedEntries(connection, scope, system)
    back = ask(connection, _RETURNING, [system.id])
    returning = frozenset(hit for (hit,) in back)
    fold = Fold(scope, system, accounts, displays.were_sent, skipped, returning)
    counts, told_at = scope.report.counts, time.monotonic()
    for sealed in walk(connection, system):
        for check in (order, chain, books, log, fold):
            check.block(sealed)
        counts["entries"] += len(sealed.entries)
        counts["transfers"] += len(sealed.transfers)
        counts["blocks"] += sealed.block is not None
        if time.monotonic() - told_at > 2 and sealed.entries:
            told_at = time.monotonic()
            seq = sealed.entries[-1].seq
            wanted.progress(f"system {system.code}: entry {seq:,} of {end.seq:,}")
    order.end(end.seq, end.last_command if wanted.settled and not end.halted_on else None)
    chain.end(end.block, end.hash)
    books.end(balances, end.transfer)
    log.end()
    fold.end(balances)
    return fold


def _journals(
    connection: Connection,
    system: System,
    scope: Scope,
    wanted: _Wanted,
    covered: Mapping[tuple[str, int], int],
) -> None:
    own = [journal for journal in wanted.journals if journal.system == system.code]
    if own:
        wanted.progress(f"system {system.code}: {len(own)} journals")
        scope.report.counts["journalled"] += journals_are_in_the_inbox(
            connection, scope, system, own, wanted.settled, covered
        )
    if wanted.folder is not None:
        unit_receipts.numbers_stand(connection, scope, system, wanted.folder)


def _covered(system: System, wanted: _Wanted) -> dict[tuple[str, int], int]:
    """What receipts said to units, by the caller's word and by their own files."""
    committed_seqs = (
        unit_receipts.covered(wanted.folder, system) if wanted.folder is not None else {}
    )
    for (code, table, boot), through in wanted.covered.items():
        if code == system.code:
            committed_seqs[table, boot] = max(through, committed_seqs.get((table, boot), 0))
    return committed_seqs


def _end(connection: Connection, system: System) -> _End:
    rows = ask(
        connection,
        "SELECT h.seq, h.transfer_number, h.block_number, h.block_hash, h.halted_on,"
        " coalesce(q.last_number, 0) FROM jackpot_head h"
        " LEFT JOIN jackpot_commandqueue q ON q.system_id = h.system_id WHERE h.system_id = %s",
        [system.id],
    )
    return _End(*rows[0]) if rows else _End()


class _Displays:
    """What displays were sent."""

    def __init__(self, connection: Connection, system: System) -> None:
        self._connection, self._system = connection, system

    @functools.lru_cache(maxsize=256)  # noqa: B019 it lives as long as one walk
    def _sent(self, seq: int) -> list[dict[str, int]]:
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
        return any(values.items() <= sent.items() for sent in self._sent(seq))
