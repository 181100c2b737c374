"""A table leaves one system for another; each of the two orders has its own entry of it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, two_people
from jackpot.domain.command_handlers.terms import put
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.hits.states import HitState
from tables.protocol.messages import Code, Counter

Held = tuple[Counter, Annotated[int, Meta(ge=0)]]  # a boot, and how far it is held


class MoveTable(Body, frozen=True, kw_only=True):
    """A table of this system goes to another. `receipted`: what its unit has receipts for."""

    table: Code
    to_system: Code
    to_table: Code
    receipted: tuple[Held, ...]
    reason: Reason


class ReceiveTable(Body, frozen=True, kw_only=True):
    """A table came to this system. `entry`: at which it left the other one."""

    table: Code
    from_system: Code
    from_table: Code
    entry: Counter


def move_table(books: Books, entry: CommandEntry, body: MoveTable) -> Outcome:
    """From here on the table is none of this system: no round at it takes part, no hand wins.

    Its session is closed and no claim of it is open. Rounds that began before finish as they
    began.
    """
    two_people(entry)
    if body.to_system == books.system:
        raise Refused("The table is of this system: choose another one.")
    if body.table in books.moved:
        raise Refused(f"Table {body.table} has moved to {books.moved[body.table]} already.")
    if books.sessions.get(body.table) is not None:
        raise Refused(f"Table {body.table} is open: close its session on the handset first.")
    for hit in books.hits.values():
        if hit.table == body.table and hit.state == HitState.HELD:
            raise Refused(f"Claim {hit.number} of table {body.table} is open: decide it first.")
    all_terms = books.terms_at(books.terms_number)
    if not all_terms:
        raise Refused("No terms say which tables left yet: put terms into effect here first.")
    there = f"{body.to_system}/{body.to_table}"
    books.moved[body.table] = there
    # Terms alone remember it: where every jackpot is closed, theirs do.
    for terms in [terms for terms in all_terms if terms.tiers] or all_terms:
        left = tuple(table for table in terms.suspended_tables if table != body.table)
        put(books, replace(terms, suspended_tables=left, moved=dict(books.moved)))
    return {"moved": there, "terms": books.terms_number}


def receive_table(books: Books, entry: CommandEntry, body: ReceiveTable) -> Outcome:
    """The table is of this system: the order says since when, and where it came from."""
    two_people(entry)
    if body.from_system == books.system:
        raise Refused("The table comes from this system.")
    return {"received": f"{body.from_system}/{body.from_table}", "entry": body.entry}
