"""A long past for a database: millions of rounds by COPY, hashes included.

    python -m benchmarks.history --rounds 10000000      (in the environment of the console)

The rows are those that intake and poster would have written, so that verifier, replay and
reconciliation accept them: the first events really pass both, the rest continues their streams,
balances and chain of blocks. Triggers and foreign keys are off while it is loaded.
"""

import argparse
import datetime as dt
import hashlib
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from benchmarks.seed_data import TIERS

BLOCK = 500  # rounds
CHUNK = 40  # blocks in one transaction
BLOCK_EVERY = dt.timedelta(milliseconds=1)
_TABLES = {
    "tables_tableevent": "id, system_id, table_id, boot, seq, type, round, test, recorded_at,"
    " received_at, body",
    "jackpot_entry": "system_id, seq, at, kind, type, table_id, boot, event_seq, event_id, round,"
    " body_hash, outcome",
    "jackpot_transfer": "system_id, number, entry_seq, debit_id, credit_id, amount, debit_after,"
    " credit_after, reason",
    "jackpot_roundstate": "system_id, table_id, round, terms, game, deck, dealt, started",
    "jackpot_block": "system_id, number, first_seq, last_seq, first_transfer, last_transfer,"
    " fold_version, rules_version, at, previous, hash",
}


@dataclass
class _Seat:
    """A table and where its stream stands."""

    id: int
    code: str
    unit: Any
    seq: int
    round: int


@dataclass
class _Chunk:
    """Lines for each table, in COPY's text form."""

    lines: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in _TABLES})


