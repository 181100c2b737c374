"""A batch in the making: what waits on one system is numbered, folded and written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.conf import settings

from jackpot import models
from jackpot.arrivals import Waiting
from jackpot.asides import Aside, go_on
from jackpot.fold import apply
from jackpot.loading import Loaded, fetch
from jackpot.numbering import Todo, measure_clocks, move_cursors, needed_by, number, whole
from jackpot.periods import ended
from jackpot.receipts import announce
from jackpot.sequence import Release
from jackpot.writing import Batch, FencedOff, Row, write
from tables.outage import is_outage


@dataclass(slots=True)
class Unwritten:
    """The batch of one system in the making."""

    head: models.Head
    loaded: Loaded
    aside: Aside | None
    now: dt.datetime
    todos: list[Todo] = field(default_factory=list)

    def fold(self, found: Waiting, limit: int) -> None:
        """Number what may be taken, at most `limit`, and fold it into the books."""
        head, loaded, now = self.head, self.loaded, self.now
        books = loaded.books
        over = ended(books.periods, books.terms_at(books.terms_number), loaded.day, now)
        self.todos = number(head.seq, found, now, settings.GAP_WAIT_S, limit, over)
        if not self.todos:
            return
        if self.aside is not None:
            _mark(head, self.todos, self.aside)
        fetch(head.system_id, loaded, needed_by(self.todos, loaded.table_ids))
        measure_clocks(head.system_id, self.todos)
        for done, todo in enumerate(self.todos):
            try:
                todo.row.outcome = apply(books, todo.entry())
            except Exception as fault:
                before = len(whole(self.todos[:done]))
                raise Poison(_culprit(self.todos[before:]), fault, before) from fault

    def batch(self) -> Batch:
        """As it is written."""
        return Batch(self.head, self.loaded, [todo.row for todo in self.todos], self.now)


def write_batches(unwritten: Sequence[Unwritten]) -> None:
    """Write what was folded, and what goes with it: cursors, receipts, decisions carried out.

    Poison when it is one system's and the database refuses it; of several nobody knows whose
    it is.
    """
    if not unwritten:
        return
    batches = [each.batch() for each in unwritten]
    try:
        write(batches)
        move_cursors({each.head.system_id: each.todos for each in unwritten})
        announce(batches)
    except FencedOff:
        raise
    except Exception as fault:  # the database refuses it: halve until the culprit is alone
        if is_outage(fault) or len(unwritten) > 1:
            raise
        (each,) = unwritten
        before = len(whole(each.todos[: len(each.todos) // 2]))
        raise Poison(_culprit(each.todos[before:]), fault, before) from fault
    for each in unwritten:
        for todo in each.todos:
            if todo.aside is not None:
                go_on(each.head, todo.aside, todo.row.seq)
        each.loaded.forget()


class Poison(Exception):
    """An entry that cannot be taken; `before`: how many entries of the batch come before it."""

    def __init__(self, row: Row, fault: Exception, before: int) -> None:
        super().__init__(str(fault))
        self.row, self.fault, self.before = row, fault, before
        self.named = f"{row.type} ({row.table or 'console'}, boot {row.boot}, seq {row.event_seq})"
        if row.command is not None:
            self.named = f"{row.type} (command {row.command})"


def _culprit(todos: list[Todo]) -> Row:
    """What people can set aside: the event that a release lets through, not the release."""
    return next(todo.row for todo in todos if not isinstance(todo.source, Release))


def _mark(head: models.Head, todos: list[Todo], aside: Aside) -> None:
    for todo in todos:
        row = todo.row
        if (row.event_id, row.command) == (head.halted_event, head.halted_command):
            todo.aside = aside
