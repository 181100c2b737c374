"""The last look at a world that has settled: its journals against its database."""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

import verifier
from jackpot.audit import replay
from jackpot.models import Head
from settlement.audit.reconciliation import reconcile
from settlement.claims import services as claims
from settlement.floor import incidents
from simulation.checks import (
    arrival_order,
    contributed_rounds,
    coverage,
    dark_tables,
    entered_hands,
    forgotten_completions,
    hands_in_question,
    moved_tables,
    reversed_claims,
    round_money,
    wrong_rejections,
)
from simulation.floor import still_dark
from simulation.template_database import SYSTEMS
from tables.models import Alarm, JackpotSystem

if TYPE_CHECKING:
    from simulation.world import World

# What a run may alarm of by its nature; anything else is a finding.
EXPECTED_ALARMS = {
    "quarantine",
    "quarantine_limit",
    "identity_conflict",
    "reconciliation_overdue",
    "era_begun",
    "order_after_restore",
    "presses",  # rounds that are held for their pace
    "to_return",  # `contributed_rounds` asks for it
}

_INBOX = """
    SELECT s.code || '/' || t.code, e.boot, e.seq, e.body, n.seq, n.outcome -> 'flags'
    FROM tables_tableevent e
    JOIN tables_gamingtable t ON t.id = e.table_id JOIN tables_jackpotsystem s ON s.id = e.system_id
    LEFT JOIN jackpot_entry n ON n.event_id = e.id
    ORDER BY s.id, n.seq
"""
_QUARANTINED = """
    SELECT s.code || '/' || t.code, q.boot, q.seq, q.reason FROM tables_quarantine q
    JOIN tables_gamingtable t ON t.id = q.table_id JOIN tables_jackpotsystem s ON s.id = t.system_id
    WHERE q.seq IS NOT NULL
"""
_COMMANDS = """
    SELECT s.code, c.number, count(n.seq) FROM jackpot_command c
    JOIN tables_jackpotsystem s ON s.id = c.system_id
    LEFT JOIN jackpot_entry n ON (n.system_id, n.command) = (c.system_id, c.number)
    GROUP BY 1, 2 HAVING count(n.seq) <> 1
"""
_DARK = """
    SELECT s.code || '/' || t.code, count(n.seq) FROM jackpot_darkcall c
    JOIN tables_gamingtable t ON t.id = c.table_id JOIN tables_jackpotsystem s ON s.id = t.system_id
    LEFT JOIN jackpot_entry n ON n.system_id = s.id AND n.type = 'display_dark'
      AND n.table_id = t.id AND (n.body ->> 'until')::timestamptz = c.until
    GROUP BY c.id, 1, c.entry HAVING count(n.seq) <> 1 OR c.entry <> min(n.seq)
"""
_TIMES = """
    SELECT s.code, n.seq FROM jackpot_entry n JOIN tables_jackpotsystem s ON s.id = n.system_id
    JOIN jackpot_entry b ON b.system_id = n.system_id AND b.seq = n.seq - 1 WHERE n.at < b.at
"""
_UNSENT = "SELECT id, topic FROM tables_outboxmessage ORDER BY id"
_NOTED = """
    SELECT t.code, w.boot, w.seq FROM tables_straggler w
    JOIN tables_gamingtable t ON t.id = w.table_id ORDER BY 1, 2, 3
"""
_HASHES = """
    SELECT s.code, b.number, encode(b.hash, 'hex') FROM jackpot_block b
    JOIN tables_jackpotsystem s ON s.id = b.system_id ORDER BY s.code, b.number
"""


def findings(world: World) -> list[str]:
    """Everything that is wrong with a settled world."""
    with psycopg.connect(world.ground.url(world.database)) as connection:
        faults = _exactly_once(world, connection)
        faults += [f"command {s} {n} has {c} entries" for s, n, c in connection.execute(_COMMANDS)]
        faults += [f"a dark display of {t}: {c} entries" for t, c in connection.execute(_DARK)]
        faults += [f"the time of {s} falls at entry {n}" for s, n in connection.execute(_TIMES)]
        faults += [f"message {n} to {t} is not sent" for n, t in connection.execute(_UNSENT)]
        faults += [f"a note is left of {t}, {b}/{n}" for t, b, n in connection.execute(_NOTED)]
        dark = [(table.system, table.code) for table in still_dark(world.tables)]
        faults += dark_tables.findings(dark, world.clocks, connection)
        faults += entered_hands.findings(world.entered, world.era, connection)
        faults += hands_in_question.findings(connection)
        faults += forgotten_completions.findings(connection)
        faults += round_money.findings(connection)
        faults += moved_tables.findings(connection)
        faults += reversed_claims.findings(connection)
        faults += contributed_rounds.findings(connection)
        faults += wrong_rejections.findings(connection)
        faults += arrival_order.findings(
            connection, world.checks.taken_in, intakes=len(world.intakes)
        )
    with world.ground.default_at(world.database):
        for system in JackpotSystem.objects.order_by("code"):
            claims.catch_up(system)  # what the worker's beat does every few seconds
        incidents.find_in_the_order()
        faults += forgotten_completions.without_incident()
        for head in Head.objects.exclude(halted_at=None):
            faults.append(f"{head.system.code} halted on {head.halted_on}")
        for system in JackpotSystem.objects.order_by("code"):
            faults += [f"{system.code}: {fault}" for fault in reconcile(system).differences]
        for alarm in Alarm.objects.exclude(kind__in=EXPECTED_ALARMS):
            faults.append(f"alarm {alarm.kind}: {alarm.message}")
    return faults + _verified(world)


