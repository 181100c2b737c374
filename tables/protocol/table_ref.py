"""Which table a topic speaks for: the identity that every message needs."""

from collections.abc import Iterable
from dataclasses import dataclass

from tables.models import GamingTable
from tables.process.prepared_statements import prepared_cursor
from tables.protocol.topics import Address

_PLACES = """
    SELECT system.id, system.code, system.era, place.id, place.code,
           coalesce(unit.key, ''),
           coalesce(elsewhere.code || '/' || moved.code, '')
    FROM tables_gamingtable AS place
    JOIN tables_jackpotsystem AS system ON system.id = place.system_id
    LEFT JOIN tables_unitkey AS unit ON unit.table_id = place.id
    LEFT JOIN tables_gamingtable AS moved ON moved.id = place.moved_to_id
    LEFT JOIN tables_jackpotsystem AS elsewhere ON elsewhere.id = moved.system_id
    WHERE system.code = ANY(%s) AND place.code = ANY(%s)
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


def places_of(addresses: Iterable[Address]) -> dict[tuple[str, str], TableRef]:
    """The known tables among the addresses, by (system, table); some of their neighbours too.

    Asked anew for every batch: a table, a key or an era that was changed a moment ago counts.
    """
    wanted = {address[:2] for address in addresses}
    if not wanted:
        return {}
    with prepared_cursor() as cursor:
        cursor.execute(_PLACES, [list(set(column)) for column in zip(*wanted, strict=True)])
        places = [TableRef(*row) for row in cursor.fetchall()]
    return {(place.system, place.table): place for place in places}


def place_of(table: GamingTable, mac_key: str = "") -> TableRef:
    """The place of a table that is at hand as a row; its key only where somebody may know it."""
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
