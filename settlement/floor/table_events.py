"""What a table said, newest first, with what became of it in the order. Selectors only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from jackpot.labels.figures import write_decimals
from settlement.core.report_query import ask, bind
from settlement.core.words.labels import ENTRIES, FLAGS, plain
from tables.models import GamingTable

_EVENTS = """
    SELECT v.boot, v.seq, v.type, v.round, v.test, v.recorded_at, v.received_at,
           e.seq AS entry, e.at, e.hit, e.outcome
    FROM tables_tableevent v
    LEFT JOIN jackpot_entry e ON e.event_id = v.id
    WHERE v.system_id = {system} AND v.table_id = {table} AND (v.test OR NOT {only_test})
      AND (v.boot, v.seq) < ({boot}, {seq})
    ORDER BY v.boot DESC, v.seq DESC LIMIT {limit}
"""
_NEWEST = 9_223_372_036_854_775_807


@dataclass(frozen=True, slots=True)
class TableEventLine:
    """One event of a table's unit."""

    row: dict[str, Any]

    @property
    def words(self) -> str:
        return ENTRIES.get(self.row["type"], plain(self.row["type"]))

    @property
    def flags(self) -> list[str]:
        flags = (self.row["outcome"] or {}).get("flags", [])
        return [FLAGS.get(flag, plain(flag)) for flag in flags]

    @property
    def clock_ahead_s(self) -> float:
        """How far the unit's clock stands before the console's, the way of the message included."""
        ahead = self.row["recorded_at"] - self.row["received_at"]
        return round(float(ahead.total_seconds()), 1)

    @property
    def clock(self) -> str:
        """The same in words."""
        ahead = self.clock_ahead_s
        if not ahead:
            return gettext("agrees")
        text = gettext("%(seconds)s s ahead") if ahead > 0 else gettext("%(seconds)s s behind")
        return text % {"seconds": write_decimals(abs(ahead), 1)}


def events(
    table: GamingTable,
    limit: int,
    before: tuple[int, int] | None = None,
    *,
    only_test: bool = False,
) -> tuple[list[TableEventLine], tuple[int, int] | None]:
    """Events before a (boot, seq), or the newest; and where the next page goes on.

    `only_test`: those alone that a unit in test mode sent.
    """
    boot, seq = before or (_NEWEST, _NEWEST)
    rows = ask(
        bind(
            _EVENTS,
            system=table.system_id,
            table=table.pk,
            only_test=only_test,
            boot=boot,
            seq=seq,
            limit=limit + 1,
        )
    )
    page = rows[:limit]
    older = (page[-1]["boot"], page[-1]["seq"]) if len(rows) > limit else None
    return [TableEventLine(row) for row in page], older