class History:
    """The end of a system's order, moved on block by block."""

    def __init__(self, system_code: str = "main", every: dt.timedelta = BLOCK_EVERY) -> None:
        """Read where the system stands; begin its order where it has none."""
        self.every = every
        from jackpot.domain.versions import PRESENT
        from jackpot.models import Account, Block, Head
        from tables.models import JackpotSystem, TableEvent

        self.system = JackpotSystem.objects.get(code=system_code)
        self.seats = open_tables(self.system)
        self.head = Head.objects.get(system=self.system)
        accounts = Account.objects.filter(system=self.system)
        self.accounts = {account.code: account.pk for account in accounts}
        self.balances = {account.code: account.balance for account in accounts}
        self.event_id = TableEvent.objects.latest("id").pk
        self.at = Block.objects.get(system=self.system, number=self.head.block_number).at
        self.version = PRESENT
        self.previous = bytes(self.head.block_hash)
        self._proved = False
        self._turn = 0

    def block(self, chunk: _Chunk) -> None:
        """The next block of rounds, a table after the other."""
        head, lines = self.head, chunk.lines
        self.at += self.every
        at = self.at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        first_seq, first_transfer = head.seq + 1, head.transfer_number + 1
        last_transfer = head.transfer_number + BLOCK * len(TIERS)
        entries: list[str] = []
        transfers: list[str] = []
        for seq in range(first_seq, first_seq + BLOCK):
            self._round(seq, at, entries, transfers, lines)
        number = head.block_number + 1
        header = (
            f'["block","{self.system.code}",{number},{first_seq},{head.seq + BLOCK},'
            f'{first_transfer},{last_transfer},{self.version[0]},{self.version[1]},"{at}",'
            f'"{self.previous.hex()}"]'
        )
        text = "\n".join([header, *entries, *transfers])
        digest = hashlib.sha256(text.encode()).digest()
        if not self._proved:
            self._prove(header, entries, transfers, digest)
        lines["jackpot_block"].append(
            f"{self.system.pk}\t{number}\t{first_seq}\t{head.seq + BLOCK}\t{first_transfer}"
            f"\t{last_transfer}\t{self.version[0]}\t{self.version[1]}\t{at}"
            f"\t\\\\x{self.previous.hex()}\t\\\\x{digest.hex()}\n"
        )
        head.seq += BLOCK
        head.transfer_number = last_transfer
        head.block_number, head.block_hash = number, digest
        self.previous = digest

    def _round(
        self,
        seq: int,
        at: str,
        entries: list[str],
        transfers: list[str],
        lines: dict[str, list[str]],
    ) -> None:
        seat = self.seats[self._turn]
        self._turn = (self._turn + 1) % len(self.seats)
        seat.seq += 1
        seat.round += 1
        self.event_id += 1
        system = self.system.pk
        body = seat.unit.body(seat.seq, seat.round, at.encode())
        digest = hashlib.sha256(body).hexdigest()
        entries.append(
            f'["entry",{seq},"{at}","event","round_started","{seat.code}",1,{seat.seq},null,'
            f'{seat.round},null,"{digest}",null,{{}}]'
        )
        lines["tables_tableevent"].append(
            f"{self.event_id}\t{system}\t{seat.id}\t1\t{seat.seq}\tround_started\t{seat.round}\tf"
            f"\t{at}\t{at}\t\\\\x{body.hex()}\n"
        )
        lines["jackpot_entry"].append(
            f"{system}\t{seq}\t{at}\tevent\tround_started\t{seat.id}\t1\t{seat.seq}"
            f"\t{self.event_id}\t{seat.round}\t\\\\x{digest}\t{{}}\n"
        )
        lines["jackpot_roundstate"].append(
            f"{system}\t{seat.id}\t{seat.round}\t1\tholdem\t52\t6\t{seq}\n"
        )
        number = self.head.transfer_number + len(transfers)
        balances, accounts = self.balances, self.accounts
        for tier, amount in TIERS.items():
            number += 1
            pool = f"{tier}:pool"
            balances["operator"] -= amount
            balances[pool] += amount
            after = balances["operator"], balances[pool]
            transfers.append(
                f'["transfer",{number},{seq},"operator","{pool}",{amount},{after[0]},{after[1]},'
                '"contribution",null]'
            )
            lines["jackpot_transfer"].append(
                f"{system}\t{number}\t{seq}\t{accounts['operator']}\t{accounts[pool]}\t{amount}"
                f"\t{after[0]}\t{after[1]}\tcontribution\n"
            )

    def _prove(self, header: str, entries: list[str], transfers: list[str], digest: bytes) -> None:
        """The first block's hash once more, by the product's own function."""
        import json

        from jackpot.domain.state import blocks
        from jackpot.domain.state.books import Transfer

        computed = blocks.block_hash(
            blocks.Header(*json.loads(header)[1:]),
            [blocks.EntryLine(*json.loads(line)[1:]) for line in entries],
            [Transfer(*json.loads(line)[1:]) for line in transfers],
        )
        if computed != digest:
            raise SystemExit("The canonical bytes of a block have changed: correct this loader.")
        self._proved = True

    def finish(self) -> None:
        """Streams, cursors, accounts, tiers and head at the end of what was loaded."""
        from django.db import connection

        from jackpot.models import Account, Cursor, Tier
        from tables.models import Stream

        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
            for seat in self.seats:
                Stream.objects.filter(table_id=seat.id, boot=1).update(
                    committed_seq=seat.seq, last_seq=seat.seq
                )
                Cursor.objects.filter(table_id=seat.id, boot=1).update(through=seat.seq)
            for code, balance in self.balances.items():
                Account.objects.filter(pk=self.accounts[code]).update(balance=balance)
            for tier in Tier.objects.filter(system=self.system):  # no hit has taken anything
                Tier.objects.filter(pk=tier.pk).update(fed_pool=self.balances[f"{tier.code}:pool"])
            self.head.save()
            cursor.execute("SET session_replication_role = origin")
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence('tables_tableevent', 'id'), %s)",
                [self.event_id],
            )


