"""A forger who rewrites rows and computes all hashes again."""

import hashlib
from typing import Any

from jackpot.domain.state import blocks
from tests.support.proof.evening_hands import Hands

_ENTRIES = """
    SELECT n.seq, n.at, n.kind, n.type, g.code, n.boot, n.event_seq, n.command, n.round, n.hit,
           encode(n.body_hash, 'hex'), n.body, n.outcome
    FROM jackpot_entry n LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    WHERE n.seq BETWEEN %s AND %s ORDER BY n.seq
"""


_TRANSFERS = """
    SELECT number, entry_seq, d.code, c.code, amount, debit_after, credit_after, reason, hit
    FROM jackpot_transfer JOIN jackpot_account d ON d.id = debit_id
    JOIN jackpot_account c ON c.id = credit_id WHERE number BETWEEN %s AND %s ORDER BY number
"""


_BLOCKS = """
    SELECT number, first_seq, last_seq, first_transfer, last_transfer, fold_version,
           rules_version, at FROM jackpot_block ORDER BY number
"""


def rehash(hands: Hands) -> None:
    """Compute the whole chain again over what the rows say now."""
    ask, previous = hands.connection.execute, bytes(32)
    for *block, at in ask(_BLOCKS).fetchall():
        number, first, last, first_transfer, last_transfer, *_ = block
        lines: list[list[Any]] = [["block", "main", *block, blocks.instant(at), previous.hex()]]
        for seq, entry_at, *rest in ask(_ENTRIES, [first, last]):
            lines.append(["entry", seq, blocks.instant(entry_at), *rest])
        lines += (["transfer", *row] for row in ask(_TRANSFERS, [first_transfer, last_transfer]))
        digest = hashlib.sha256(b"\n".join(map(blocks.canonical, lines))).digest()
        changed = "UPDATE jackpot_block SET previous = %s, hash = %s WHERE number = %s"
        ask(changed, [previous, digest, number])
        previous = digest
    ask("UPDATE jackpot_head SET block_hash = %s", [previous])
