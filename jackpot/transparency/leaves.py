"""The leaves of a system's log: the hash of each block and the pool of each tier after it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from jackpot.domain.state.blocks import canonical
from jackpot.models import Block

_BLOCKS = """
    SELECT number, hash FROM jackpot_block
    WHERE system_id = %s AND number > %s AND number <= %s ORDER BY number
"""
# A pool is debited by rare transfers alone, so that both looks find their row in an index.
_POOLS = """
    SELECT b.number, split_part(a.code, ':', 1), t.after
    FROM jackpot_block b
    CROSS JOIN jackpot_account a
    CROSS JOIN LATERAL (
        (SELECT number, credit_after AS after FROM jackpot_transfer
         WHERE system_id = a.system_id AND credit_id = a.id
           AND number BETWEEN b.first_transfer AND b.last_transfer ORDER BY number DESC LIMIT 1)
        UNION ALL
        (SELECT number, debit_after FROM jackpot_transfer
         WHERE system_id = a.system_id AND debit_id = a.id AND reason <> 'contribution'
           AND number BETWEEN b.first_transfer AND b.last_transfer ORDER BY number DESC LIMIT 1)
        ORDER BY number DESC LIMIT 1
    ) t
    WHERE b.system_id = %s AND b.number > %s AND b.number <= %s
      AND b.last_transfer >= b.first_transfer
      AND a.system_id = b.system_id AND a.code LIKE '%%:pool'
"""
# The same of one block, however old: the newest transfer up to its last one.
_POOLS_AFTER = """
    SELECT split_part(a.code, ':', 1), t.after
    FROM jackpot_account a
    CROSS JOIN LATERAL (
        (SELECT number, credit_after AS after FROM jackpot_transfer
         WHERE system_id = a.system_id AND credit_id = a.id
           AND number <= %s ORDER BY number DESC LIMIT 1)
        UNION ALL
        (SELECT number, debit_after FROM jackpot_transfer
         WHERE system_id = a.system_id AND debit_id = a.id AND reason <> 'contribution'
           AND number <= %s ORDER BY number DESC LIMIT 1)
        ORDER BY number DESC LIMIT 1
    ) t
    WHERE a.system_id = %s AND a.code LIKE '%%:pool'
"""


@dataclass(frozen=True, slots=True)
class Leaf:
    """What stands in the log of a block. Pools in micros, of each tier that money ever reached."""

    system: str
    block: int
    hash: bytes
    pools: dict[str, int]

    def to_bytes(self) -> bytes:
        pools = [[tier, self.pools[tier]] for tier in sorted(self.pools)]
        return canonical(["leaf", self.system, self.block, self.hash.hex(), pools])


def leaves_of(system_id: int, code: str, pools: dict[str, int], after: int, end: int) -> list[Leaf]:
    """The leaves of blocks `after` + 1 to `end`; `pools` are those after block `after`."""
    moved: dict[int, dict[str, int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_BLOCKS, [system_id, after, end])
        blocks = cursor.fetchall()
        cursor.execute(_POOLS, [system_id, after, end])
        for number, tier, balance in cursor.fetchall():
            moved.setdefault(number, {})[tier] = balance
    leaves = []
    for number, block_hash in blocks:
        pools = {**pools, **moved.get(number, {})}
        leaves.append(Leaf(code, number, bytes(block_hash), pools))
    return leaves


def leaf_of(code: str, block: Block) -> Leaf:
    """The leaf of one block of the system with that code, made from the ledger."""
    with connection.cursor() as cursor:
        last = block.last_transfer
        cursor.execute(_POOLS_AFTER, [last, last, block.system_id])
        pools = dict(cursor.fetchall())
    return Leaf(code, block.number, bytes(block.hash), pools)
