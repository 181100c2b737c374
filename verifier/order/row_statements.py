"""What the rows of an order state by themselves: hashes, running balances, the log's leaves.

None of it asks what an entry was made of, so that a second process can look at it while the first
one folds the order (`verifier.second_process`).
"""

from __future__ import annotations

from dataclasses import dataclass

from verifier.database.report import Scope
from verifier.database.rows import Accounts, Connection, Sealed, System, ask
from verifier.order.books import Books
from verifier.order.chain import Chain
from verifier.order.cosignatures import cosignatures
from verifier.order.log import Log, PublishedLog
from verifier.order.tiles import tiles


@dataclass(frozen=True)
class End:
    """The end of a system's order as head, accounts and queue state it."""

    accounts: Accounts
    balances: dict[str, int]
    seq: int = 0
    transfer: int = 0
    block: int = 0
    hash: bytes = bytes(32)
    halted_on: str = ""
    last_command: int = 0


def end_of(connection: Connection, system: System) -> End:
    """Where an order ends."""
    accounts = ask(
        connection,
        "SELECT id, code, balance FROM jackpot_account WHERE system_id = %s",
        [system.id],
    )
    heads = ask(
        connection,
        "SELECT h.seq, h.transfer_number, h.block_number, h.block_hash, h.halted_on,"
        " coalesce(q.last_number, 0) FROM jackpot_head h"
        " LEFT JOIN jackpot_commandqueue q ON q.system_id = h.system_id WHERE h.system_id = %s",
        [system.id],
    )
    balances = {code: balance for _, code, balance in accounts}
    codes = Accounts((id_, code) for id_, code, _ in accounts)
    return End(codes, balances, *heads[0] if heads else ())


class Stated:
    """Hash chain, books, and the log with its tree and its cosignatures."""

    def __init__(
        self, connection: Connection, scope: Scope, system: System, published: PublishedLog
    ) -> None:
        self._where, self._published = (connection, scope, system), published
        self._end = end_of(connection, system)
        accounts = self._end.accounts
        self._chain, self._books = Chain(scope, system, accounts), Books(scope, accounts)
        self._log = Log(connection, scope, system, accounts, published)

    def block(self, sealed: Sealed) -> None:
        """Look at one block."""
        self._chain.block(sealed)
        self._books.block(sealed)
        self._log.block(sealed)

    def end(self) -> None:
        """Hold the end against head and accounts."""
        self._chain.end(self._end.block, self._end.hash)
        self._books.end(self._end.balances, self._end.transfer)
        self._log.end()
        tiles(*self._where)
        cosignatures(*self._where, self._published)
