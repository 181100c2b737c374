"""The only file that writes transfers and balances. Micros; one row is debit and credit."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot import models
from jackpot.domain.state.books import Books
from jackpot.storage.copying import RowsOf, columns, null
from tables.process.prepared_statements import prepared_cursor

_TRANSFERS = RowsOf(
    models.Transfer,
    "system_id number entry_seq debit_id credit_id amount debit_after credit_after reason hit",
)
_ACCOUNTS = """
    INSERT INTO jackpot_account (system_id, code, tier_id, balance)
    SELECT %s, code, tier_id, 0 FROM unnest(%s::text[], %s::bigint[]) AS new (code, tier_id)
    RETURNING code, id
"""
_BALANCES = """
    UPDATE jackpot_account AS account SET balance = moved.balance, moved_through = moved.through
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS moved (id, balance, through)
    WHERE account.id = moved.id
"""


def open_accounts(system_id: int, codes: dict[str, int | None]) -> dict[str, int]:
    """New accounts at zero, code -> tier id (None: the system's own); their ids by code."""
    with prepared_cursor() as cursor:
        cursor.execute(_ACCOUNTS, [system_id, list(codes), list(codes.values())])
        return dict(cursor.fetchall())


def post(postings: Sequence[tuple[int, Books, dict[str, int]]]) -> None:
    """Write the transfers of batches and the balances of all accounts that they touch.

    Of each batch: its system's id, its books, the ids of its accounts by code.
    """
    lines: list[str] = []
    moved: list[tuple[int, int, int]] = []
    for system_id, books, accounts in postings:
        lines += [
            f"{system_id}\t{t.number}\t{t.entry}\t{accounts[t.debit]}\t{accounts[t.credit]}\t"
            f"{t.amount}\t{t.debit_after}\t{t.credit_after}\t{t.reason}\t{null(t.hit)}\n"
            for t in books.transfers
        ]
        touched = {t.debit for t in books.transfers} | {t.credit for t in books.transfers}
        through = books.transfer_number
        moved += [(accounts[code], books.balances[code], through) for code in touched]
    if lines:
        _TRANSFERS.write(lines)
        with prepared_cursor() as cursor:
            cursor.execute(_BALANCES, columns(moved))
