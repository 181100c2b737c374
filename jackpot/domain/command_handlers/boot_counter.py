"""The boot counter of a table is set right: two people say which boot was its unit's last."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from jackpot.domain.command_handlers.basis import Body, Reason, two_people
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import CommandEntry, Outcome
from tables.protocol.messages import MAX_BOOT, Code


class ResetBoots(Body, frozen=True, kw_only=True):
    """`boot`: the last that was the unit's own; 0: none was."""

    table: Code
    boot: Annotated[int, Meta(ge=0, le=MAX_BOOT)]
    reason: Reason


def reset_boots(books: Books, entry: CommandEntry, body: ResetBoots) -> Outcome:
    """Sessions of the table are compared with those of the unit's own boots again.

    A session that a foreign boot opened or closed would overtake all that the unit says later. It
    stays as it is until the unit says something else. What the counter goes on behind is set by
    the writer (`tables.floor.boot_counter`); nothing moves.
    """
    two_people(entry)
    at = books.session_at.get(body.table)
    if at is not None and at[0] > body.boot:
        del books.session_at[body.table]
        books.dirty_sessions.add(body.table)
    return {"boot": body.boot}
