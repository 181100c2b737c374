"""A batch in the making: what waits on one system is numbered, folded and written."""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from django.conf import settings
from django.db import connection

from jackpot import models
from jackpot.domain.versions import Version, apply
from jackpot.labels.claim_names import claim_name
from jackpot.labels.order_alarms import OrderAlarm
from jackpot.metrics import SEQUENCED
from jackpot.storage.loading import Loaded, fetch
from jackpot.storage.writing import Batch, Row, write
from jackpot.terms.contributions import TO_RETURN
from jackpot.terms.periods import ended
from jackpot.writer.numbering import (
    PendingEntry,
    ends,
    measure_clocks,
    move_cursors,
    needed_by,
    number,
)
from jackpot.writer.pending import Arrived, PendingInput
from jackpot.writer.receipts import announce
from jackpot.writer.sequence import Release
from jackpot.writer.skipped_entries import Skip, go_on
from jackpot.writer.traces import sequenced
from tables.alarms import raise_alarm
from tables.process.prepared_statements import pipeline, prepared_cursor
from tables.telemetry import traces
from tables.telemetry.json_logs import event_identity

log = logging.getLogger(__name__)

PIPELINED = 200  # entries at most: of more it costs less to copy them

_OF_HEAD = [field.attname for field in models.Head._meta.concrete_fields]
_LOCK = f"""
    SELECT {", ".join(_OF_HEAD)} FROM jackpot_head WHERE system_id = ANY(%s)
    ORDER BY system_id FOR UPDATE
"""  # noqa: S608 - of constants


@dataclass(slots=True)
class Unwritten:
    """The batch of one system in the making."""

    head: models.Head
    loaded: Loaded
    skip: Skip | None
    now: dt.datetime
    version: Version  # of fold and rules, of the batch
    pending_entries: list[PendingEntry] = field(default_factory=list)

    def fold(self, pending_input: PendingInput, limit: int, share_s: float) -> float:
        """Number what may be taken, about `limit`, and fold it into the books; how long that took.

        When `share_s` are over it ends where a batch may, behind one element at least.
        """
        head, loaded, now = self.head, self.loaded, self.now
        books = loaded.books
        over = ended(books.periods, books.terms_at(books.terms_number), loaded.day, now)
        self.pending_entries = number(
            head.seq, pending_input, now, settings.GAP_WAIT_S, limit, over
        )
        if not self.pending_entries:
            return 0.0
        if self.skip is not None:
            _mark(head, self.pending_entries, self.skip)
        fetch(head.system_id, loaded, needed_by(self.pending_entries, loaded.table_ids))
        measure_clocks(head.system_id, self.pending_entries)
        start, busy = time.monotonic(), time.thread_time()
        for count, pending in enumerate(self.pending_entries):
            try:
                pending.row.outcome = apply(books, pending.entry(), self.version)
            except Exception as fault:
                raise Poison.behind(self.pending_entries, fault, count) from fault
            if time.monotonic() - start > share_s and not isinstance(pending.source, Release):
                del self.pending_entries[count + 1 :]
        # Of what fits into the share the last one was slow. Time in which this process was stopped
        # or waited is no entry's doing.
        busy = time.thread_time() - busy
        if busy > settings.POSTER_LEASE_S:
            slow = TooSlow(f"folding took {busy:.1f} s, longer than POSTER_LEASE_S")
            raise Poison.behind(self.pending_entries, slow, len(self.pending_entries) - 1)
        return time.monotonic() - start

    @property
    def touches_hits(self) -> bool:
        """Whether an entry of it opened a hit or is about one."""
        return any(pending.row.hit is not None for pending in self.pending_entries)

    def batch(self) -> Batch:
        """As it is written."""
        rows = [pending.row for pending in self.pending_entries]
        return Batch(self.head, self.loaded, rows, self.now, self.version)


def fold_batches(
    unwritten: Sequence[Unwritten], inputs: Mapping[int, PendingInput], limit: int
) -> list[Unwritten]:
    """Fold the batch of one system after the other; those that had their turn.

    They share a third of the lease: the server ends a session that is idle for a lease within its
    transaction, and the same batch would meet that again for ever.
    """
    left_s, folded = settings.POSTER_LEASE_S / 3, []
    for each in unwritten:
        left_s -= each.fold(inputs[each.head.system_id], limit, left_s)
        folded.append(each)
        if left_s <= 0:
            break
    return folded


def write_batches(unwritten: Sequence[Unwritten]) -> None:
    """Write what was folded, and what goes with it: cursors, receipts, decisions carried out."""
    if not unwritten:
        return
    for each in unwritten:
        if each.loaded.version not in (None, each.version):
            log.warning(
                "system %s: from entry %d on the order is folded by version %d under rules %d",
                *(each.head.system_id, each.pending_entries[0].row.seq, *each.version),
            )
    batches = [each.batch() for each in unwritten]
    with pipeline() if _may_be_pipelined(batches) else nullcontext():
        write(batches)
        move_cursors({each.head.system_id: each.pending_entries for each in unwritten})
        announce(batches)
    for each in unwritten:
        for pending in each.pending_entries:
            if pending.skip is not None:
                go_on(each.head, pending.skip, pending.row.seq)
            for hit in (pending.row.outcome or {}).get("no_verdict", ()):
                _tell_no_verdict(each.head, hit, pending.row)
        _tell_flags(each)
        each.loaded.forget()


