"""Reading: each source from where it was read to, handed to who listens, in one transaction.

A system that has no mark yet is read from its beginning: it was made since the others were marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.db import connection, transaction

from settlement.events.sources import MOST_AT_ONCE, OF_ALL, ORDERED, UNORDERED, Happening, Unordered
from settlement.models import EventMark
from tables.models import JackpotSystem

Listener = Callable[[list[Happening]], None]
_SNAPSHOT = """
    SELECT pg_snapshot_xmin(s)::text::bigint, pg_snapshot_xmax(s)::text::bigint
    FROM pg_current_snapshot() AS s
"""


def collect(*listeners: Listener) -> int:
    """Hand what is new to each listener, of every system; how many rows that were.

    Each listener writes what it makes of them in the same transaction as the mark. A source that
    somebody else reads at this moment is left to them.
    """
    count = 0
    for system in JackpotSystem.objects.select_related("casino").order_by("pk"):
        for source in (*ORDERED, *UNORDERED):
            count += _read(source, system, listeners)
    return count + sum(_read(source, None, listeners) for source in OF_ALL)


@transaction.atomic
def _read(source: str, system: JackpotSystem | None, listeners: Iterable[Listener]) -> int:
    marks = EventMark.objects.filter(source=source, system=system)
    if not marks.exists():
        first = EventMark(source=source, system=system, through=0)
        EventMark.objects.bulk_create([first], ignore_conflicts=True)
    mark = marks.select_for_update(skip_locked=True).first()
    if mark is None:
        return 0
    before = (mark.through, list(mark.handled), mark.newest, mark.horizon)
    if system is not None and source in ORDERED:
        happenings, mark.through = ORDERED[source](system, mark.through)
    else:
        happenings = _unordered((UNORDERED | OF_ALL)[source], system, mark)
    if happenings:
        for listener in listeners:
            listener(happenings)
    if before != (mark.through, mark.handled, mark.newest, mark.horizon):
        mark.save(update_fields=["through", "handled", "newest", "horizon"])
    return len(happenings)


def _unordered(source: Unordered, system: JackpotSystem | None, mark: EventMark) -> list[Happening]:
    """Those above the mark that were not handled. The mark moves once every transaction has ended
    that could still commit a lower number."""
    oldest_running, _next = _snapshot()
    has_settled = mark.newest is not None and oldest_running >= (mark.horizon or 0)
    newer = source.rows(system).filter(pk__gt=mark.through).exclude(pk__in=mark.handled)
    page = list(newer.order_by("pk")[:MOST_AT_ONCE])
    mark.handled = sorted({*mark.handled, *(row.pk for row in page)})
    if has_settled and mark.newest is not None and len(page) < MOST_AT_ONCE:
        mark.through = mark.newest
        mark.handled = [each for each in mark.handled if each > mark.through]
        mark.newest = mark.horizon = None
    if mark.handled and not _is_awaited(mark):
        mark.newest, mark.horizon = mark.handled[-1], _snapshot()[1]
    return [source.happening(row) for row in page]


def _is_awaited(mark: EventMark) -> bool:
    """A horizon that lies ahead is of another server: the database was restored from a backup."""
    return mark.newest is not None and (mark.horizon or 0) <= _snapshot()[1]


def _snapshot() -> tuple[int, int]:
    """The oldest transaction that has not ended, and the first that has not begun."""
    with connection.cursor() as cursor:
        cursor.execute(_SNAPSHOT)
        oldest, following = cursor.fetchone()
    return oldest, following