def open_tables(system: Any) -> list[_Seat]:
    """Every table with its session open and one round, as intake and poster write them."""
    from django.utils import timezone

    from benchmarks.load.unit import ROUNDS_OF_A_BOOT, Unit
    from jackpot.writer.poster import Poster
    from tables.intake.reception import receive
    from tables.models import GamingTable, Stream
    from tables.protocol import topics
    from tables.protocol.inbound_message import InboundMessage

    tables = list(GamingTable.objects.filter(system=system).order_by("id"))
    units = {table.pk: Unit(system.code, table.code) for table in tables}
    at = timezone.now()
    for table in tables:
        unit = units[table.pk]
        if not Stream.objects.filter(table=table, boot=1).exists():
            instant = at.isoformat(timespec="milliseconds").encode()
            bodies = [unit.open_session(0), unit.press(0, instant)]
            topic = topics.events(system.code, table.code)
            receive([InboundMessage.of(topic, body) for body in bodies], at)
    poster = Poster("history")
    while poster.step():
        pass
    poster.give_up()
    seats = []
    for table in tables:
        held = Stream.objects.get(table=table, boot=1).committed_seq
        # One session, then rounds alone: a round's number follows from the seq.
        seats.append(
            _Seat(table.pk, table.code, units[table.pk], held, ROUNDS_OF_A_BOOT + held - 1)
        )
    return seats


def _chunks(history: History, rounds: int) -> Iterator[tuple[int, _Chunk]]:
    left = -(-rounds // BLOCK)
    while left:
        chunk = _Chunk()
        count = min(CHUNK, left)
        for _ in range(count):
            history.block(chunk)
        left -= count
        yield count * BLOCK, chunk


def _write(url: str, chunk: _Chunk) -> None:
    import psycopg

    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SET synchronous_commit = off")
        for table, columns in _TABLES.items():
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                copy.write("".join(chunk.lines[table]))


# What asks that rows and head move together: a history moves its head once, at the end.
_CONTINUITY = {
    "jackpot_entry": ("head_is_owed",),
    "jackpot_transfer": ("head_is_owed",),
    "jackpot_block": ("head_is_owed",),
    "jackpot_account": ("balances_move_by_transfers",),
    "jackpot_head": ("head_moves_behind_whole_rows", "nothing_beyond_the_head"),
}


@contextmanager
def without_continuity(url: str) -> Iterator[None]:
    """Whoever writes rows that no head moves behind at once."""
    import psycopg

    def turn(how: str) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            for table, triggers in _CONTINUITY.items():
                for trigger in triggers:
                    connection.execute(f"ALTER TABLE {table} {how} TRIGGER {trigger}".encode())

    turn("DISABLE")
    try:
        yield
    finally:
        turn("ENABLE ALWAYS")


def load(url: str, rounds: int, say: Any = print, every: dt.timedelta = BLOCK_EVERY) -> int:
    """Load so many rounds, in whole blocks, into `main`; how many they were."""
    history = History(every=every)
    with without_continuity(url):
        return _load(history, url, rounds, say)


def _load(history: History, url: str, rounds: int, say: Any) -> int:
    loaded_count, start = 0, time.monotonic()
    with ThreadPoolExecutor(1) as writer:
        writing = None
        for count, chunk in _chunks(history, rounds):
            if writing is not None:
                writing.result()
            writing = writer.submit(_write, url, chunk)
            loaded_count += count
            if loaded_count % 500_000 < count:
                rate = loaded_count / (time.monotonic() - start)
                say(f"  {loaded_count:,} rounds, {rate:,.0f} a second")
        if writing is not None:
            writing.result()
    history.finish()
    return loaded_count


def main() -> None:
    import os

    import django
    import psycopg

    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=10_000_000)
    options.add_argument("--no-vacuum", action="store_true", help="leave the rows as they came")
    arguments = options.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    url = os.environ["DATABASE_URL"]
    load(url, arguments.rounds, lambda line: print(line, file=sys.stderr, flush=True))
    if arguments.no_vacuum:
        return
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")  # as the server would in its own time


if __name__ == "__main__":
    main()
