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
from jackpot.numbering import Todo, ends, measure_clocks, move_cursors, needed_by, number
from jackpot.periods import ended
from jackpot.receipts import announce
from jackpot.writing import Batch, write


@dataclass(slots=True)
class Unwritten:
    """The batch of one system in the making."""

    head: models.Head
    loaded: Loaded
    aside: Aside | None
    now: dt.datetime
    todos: list[Todo] = field(default_factory=list)

    def fold(self, found: Waiting, limit: int) -> None:
        """Number what may be taken, about `limit`, and fold it into the books."""
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
                good = [end for end in ends(self.todos) if end <= done]
                raise Poison(self.todos, fault, good[-1] if good else 0) from fault

    def batch(self) -> Batch:
        """As it is written."""
        return Batch(self.head, self.loaded, [todo.row for todo in self.todos], self.now)


def write_batches(unwritten: Sequence[Unwritten]) -> None:
    """Write what was folded, and what goes with it: cursors, receipts, decisions carried out."""
    if not unwritten:
        return
    batches = [each.batch() for each in unwritten]
    write(batches)
    move_cursors({each.head.system_id: each.todos for each in unwritten})
    announce(batches)
    for each in unwritten:
        for todo in each.todos:
            if todo.aside is not None:
                go_on(each.head, todo.aside, todo.row.seq)
        each.loaded.forget()


class Poison(Exception):
    """A batch that cannot be taken; `before`: how many of its entries are tried without the rest.

    Where that is none, `row` is the entry that cannot be: the event that a release lets through,
    not the release. None where people have set it aside already and that was of no use, or where
    nobody knows what it is.
    """

    def __init__(self, todos: Sequence[Todo], fault: Exception, before: int) -> None:
        super().__init__(str(fault))
        self.fault, self.before = fault, before
        culprit = next((todos[end - 1] for end in ends(todos) if end > before), None)
        self.named = culprit.row.named if culprit else "an entry that could not be read"
        self.row = culprit.row if culprit and culprit.aside is None else None
        if culprit and culprit.aside is not None:
            self.named += ", set aside already"

    @classmethod
    def somewhere(cls, todos: Sequence[Todo], fault: Exception, limit: int) -> Poison:
        """The database refuses it, or nobody foresaw it: halved until the culprit is alone.

        `limit`: of what was to be numbered, if it did not come to that.
        """
        apart = ends(todos)[:-1] if todos else range(1, limit)
        return cls(todos, fault, apart[len(apart) // 2] if apart else 0)


def _mark(head: models.Head, todos: list[Todo], aside: Aside) -> None:
    for todo in todos:
        row = todo.row
        if (row.event_id, row.command) == (head.halted_event, head.halted_command):
            todo.aside = aside
