"""The one writer of a system: takes what waits, gives it its number, folds it, writes it.

One transaction a batch, under the head's row and the writer's epoch; where several systems wait
with little, their batches share a transaction and its statements. Several posters share the
systems by lease (`jackpot/writer/leases.py`); the lease is a courtesy, name and epoch in the head
are the guard.

The books of a system stay in memory from batch to batch, for as long as its head stands where
this writer left it: what nobody else may write, nobody else can have changed.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.utils import Error
from django.utils import timezone

from jackpot import models
from jackpot.domain.versions import TooOldError, Version, next_version
from jackpot.labels.order_alarms import OrderAlarm
from jackpot.storage.loading import Loaded, Plan, load
from jackpot.storage.writing import FencedOff
from jackpot.writer import leases
from jackpot.writer.batches import (
    Poison,
    TooSlow,
    Unwritten,
    fold_batches,
    locked,
    never_back,
    observe_waits,
    write_batches,
)
from jackpot.writer.cached_books import CachedBooks
from jackpot.writer.hints import Hints
from jackpot.writer.pending import PendingInput, PendingWork, pending_work, settle, waiting
from jackpot.writer.press_watch import PressWatch
from jackpot.writer.receipts import announce_again
from jackpot.writer.skipped_entries import decided
from tables.alarms import raise_alarm
from tables.process.pg_listener import PgListener
from tables.process.prepared_statements import keep_plans
from tables.process.transient_errors import is_outage

log = logging.getLogger(__name__)

BATCH = 4000  # events of a transaction, about
IDLE_S = 0.25  # the longest sleep when nobody gives a hint
# After a small batch, shared by the systems that wait: about as long as one takes, so that a hint
# for each event does not make a batch of each. Only numbers and displays wait for it; what is taken
# in has its receipt already.
PACE_S = 0.005
SMALL = 100
LOOK_S = 0.1  # how long a look at all systems serves, while something is left of it
REDELIVERIES_REST_S = 60.0  # after a fault in telling numbers once more

# A writer that stops or is cut off in the middle of a batch lets go of the head.
_OWN_LINE = """
    SELECT set_config('idle_in_transaction_session_timeout', %(ms)s, false),
           set_config('tcp_user_timeout', %(ms)s, false)
