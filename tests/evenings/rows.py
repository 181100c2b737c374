"""The recorded orders of a database as lines of JSON: columns by the names that are hashed.

No surrogate id and no name of ours is in them but those of columns and accounts, so that modules
and migrations may be another way when the lines are read.
"""

import json
from collections.abc import Iterator
from typing import Any

from django.db import connection

_SYSTEMS = """
    SELECT s.id, s.code AS system, c.minor_digits AS digits
    FROM tables_jackpotsystem s JOIN tables_casino c ON c.id = s.casino_id
    JOIN jackpot_head h ON h.system_id = s.id WHERE h.seq > 0 ORDER BY s.code COLLATE "C"
"""
_BLOCKS = """
    SELECT number, first_seq, last_seq, first_transfer, last_transfer, fold_version,
           rules_version, at, encode(previous, 'hex') AS previous, encode(hash, 'hex') AS hash
    FROM jackpot_block WHERE system_id = %s ORDER BY number
"""
_ENTRIES = """
    SELECT n.seq, n.at, n.kind, n.type, g.code AS table, n.boot, n.event_seq, n.command, n.round,
           n.hit, n.body::json AS body, n.outcome::json AS outcome,
           convert_from(e.body, 'UTF8') AS event,
           CASE WHEN c.number IS NOT NULL THEN json_build_object('kind', c.kind, 'body',
                c.body::json, 'first', c.first, 'second', c.second,
                'basis', encode(c.basis, 'hex')) END AS decision
    FROM jackpot_entry n
    LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    LEFT JOIN tables_tableevent e ON e.id = n.event_id
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE n.system_id = %s AND n.seq BETWEEN %s AND %s ORDER BY n.seq
"""
_TRANSFERS = """
    SELECT t.number, t.entry_seq, d.code AS debit, c.code AS credit, t.amount, t.debit_after,
           t.credit_after, t.reason, t.hit
    FROM jackpot_transfer t
    JOIN jackpot_account d ON d.id = t.debit_id JOIN jackpot_account c ON c.id = t.credit_id
    WHERE t.system_id = %s AND t.number BETWEEN %s AND %s ORDER BY t.number
"""
_BALANCES = """
    SELECT code, balance FROM jackpot_account WHERE system_id = %s ORDER BY code COLLATE "C"
"""
_HITS = """
    SELECT h.number, h.place, h.acts_at, g.code AS table, h.round, h.terms, t.code AS tier,
           h.state, h.held, h.confirmed, h.report::json AS report, h.report_entry,
           h.corrected::json AS corrected, h.called_seats::json AS called_seats,
           h.payees::json AS payees, h.stops::json AS stops, h.pairing::json AS pairing,
           h.strength::json AS strength, h.closing
    FROM jackpot_hit h JOIN tables_gamingtable g ON g.id = h.table_id
    LEFT JOIN jackpot_tier t ON t.id = h.tier_id
    WHERE h.system_id = %s ORDER BY h.number
"""


def orders(evening: str) -> Iterator[str]:
    """Every order of Django's database, each from its head line to its end."""
    for system in _rows(_SYSTEMS):
        id_ = system.pop("id")
        yield _line("order", {"evening": evening, **system})
        for block in _rows(_BLOCKS, id_):
            yield _line("block", block)
            for entry in _rows(_ENTRIES, id_, block["first_seq"], block["last_seq"]):
                yield _line("entry", {k: v for k, v in entry.items() if v is not None})
            ends = block["first_transfer"], block["last_transfer"]
            for transfer in _rows(_TRANSFERS, id_, *ends):
                yield _line("transfer", transfer)
        balances = {row["code"]: row["balance"] for row in _rows(_BALANCES, id_)}
        yield _line("end", {"balances": balances, "hits": _rows(_HITS, id_)})


def _rows(query: str, *values: int) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        names = [column.name for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _line(kind: str, columns: dict[str, Any]) -> str:
    return json.dumps([kind, columns], default=_instant, ensure_ascii=False, sort_keys=True)


def _instant(value: Any) -> str:
    return str(value.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))
