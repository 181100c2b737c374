"""Keys of units: given by the owner, read by the intake alone."""

from __future__ import annotations

from tables.models import GamingTable
from tables.models_of_devices import UnitKey


def give(table: GamingTable, key: str) -> None:
    """From here on events of this table carry a MAC with this key, in hex."""
    unit = UnitKey(table=table, key=key)
    unit.clean_fields()
    unit.save()


def key_of(table: GamingTable) -> str:
    """The key of the table's unit; empty: none."""
    return UnitKey.objects.filter(table=table).values_list("key", flat=True).first() or ""
