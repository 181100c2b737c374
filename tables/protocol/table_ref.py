"""Which table a topic speaks for: the identity that every message needs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tables.keys import NOBODYS, KeyDamaged, Opener, SealedKey
from tables.models import GamingTable
from tables.process.prepared_statements import prepared_cursor
from tables.protocol.topics import Address

_TABLE_REFS = """
    SELECT system.id, system.code, system.era, gaming_table.id, gaming_table.code,
           coalesce(elsewhere.code || '/' || moved.code, ''),
           unit.sealed_key, unit.key_digest,
           CASE WHEN unit.other_until > now() THEN unit.sealed_other ELSE '' END, unit.other_digest
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
    is_key_shut: bool = False  # a sealed key does not open: what is signed with it is refused


def table_refs_of(addresses: Iterable[Address]) -> dict[tuple[str, str], TableRef]:
    """The known tables among the addresses, by (system, table); some of their neighbours too.

    Asked again for every batch: a table, a key or an era that was changed a moment ago counts.
    SealingKeyFault, an outage, where no key of a unit opens.
    """
    places = {address[:2] for address in addresses}
    if not places:
        return {}
    with prepared_cursor() as cursor:
        cursor.execute(_TABLE_REFS, [list(set(column)) for column in zip(*places, strict=True)])
        rows = cursor.fetchall()
    opener = Opener()
    table_refs = [_table_ref(row, opener) for row in rows]
    return {(table_ref.system, table_ref.table): table_ref for table_ref in table_refs}


def _table_ref(row: Sequence[Any], opener: Opener) -> TableRef:
    system_id, system, era, table_id, table, moved_to = row[:6]
    key, other, is_shut = "", "", False
    if row[6] is not None:
        seals = SealedKey(*row[6:8]), SealedKey(*row[8:])
        key, other, is_shut = _keys_of(opener, table_id, f"{system}/{table}", *seals)
    return TableRef(system_id, system, era, table_id, table, key, moved_to, other, is_shut)


def _keys_of(
    opener: Opener, table_id: int, place: str, sealed: SealedKey, sealed_other: SealedKey
) -> tuple[str, str, bool]:
    """The key, the one before, and whether one of them is shut."""
    key, other = NOBODYS, ""
    try:
        key = opener.opened(table_id, place, sealed)
        if sealed_other.sealed:
            other = opener.opened(table_id, place, sealed_other)
    except KeyDamaged:
        return key, other, True
    return key, other, False


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
