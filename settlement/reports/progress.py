"""How far an export is: said every second on a connection of its own, which hears a cancel, too.

The one that reads stands in its moment. A thread of its own says it, so that a long query or the
end of a large workbook is not taken for a worker that died.
"""

from __future__ import annotations

import logging
import threading

from django.db import DatabaseError, connection

from settlement.models import ReportExport

log = logging.getLogger(__name__)

TELL_EVERY_S = 1.0
# Of the export that this worker has: not of one that it lost, or that nobody wants any more.
_SAY = """
    UPDATE settlement_reportexport SET rows_total = %s, rows_done = %s, alive_at = now()
    WHERE id = %s AND state = 'running' AND attempts = %s AND cancel_at IS NULL RETURNING id
"""


class Cancelled(Exception):
    """Somebody wants no more of it, or another worker has it."""


class Progress:
    """Of one attempt at an export; a context manager."""

    def __init__(self, export: ReportExport) -> None:
        self.export = export
        self.total: int | None = None
        self.row_count = 0
        self._is_over = False
        self._end = threading.Event()
        self._beside = connection.copy()
        self._beside.inc_thread_sharing()
        self._thread = threading.Thread(target=self._beat, name="progress", daemon=True)

    def __enter__(self) -> Progress:
        self._say()
        self._thread.start()
        return self

    def __exit__(self, *_fault: object) -> None:
        self._end.set()
        self._thread.join()
        self._beside.close()

    def expect(self, rows: int) -> None:
        """So many rows are to be written, of all files together, from the first one on."""
        self.total, self.row_count = rows, 0

    def pause(self, seconds: float) -> None:
        """Nothing is read for so long. Cancelled where nobody wants it any more."""
        self._end.wait(seconds)
        self.tell(0)

    def tell(self, rows: int) -> None:
        """So many rows more. Cancelled where nobody wants it any more."""
        self.row_count += rows
        if self._is_over:
            raise Cancelled

    def _beat(self) -> None:
        while not self._is_over and not self._end.wait(TELL_EVERY_S):
            try:
                self._say()
            except DatabaseError as fault:
                log.warning("Export %s does not reach the database: %s", self.export.pk, fault)
                self._is_over = True

    def _say(self) -> None:
        with self._beside.cursor() as cursor:
            cursor.execute(_SAY, [self.total, self.row_count, self.export.pk, self.export.attempts])
            self._is_over = cursor.fetchone() is None