def _verified(world: World) -> list[str]:
    """What the independent checker says, which shares no code with the product."""
    with tempfile.TemporaryDirectory(prefix="simulation-") as folder:
        for table in world.addresses:
            path = Path(folder) / f"{table.system}--{table.code}.sqlite3"
            with closing(sqlite3.connect(path)) as file:
                table.journal.copy_to(file)
        units = verifier.UnitRecords(folder, world.checks.committed_seqs)
        report = verifier.verify(world.ground.url(world.database), units)
    excused = _only_in_lost_journals(world)
    return [
        f"verifier, {kind}: {sentence}"
        for kind, sentence in report.findings
        if sentence not in excused
    ]


def _only_in_lost_journals(world: World) -> set[str]:
    """What the checker rightly says of events that a unit sent before another took its place.

    Where the console had heard nothing of the first unit, the second is given the same boot, and
    the messages of the first that wait at the broker come under it. `_exactly_once` holds them
    against what the first one wrote.
    """
    return {
        f"system {table.system}, event {table.code}/{boot}/{seq}:"
        " it is recorded, and no unit wrote it down"
        for table in world.addresses
        for boot, seq in table.written_by_former_units
    }


def replayed(world: World) -> list[str]:
    """Where the order, folded into an empty database by the product's own replay, leads elsewhere:
    to another block, account, hit or round.
    """
    ground = world.ground
    copy = ground.clone(ground.empty)
    try:
        with ground.default_at(world.database), replay.into(ground.url(copy)):
            for system in SYSTEMS:
                replay.replay(system)
    except (replay.ReplayError, replay.Difference) as fault:
        return [f"replay: {fault}"]
    finally:
        ground.drop(copy)
    return []


def block_hashes(world: World) -> list[tuple[str, int, str]]:
    """System, number and hash of every block."""
    with psycopg.connect(world.ground.url(world.database)) as connection:
        return connection.execute(_HASHES).fetchall()


def came_about(world: World) -> Counter[str]:
    """How often each kind of thing came about."""
    with psycopg.connect(world.ground.url(world.database)) as connection:
        return coverage.count(connection)


def _exactly_once(world: World, connection: psycopg.Connection) -> list[str]:
    faults: list[str] = []
    rows = connection.execute(_INBOX).fetchall()
    inbox = {(table, boot, seq): bytes(body) for table, boot, seq, body, *_ in rows}
    quarantined = connection.execute(_QUARANTINED).fetchall()
    refused = {row[:3] for row in quarantined}
    too_late = {row[:3] for row in quarantined if row[3] == "table_moved"}
    addresses = world.addresses
    former = {table.name for table in addresses if table.has_moved}
    faults += [
        f"{identity} is refused, its table has not moved"
        for identity in sorted(too_late)
        if identity[0] not in former
    ]
    entries = Counter((row[0], row[1], row[2]) for row in rows if row[4] is not None)
    for table in addresses:
        for (boot, seq), payloads in sorted(table.payloads.items()):
            identity = table.name, boot, seq
            bodies = {payload.partition(b"\n")[0] for payload in payloads}
            if identity in inbox and inbox[identity] not in bodies:
                faults.append(f"{identity} stands in the inbox with other bytes")
        for boot, seq in table.journalled():
            identity = table.name, boot, seq
            if identity in refused and (boot, seq) in table.spoilt:
                continue
            if identity in too_late and not entries[identity]:
                continue
            if entries[identity] != 1:
                faults.append(f"{identity} is journalled and has {entries[identity]} entries")
    identities = {(table.name, *identity) for table in addresses for identity in table.payloads}
    faults += [f"{identity} was never said" for identity in sorted(inbox.keys() - identities)]
    last: dict[tuple[str, int], int] = {}
    for table, boot, seq, _, entry, flags in rows:
        if entry is None:
            faults.append(f"({table}, {boot}, {seq}) is recorded and never sequenced")
        elif not {"late", "ahead_of_gap"} & set(flags or ()):
            if seq < last.get((table, boot), 0):
                faults.append(f"({table}, {boot}, {seq}) stands behind a later one of its table")
            last[table, boot] = seq
    return faults