def _may_be_pipelined(batches: Sequence[Batch]) -> bool:
    """Few entries, all of units, that touch no hit: what else is written asks the database how many
    rows it met, which a pipeline knows at its end alone."""
    return sum(len(each.rows) for each in batches) <= PIPELINED and not any(
        each.books.dirty_hits or any(row.kind != "event" for row in each.rows) for each in batches
    )


def observe_waits(unwritten: Sequence[Unwritten]) -> None:
    """They are committed: how long each event waited for its place."""
    SEQUENCED.observe_since(
        pending.source.received_at
        for each in unwritten
        for pending in each.pending_entries
        if isinstance(pending.source, Arrived)
    )
    if traces.is_on():
        for each in unwritten:
            sequenced(each.head, each.pending_entries, each.now)


def _tell_no_verdict(head: models.Head, hit: int, row: Row) -> None:
    """The hand has its place; somebody must know that the rules fail on it (19.20)."""
    raise_alarm(
        "no_verdict",
        f"{head.system.code}-{hit}",
        OrderAlarm.NO_VERDICT
        % {"claim": claim_name(head.system.code, hit), "entry": row.seq, "input": row.label},
        system_id=head.system_id,
    )


_FLAG_ALARMS = {TO_RETURN: OrderAlarm.TO_RETURN, "commission_above_posted": OrderAlarm.COMMISSION}


def _tell_flags(batch: Unwritten) -> None:
    """What tables did with money that people must look at."""
    counts = Counter(
        (flag, pending.row.table)
        for pending in batch.pending_entries
        for flag in (pending.row.outcome or {}).get("flags", ())
        if flag in _FLAG_ALARMS
    )
    for (flag, table), times in sorted(counts.items()):
        raise_alarm(
            flag,
            f"{batch.head.system.code}/{table}",
            _FLAG_ALARMS[flag] % {"system": batch.head.system.name, "table": table},
            system_id=batch.head.system_id,
            times=times,
        )


def locked(system_ids: Iterable[int]) -> list[models.Head]:
    """The heads of systems in this order, for the rest of the transaction nobody else's."""
    with prepared_cursor() as cursor:
        cursor.execute(_LOCK, [list(system_ids)])
        rows = cursor.fetchall()
    locked_heads = [models.Head.from_db(connection.alias, _OF_HEAD, row) for row in rows]
    heads = {head.pk: head for head in locked_heads}
    return [heads[system_id] for system_id in system_ids if system_id in heads]


def never_back(last: dt.datetime | None, now: dt.datetime) -> dt.datetime:
    """The order's times never fall, whatever a clock does: gaming days are cut by them."""
    return now if last is None else max(now, last)


class TooSlow(Exception):
    """One entry took longer to fold than a writer may keep its systems waiting."""


class Poison(Exception):
    """A batch that cannot be taken; `before`: how many of its entries are tried without the rest.

    Where that is none, `row` is the entry that cannot be: the event that a release lets through,
    not the release. None where people have skipped it already and that was of no use, or where
    nobody knows what it is.
    """

    def __init__(
        self, pending_entries: Sequence[PendingEntry], fault: Exception, before: int
    ) -> None:
        super().__init__(str(fault))
        self.fault, self.before = fault, before
        self.after = (
            pending_entries[0].row.seq - 1 if pending_entries else None
        )  # where the head stood
        culprit = next(
            (pending_entries[end - 1] for end in ends(pending_entries) if end > before), None
        )
        self.label = culprit.row.label if culprit else "an entry that could not be read"
        self.row = culprit.row if culprit and culprit.skip is None else None
        if culprit and culprit.skip is not None:
            self.label += ", set aside already"

    def log_halt_of(self, system: str) -> None:
        """A line for technical support, with the identity of the event where it is one."""
        row = self.row
        identity = event_identity(system, row.table or "", row.boot, row.event_seq) if row else {}
        log.error("system %s halted on %s", system, self.label, exc_info=self.fault, extra=identity)

    @property
    def way_out(self) -> str:
        """What people may do besides: skip an event or a command. A fact stands."""
        if self.row is None or (self.row.event_id is None and self.row.command is None):
            return ""
        return f" {OrderAlarm.SKIP}"

    @classmethod
    def behind(
        cls, pending_entries: Sequence[PendingEntry], fault: Exception, count: int
    ) -> Poison:
        """It is known whose fault it is: so many were folded before it."""
        whole = [end for end in ends(pending_entries) if end <= count]
        return cls(pending_entries, fault, whole[-1] if whole else 0)

    @classmethod
    def somewhere(
        cls, pending_entries: Sequence[PendingEntry], fault: Exception, limit: int
    ) -> Poison:
        """The database refuses it, or nobody foresaw it: halved until the culprit is alone.

        `limit`: of what was to be numbered, if it did not come to that.
        """
        apart = ends(pending_entries)[:-1] if pending_entries else range(1, limit)
        return cls(pending_entries, fault, apart[len(apart) // 2] if apart else 0)


def _mark(head: models.Head, pending_entries: list[PendingEntry], skip: Skip) -> None:
    for pending in pending_entries:
        row = pending.row
        if (row.event_id, row.command) == (head.halted_event, head.halted_command):
            pending.skip = skip
