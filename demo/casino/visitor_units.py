"""The units of the visitors' tables, switched on while no visitor has them in hand.

A unit hangs at its table and is on, whether or not anybody plays there; without this the console
would show two tables whose units it has never heard.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import Self

from django.db import connection

from demo.casino.seed_data import PAGE_TABLE, TERMINAL_TABLE
from demo.units.hand_unit import HandUnit, HandUnitError, is_wanted, unit_of

_LOOK_SECONDS = 0.1

log = logging.getLogger(__name__)


class StandIns:
    """Holds each unit until a visitor wants it, and takes it again afterwards."""

    def __init__(self, tables: Sequence[str] = (TERMINAL_TABLE, PAGE_TABLE)) -> None:
        self._tables = tables
        self._held: dict[str, HandUnit] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="stand-ins", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stop.wait(_LOOK_SECONDS):
                for code in self._tables:
                    self._look_at(code)
        finally:
            for hand in self._held.values():
                hand.stop()

    def _look_at(self, code: str) -> None:
        if is_wanted(code):
            if hand := self._held.pop(code, None):
                hand.stop()
        elif code not in self._held:
            try:
                self._held[code] = unit_of(code, for_visitor=False)
            except HandUnitError as fault:  # a visitor was quicker
                log.debug("%s: %s", code, fault)
            finally:
                connection.close()  # it is not needed again for hours