"""


class Poster:
    """Posts what waits on the systems that it has leased."""

    def __init__(self, name: str | None = None) -> None:
        # Unique: a process that comes back under its old name is another writer, with an epoch
        # of its own.
        self.name = f"{name or 'poster'}-{uuid.uuid4().hex[:12]}"
        self.epochs: dict[int, int] = {}
        self.hints = Hints()
        self._known_to_all: Version | None = None
        self._owns_line = False  # whether the connection is this writer's alone
        self._renew_at: float | None = None  # by the monotonic clock: others may be set back
        self._books: dict[int, CachedBooks] = {}
        self._served: dict[int, int] = {}  # when each system had its turn
        self._turn = 0
        self._turns: deque[_Turn] = deque()  # left of the last look
        self._apart: set[int] = set()  # systems that a fault met together with others
        self._limits: dict[int, int] = {}  # of the next batch, where a fault was met behind it
        self._together = 1  # how many systems were served last
        self._looked_at = 0.0
        self._wait = 1  # on how many systems something waited at the last look
        self._redeliveries_rest_until = 0.0
        # What could not be taken, and when.
        self._in_vain: dict[int, tuple[PendingWork, float]] = {}
        self._presses = PressWatch()

    def run(self, stop: threading.Event, beat: Callable[[], None] = lambda: None) -> None:
        """Post until asked to stop; a lost database is waited for.

        `beat` is called every time the loop comes round. TooOldError where a later version of the
        console took over an order.
        """
        self._owns_line = True
        with closing(PgListener("jackpot_inbox")) as listener, self.hints:
            while not stop.is_set():
                beat()
                try:
                    posted = self.step()
                    if posted == 0:
                        listener.wait(IDLE_S)
                    elif posted < SMALL:
                        stop.wait(PACE_S * self._together / self._wait)
                except Error as fault:
                    if not is_outage(fault):
                        raise
                    log.exception("the database cannot work now; trying again")
                    connection.close()
                    self._renew_at = None
                    stop.wait(1)
        self.give_up()

    def step(self) -> int:
        """Post one batch of one system, or of several with little each; how many entries were
        written, 0 when nothing can be.

        It is the turn of the system that was served longest ago, of those on which something waits:
        a long queue delays another system's input by one batch, or by those of LOOK_S. What could
        not be taken a moment ago, behind a gap for instance, is served after the rest.
        """
        self._lease()
        if time.monotonic() - self._looked_at >= LOOK_S:
            self._turns.clear()
        while True:
            is_new = not self._turns
            if is_new:
                self._look()
            while self._turns:
                if count := self._serve(self._next_turns()):
                    return count
            if is_new:
                return 0

    def _next_turns(self) -> dict[int, PendingWork]:
        """The systems that are served together: the next one, and others while it is little.

        By itself is served whoever has more than new events, had nothing that could be taken a
        moment ago, or met a fault together with others and was not served since.
        """
        turn = self._turns.popleft()
        turns, size = {turn.system_id: turn.work}, turn.size
        while self._may_join(turn) and self._turns and self._may_join(self._turns[0]):
            size += self._turns[0].size
            if size > BATCH:
                break
            turn = self._turns.popleft()
            turns[turn.system_id] = turn.work
        return turns

    def _may_join(self, turn: _Turn) -> bool:
        is_plain = turn.work.has_events_alone and not turn.is_in_vain
        return is_plain and turn.system_id not in self._apart | self._limits.keys()

    def _look(self) -> None:
        """See on which systems something waits, and whose turn it is."""
        self._looked_at = time.monotonic()
        pending = pending_work(self.epochs)
        self._announce_again([system_id for system_id, what in pending.items() if what.repeated])
        turns = [
            _Turn(system_id, what, self._is_in_vain(system_id, what))
            for system_id, what in pending.items()
            if what.waits
        ]
        turns.sort(key=lambda turn: (turn.is_in_vain, self._served.get(turn.system_id, 0), turn[0]))
        self._wait = max(1, len(turns))
        self._turns.extend(turns)

    def _serve(self, turns: Mapping[int, PendingWork]) -> int:
        """Post a batch of each of the systems whose turn it is."""
        self._turn += 1
        self._served |= dict.fromkeys(turns, self._turn)
        self._together = len(turns)
        counts = self._post_together(turns) if len(turns) > 1 else self._post_alone(*turns.items())
        for system_id in turns:
            if system_id not in counts:  # no time was left for it: at the next look it is first
                self._served.pop(system_id)
        return sum(counts.values())

    def _post_together(self, turns: Mapping[int, PendingWork]) -> dict[int, int]:
        """How many entries of each system were written, in one transaction. After a fault nothing
        was: it is each one's turn alone, where whose it is comes out and troubles nobody else."""
        try:
            return self._commit(turns, BATCH)
        except Exception as fault:
            self._apart |= turns.keys()
            if is_outage(fault):
                raise
            log.warning("posting %d systems apart", len(turns), exc_info=fault)
            alone = [_Turn(system_id, work, False) for system_id, work in turns.items()]
            self._turns.extendleft(reversed(alone))
            return {}

    def _post_alone(self, turn: tuple[int, PendingWork]) -> dict[int, int]:
        system_id, work = turn
        try:
            count = self.post(system_id, work)
        except FencedOff:
            log.warning("system %s was taken over by another poster", system_id)
            self.epochs.pop(system_id, None)
            count = 0
        self._apart.discard(system_id)
        return {system_id: count}

    def _announce_again(self, system_ids: list[int]) -> None:
        """Numbers sent once more; what goes wrong here is said and holds up no posting."""
        now = time.monotonic()
        if not system_ids or now < self._redeliveries_rest_until:
            return
        try:
            announce_again(system_ids)
        except Exception as fault:
            if is_outage(fault):
                raise
            log.exception("numbers could not be told once more")
            self._redeliveries_rest_until = now + REDELIVERIES_REST_S
            raise_alarm(
                "repeats",
                "poster",
                OrderAlarm.REPEATS % {"fault": fault},
            )

    def give_up(self) -> None:
        """Let others take the systems at once."""
        leases.give_up(self.name)
        self.epochs.clear()
        self._turns.clear()
        self._books.clear()

    def _is_in_vain(self, system_id: int, work: PendingWork) -> bool:
        """Whether the same was looked at a moment ago and nothing of it could be taken."""
        before, at = self._in_vain.pop(system_id, (None, 0.0))
        if before != work or time.monotonic() - at >= IDLE_S:
            return False
        self._in_vain[system_id] = work, at
        return True

    def _lease(self) -> None:
        now = time.monotonic()
        if self._renew_at is not None and now < self._renew_at:
            return
        lease_s = settings.POSTER_LEASE_S
        if self._owns_line:
            with connection.cursor() as cursor:
                cursor.execute(_OWN_LINE, {"ms": str(round(lease_s * 1000))})
            keep_plans()
        self.epochs, self._known_to_all = leases.lease(self.name, lease_s)
        settle(self.epochs)
        self._books = {id_: books for id_, books in self._books.items() if id_ in self.epochs}
        self._renew_at = now + lease_s / 3

    def post(self, system_id: int, work: PendingWork) -> int:
        """Post one batch of a system.

        A batch that cannot be taken is taken in parts, until what is at fault is alone: that
        halts the system behind what came before it, with an alarm that names it; intake and other
        systems go on.
        """
        while True:
            try:
                counts = self._commit({system_id: work}, self._limits.get(system_id, BATCH))
            except Poison as poison:
                self._limits.pop(system_id, None)
                if not poison.before:
                    self._halt(system_id, poison)
                    return 0
                # Write what precedes it, then meet it first; or another writer with the lease does.
                self._limits[system_id] = poison.before
            else:
                self._limits.pop(system_id, None)
                return counts.get(system_id, 0)

    def _commit(self, turns: Mapping[int, PendingWork], limit: int) -> dict[int, int]:
        """A transaction with a batch of each system for which time is left; how many entries of
        each were written.

        The books that were kept are kept on only when all of it is written (those of a system that
        had no turn are as they were). Poison when it is one system's and cannot be; of several
        nobody knows whose fault it is.
        """
        cached_books = {system_id: self._books.pop(system_id, None) for system_id in turns}
        unwritten: list[Unwritten] = []
        try:
            with transaction.atomic():
                unwritten += self._opened(turns, cached_books)
                unwritten = fold_batches(unwritten, self._inputs(unwritten, turns), limit)
                write_batches([each for each in unwritten if each.pending_entries])
        except (FencedOff, Poison, TooOldError):
            raise
        except Exception as fault:
            if is_outage(fault) or len(turns) > 1:
                raise
            pending_entries = [pending for each in unwritten for pending in each.pending_entries]
            raise Poison.somewhere(pending_entries, fault, limit) from fault
        self._books |= {system_id: books for system_id, books in cached_books.items() if books}
        for each in unwritten:
            system_id = each.head.system_id
            self._books[system_id] = CachedBooks.of(each.head, each.loaded)
            if each.pending_entries:
                self.hints.changed(system_id, hits=each.touches_hits)
            else:
                self._in_vain[system_id] = turns[system_id], time.monotonic()
        self._presses.look(each for each in unwritten if each.pending_entries)
        observe_waits(unwritten)
        return {each.head.system_id: len(each.pending_entries) for each in unwritten}

    def _opened(
        self, turns: Mapping[int, PendingWork], cached_books: Mapping[int, CachedBooks | None]
    ) -> Iterator[Unwritten]:
        """Of each system that is not halted the head, nobody else's now, and the books."""
        for head in locked(turns):
            if not self._leads(head):
                raise FencedOff(head.writer)
            skip = decided(head)
            if head.halted_at is None or skip is not None:
                loaded = self._loaded(head, turns[head.system_id], cached_books[head.system_id])
                now = never_back(loaded.at, timezone.now())
                version = next_version(loaded.version, self._known_to_all)
                yield Unwritten(head, loaded, skip, now, version)

    def _leads(self, head: models.Head) -> bool:
        """By its name, too: after a restore an epoch comes that another writer had before it."""
        return (head.writer, head.epoch) == (self.name, self.epochs.get(head.system_id))

    def _inputs(
        self, unwritten: list[Unwritten], turns: Mapping[int, PendingWork]
    ) -> dict[int, PendingInput]:
        work_by_system = {
            each.head.system_id: (turns[each.head.system_id], each.loaded.table_codes)
            for each in unwritten
        }
        return waiting(work_by_system, BATCH)

    def _loaded(self, head: models.Head, work: PendingWork, books: CachedBooks | None) -> Loaded:
        """The books that were kept, if they are still those of the head; else from the rows."""
        if books is not None and books.fits(head):
            table_ids = books.loaded.table_codes
            if all(table_id in table_ids for table_id, _ in work.streams):
                return books.loaded
        loaded = load(head, Plan(with_hits=False))
        last = models.Block.objects.filter(system=head.system_id, number=head.block_number).first()
        if last is not None:
            loaded.at, loaded.version = last.at, (last.fold_version, last.rules_version)
        return loaded

    def _halt(self, system_id: int, poison: Poison) -> None:
        entry, row, fault = poison.label, poison.row, poison.fault
        with transaction.atomic():
            head = models.Head.objects.select_for_update().get(pk=system_id)
            poison.log_halt_of(head.system.code)
            # Whoever has the lease by now is as slow with it, where the head stands as it was met.
            is_met_by_all = isinstance(fault, TooSlow) and head.seq == poison.after
            if not self._leads(head) and not is_met_by_all:
                raise FencedOff(head.writer)
            head.halted_at, head.halted_on = timezone.now(), entry[:200]
            head.halted_event = row.event_id if row else None
            head.halted_command = row.command if row else None
            head.save(update_fields=["halted_at", "halted_on", "halted_event", "halted_command"])
            raise_alarm(
                "system_halt",
                f"{head.system.code}: {entry}",
                OrderAlarm.HALT
                % {
                    "system": head.system.name,
                    "input": entry,
                    "fault": fault,
                    "code": head.system.code,
                    "more": poison.way_out,
                },
                head.system,
            )


class _Turn(NamedTuple):
    """A system on which something waits; `is_in_vain`: nothing of it could be taken just now."""

    system_id: int
    work: PendingWork
    is_in_vain: bool

    @property
    def size(self) -> int:
        return self.work.size(BATCH)
