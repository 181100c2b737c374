"""Which table a topic speaks for: the identity that every message needs."""

from collections.abc import Iterable
from dataclasses import dataclass

from tables.models import GamingTable
from tables.process.prepared_statements import prepared_cursor
from tables.protocol.topics import Address

_TABLE_REFS = """
    SELECT system.id, system.code, system.era, gaming_table.id, gaming_table.code,
           coalesce(unit.key, ''),
           coalesce(elsewhere.code || '/' || moved.code, ''),
           CASE WHEN unit.other_until > now() THEN unit.other ELSE '' END
    FROM tables_gamingtable AS gaming_table
    JOIN tables_jackpotsystem AS system ON system.id = gaming_table.system_id
    LEFT JOIN tables_unitkey AS unit ON unit.table_id = gaming_table.id
    LEFT JOIN tables_gamingtable AS moved ON moved.id = gaming_table.moved_to_id
    LEFT JOIN tables_jackpotsystem AS elsewhere ON elsewhere.id = moved.system_id
    WHERE system.code = ANY(%s) AND gaming_table.code = ANY(%s)
"""


@dataclass(frozen=True, slots=True)
class TableRef:
    """A known table of a known system, with what intake needs of both."""

    system_id: int
    system: str
    era: int
    table_id: int
    table: str
    mac_key: str  # hex; empty: events carry no MAC
    moved_to: str = ""  # where the table is now, as `system/table`, if it left this system
    other_key: str = ""  # the one before, while it holds beside it


def table_refs_of(addresses: Iterable[Address]) -> dict[tuple[str, str], TableRef]:
    """The known tables among the addresses, by (system, table); some of their neighbours too.

    Asked anew for every batch: a table, a key or an era that was changed a moment ago counts.
    """
    wanted = {address[:2] for address in addresses}
    if not wanted:
        return {}
    with prepared_cursor() as cursor:
        cursor.execute(_TABLE_REFS, [list(set(column)) for column in zip(*wanted, strict=True)])
        table_refs = [TableRef(*row) for row in cursor.fetchall()]
    return {(table_ref.system, table_ref.table): table_ref for table_ref in table_refs}


def table_ref_of(table: GamingTable, mac_key: str = "") -> TableRef:
    """The reference of a table at hand as a row; its key only where somebody may know it."""
    system = table.system
    return TableRef(
        system.pk,
        system.code,
        system.era,
        table.pk,
        table.code,
        mac_key,
        _address(table.moved_to),
    )


def _address(table: GamingTable | None) -> str:
    return f"{table.system.code}/{table.code}" if table else ""
