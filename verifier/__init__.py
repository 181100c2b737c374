"""The independent checker: does a database keep the console's promises?

Shares no code with the console; the standard library and psycopg are all it needs. It reads, in
one transaction that cannot write, and computes everything again from what devices sent and
people decided. `order` has the promises of events, numbers, books and hashes, `fold` those of rules
and money, `people` those of who did what; each promise has a file of its own:

- `journals`: each event that a unit wrote down is in the inbox exactly once, byte for byte
- `inbox`, `receipts`: each event of the inbox has its entry; no receipt says more than is held
- `order`: one gapless order, in which no table's own order is upset
- `books`: every balance is the sum of its transfers, and follows from the one before
- `fold`: the money is what rules, terms and decisions make of the order
- `chain`: hashes over all of it
- `log`: every checkpoint that was given out is of these blocks
- `people`, `conflicts`: nobody confirmed, rejected or paid alone, or decided on an own hand
- `skipped_entries`, `table_transfers`: what was skipped and which tables moved, two people decided
- `displays`: a table was suspended for a dark display only where it was dark
- `files`: what was attached is what was named
- `projections`: what pages are made of is what the order says

`bundle` checks a dispute bundle and `proof` a proof of the log, `witness` cosigns checkpoints: they
need no database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verifier.database.report import Report

if TYPE_CHECKING:
    from verifier.check import verify
    from verifier.journals import UnitRecords

__all__ = ["Report", "UnitRecords", "verify"]


def __getattr__(name: str) -> Any:
    """The rest only where it is asked for: a bundle is checked without psycopg."""
    if name not in __all__:
        raise AttributeError(name)
    from verifier import check

    return getattr(check, name)
