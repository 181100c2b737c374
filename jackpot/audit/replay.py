"""Replay: the whole recorded order folded into an empty database, by the writer's own path.

What goes over are names (casinos, systems, tables) and what came from outside: events,
commands, and of each entry its number, time and block. Everything else, the new database makes
itself; its ids are its own. It must end with the same hashes and rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import environ
import psycopg
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.utils import load_backend
from psycopg import sql

from jackpot.audit.projections import PROJECTIONS
from jackpot.audit.recorded_blocks import Recorded, Sealed, fold_again, sealed_blocks
from jackpot.domain.command_handlers.rounds import rounds_named
from jackpot.models import Command, CommandQueue, Head
from jackpot.storage.loading import Plan, load
from jackpot.storage.writing import Batch, Row, write
from tables.intake.boots import event_rows
from tables.models import Casino, GamingTable, JackpotSystem

RECORDED = "recorded"  # the connection to the database that is replayed

_EVENTS = """
    SELECT e.id, g.code, e.boot, e.seq, e.type, e.round, e.test, e.recorded_at, e.received_at,
           e.body, e.intake
    FROM tables_tableevent e JOIN tables_gamingtable g ON g.id = e.table_id
    WHERE e.id = ANY(%s) ORDER BY e.id
"""


class ReplayError(Exception):
    """The replay cannot begin; the message says what to do."""


class Difference(Exception):
    """Where the recorded order and its replay part: block, entry and what differs."""


@dataclass(slots=True)
class Replayed:
    """How far a system was replayed."""

    system: str
    blocks: int = 0
    entries: int = 0
    transfers: int = 0


@contextmanager
def into(url: str, *, migrate: bool = True) -> Iterator[None]:
    """The default connection is one to the empty database at `url`, made where there is none;
    the present database is read as RECORDED. Without `migrate` a new one has no tables yet.

    ReplayError where the database is not empty.
    """
    try:
        settings = environ.Env.db_url_config(url)
    except Exception as fault:
        raise ReplayError(f"{url} is no database address: {fault}") from fault
    if settings["ENGINE"] != "django.db.backends.postgresql" or not settings["NAME"]:
        raise ReplayError("Name a database as postgresql://user:password@host:5432/name.")
    recorded = connections["default"]
    target = {**recorded.settings_dict, **settings}
    connections[RECORDED] = recorded
    connections["default"] = load_backend(target["ENGINE"]).DatabaseWrapper(target, "default")
    try:
        _create(target)
        if connection.introspection.table_names() and _is_used():
            raise ReplayError(
                f"{target['NAME']} is not empty: name a database that does not exist yet, or one"
                " without a casino, a system and an entry."
            )
        if migrate:
            call_command("migrate", verbosity=0, interactive=False)
        with connection.cursor() as cursor:
            cursor.execute("SET synchronous_commit = off")  # it can be made again: no waiting
        yield
    finally:
        connections["default"].close()
        connections["default"] = recorded
        del connections[RECORDED]


def _create(target: dict[str, Any]) -> None:
    address = {
        "host": target["HOST"],
        "port": target["PORT"],
        "user": target["USER"],
        "password": target["PASSWORD"],
    }
    try:
        with psycopg.connect(
            dbname="postgres", autocommit=True, **{k: v for k, v in address.items() if v}
        ) as server:
            row = server.execute(
                "SELECT FROM pg_database WHERE datname = %s", [target["NAME"]]
            ).fetchone()
            if row is None:
                name = sql.Identifier(target["NAME"])
                server.execute(sql.SQL("CREATE DATABASE {}").format(name))
    except psycopg.Error as fault:
        raise ReplayError(f"The database {target['NAME']} cannot be made: {fault}") from fault


def _is_used() -> bool:
    """Whether the database holds anything but its migrations."""
    names = set(connection.introspection.table_names())
    if "django_migrations" not in names:
        return True  # somebody else's
    with connection.cursor() as cursor:
        for model in (Casino, JackpotSystem, Head):
            table = model._meta.db_table
            if table in names:
                cursor.execute(f"SELECT EXISTS (SELECT FROM {table})")  # noqa: S608 - ours
                if cursor.fetchone()[0]:
                    return True
    return False


def replay(code: str, on_block: Callable[[Replayed], object] = lambda _: None) -> Replayed:
    """Replay one system, inside `into`. Difference at the first one."""
    recorded = JackpotSystem.objects.using(RECORDED).select_related("casino").get(code=code)
    totals = Replayed(code)
    with _one_moment():
        last = Head.objects.using(RECORDED).filter(system=recorded.pk).first()
        copy = _Copy(recorded, _copy_identity(recorded))
        previous = bytes(32)
        for sealed in sealed_blocks(recorded.pk, code, using=RECORDED):
            with transaction.atomic():
                copy.fold(sealed, previous)
            previous = bytes(sealed.block.hash)
            totals.blocks += 1
            totals.entries += len(sealed.entries)
            totals.transfers += len(sealed.transfers)
            on_block(totals)
        if last is not None:
            _compare_ends(recorded, copy.system)
    return totals


@contextmanager
def _one_moment() -> Iterator[None]:
    """The recorded database is read as it is now, while its writer goes on."""
    reading = connections[RECORDED]
    if reading.in_atomic_block:  # a test's, which nobody else writes to
        yield
        return
    reading.ensure_connection()
    reading.set_autocommit(False)
    try:
        with reading.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
    finally:
        reading.rollback()
        reading.set_autocommit(True)


def _copy_identity(recorded: JackpotSystem) -> JackpotSystem:
    """The same names under new ids. Keys of units and displays stay where they are secret."""
    casino = recorded.casino
    same = ("name", "timezone", "currency", "minor_digits", "day_starts")
    here, _ = Casino.objects.get_or_create(
        code=casino.code, defaults={name: getattr(casino, name) for name in same}
    )
    system = JackpotSystem.objects.create(
        casino=here, code=recorded.code, name=recorded.name, era=recorded.era
    )
    for table in GamingTable.objects.using(RECORDED).filter(system=recorded.pk):
        GamingTable.objects.create(
            system=system, code=table.code, name=table.name, in_service=table.in_service
        )
    return system


class _Copy:
    """One system in the new database, moved block by block."""

    def __init__(self, recorded: JackpotSystem, system: JackpotSystem) -> None:
        self.recorded_id, self.system = recorded.pk, system
        self.tables = dict(GamingTable.objects.filter(system=system).values_list("code", "id"))
        Head.objects.create(system=system)
        CommandQueue.objects.create(system=system)

    def fold(self, sealed: Sealed, previous: bytes) -> None:
        """Fold and write one block; Difference where it does not become what it was."""
        block = sealed.block
        events = self._copy_events(sealed.entries)
        self._copy_commands(sealed.entries)
        head = Head.objects.select_for_update().get(system=self.system)
        loaded = load(head, self._touched(sealed.entries))
        if differences := fold_again(loaded.books, sealed, previous):
            raise Difference(f"{sealed.system}: {differences[0]}")
        rows = [_row(recorded, events) for recorded in sealed.entries]
        version = block.fold_version, block.rules_version
        write([Batch(head, loaded, rows, block.at, version)])
        head.refresh_from_db(fields=["block_hash"])
        if bytes(head.block_hash) != bytes(block.hash):
            raise Difference(
                f"{sealed.system}: block {block.number}: written again its hash is"
                f" {bytes(head.block_hash).hex()}, it was {bytes(block.hash).hex()}"
            )

    def _copy_events(self, entries: list[Recorded]) -> dict[int, int]:
        """The events of these entries into the inbox here; recorded id -> id here."""
        ids = [recorded.event_id for recorded in entries if recorded.event_id is not None]
        with connections[RECORDED].cursor() as cursor:
            cursor.execute(_EVENTS, [ids])
            rows = cursor.fetchall()
        here = event_rows.copy_in(
            [(self.system.pk, self.tables[table], *rest) for _, table, *rest in rows]
        )
        return {id_: here[self.tables[table], boot, seq] for id_, table, boot, seq, *_ in rows}

    def _copy_commands(self, entries: list[Recorded]) -> None:
        numbers = [e.line.command for e in entries if e.line.command is not None]
        if not numbers:
            return
        for command in Command.objects.using(RECORDED).filter(
            system=self.recorded_id, number__in=numbers
        ):
            command.system_id = self.system.pk
            command.save(using="default", force_insert=True)
        CommandQueue.objects.filter(system=self.system).update(
            last_number=max(numbers), taken=max(numbers)
        )

    def _touched(self, entries: list[Recorded]) -> Plan:
        touched = Plan()
        for recorded in entries:
            line, source = recorded.line, recorded.source
            if line.kind == "event" and line.table is not None:
                if line.round is not None:
                    touched.rounds.add((self.tables[line.table], line.round))
            elif line.command is not None:
                match source[1]:
                    case {"hit": int() as hit} if 0 < hit < 2**63:
                        touched.hits.add(hit)
                touched.rounds |= {
                    (self.tables[table], number)
                    for table, number in rounds_named(source[1])
                    if table in self.tables
                }
        return touched


def _row(recorded: Recorded, events: dict[int, int]) -> Row:
    line = recorded.line
    return Row(
        line.seq,
        recorded.at,
        line.kind,
        line.type,
        bytes.fromhex(line.body_hash),
        table=line.table,
        boot=line.boot,
        event_seq=line.event_seq,
        event_id=events[recorded.event_id] if recorded.event_id is not None else None,
        command=line.command,
        round=line.round,
        body=line.body,
        outcome=line.outcome,
    )


def _compare_ends(recorded: JackpotSystem, system: JackpotSystem) -> None:
    """What the two databases hold at the end of the order, row by row."""
    for what, query in PROJECTIONS.items():
        here = _rows("default", query, system.pk)
        for then, now in zip_longest(_rows(RECORDED, query, recorded.pk), here):
            if then != now:
                raise Difference(f"{system.code}: {what}: recorded {then}, replayed {now}")


def _rows(using: str, query: str, system_id: int) -> Iterator[tuple[Any, ...]]:
    with transaction.atomic(using=using), connections[using].chunked_cursor() as cursor:
        cursor.execute(query, [system_id])
        yield from cursor
