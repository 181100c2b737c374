"""Traces: the way of an event from the press to the display, as spans for a collector (OTLP).

Nothing is carried between the processes. The trace of an event, its spans' ids and whether it is
traced follow from the event's identity, so intake, poster, worker and web each say what they did.
Off (no TRACES_URL) nothing is done here, and the library is not even imported.
"""

from __future__ import annotations

import functools
import logging
import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, ParamSpec

from django.conf import settings
from django.db import connection

from tables.telemetry.spans import Span, stream_number

log = logging.getLogger(__name__)
P = ParamSpec("P")

LOOK_EVERY_S = 2.0  # how soon every process knows which tables are traced on request
FAULT_EVERY_S = 60.0

_MASK = 2**32 - 1
_GOLDEN = 0x9E3779B1  # about 2**32 by the golden ratio: its multiples lie evenly
_REQUESTED = """
    SELECT system.code, g.code FROM tables_tracerequest request
    JOIN tables_gamingtable g ON g.id = request.table_id
    JOIN tables_jackpotsystem system ON system.id = g.system_id
    WHERE request.until > clock_timestamp()
"""


class _Requests:
    """The tables that are traced whatever the share, as this process last read them."""

    def __init__(self) -> None:
        self.tables: frozenset[tuple[str, str]] = frozenset()
        self._look_at = 0.0

    def look(self) -> None:
        """Read them again, now and then."""
        if time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + LOOK_EVERY_S
            with connection.cursor() as cursor:
                cursor.execute(_REQUESTED)
                self.tables = frozenset(cursor.fetchall())


class _Faults:
    """When a fault in tracing was last logged."""

    log_at = 0.0


_requests = _Requests()


def is_on() -> bool:
    """Whether there is a collector."""
    return bool(settings.TRACES_URL)


def look_for_requests() -> None:
    """Know which tables are asked for; by whoever has a connection and is in no transaction."""
    _requests.look()


def choice() -> Callable[[str, str, int, int], bool]:
    """Of a batch, whether spans are made of an event (system, table, boot, seq): each process says
    the same. It is asked of every event, so what settings and requests say is read before.
    """
    bound, tables = round(settings.TRACES_SHARE * 2**32), _requests.tables

    def is_traced(system: str, table: str, boot: int, seq: int) -> bool:
        place = (stream_number(system, table, boot) + seq * _GOLDEN) & _MASK
        return place < bound or (system, table) in tables

    return is_traced


def is_request_traced() -> bool:
    """Whether a span is made of a request of the web process, which has no event: by the dice."""
    return random.random() < settings.TRACES_SHARE  # noqa: S311 - no secret


def send(span: Span) -> None:
    """Hand a span over; it is dropped where too many wait for the collector."""
    span_export().spans.put(span)


def prepare() -> None:
    """Read the library, as this process is going to need it."""
    span_export()


@functools.cache
def span_export() -> Any:
    return import_module("tables.telemetry.span_export")


def harmless(observe: Callable[P, None]) -> Callable[P, None]:
    """A fault in tracing is logged, now and then, and troubles nobody else."""

    @functools.wraps(observe)
    def observed(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            observe(*args, **kwargs)
        except Exception:
            if time.monotonic() >= _Faults.log_at:
                _Faults.log_at = time.monotonic() + FAULT_EVERY_S
                log.exception("spans of a trace could not be made")

    return observed
