"""A real table unit in the hand of a visitor, and what its handset shows.

It stands at a table that the simulation leaves alone. Its journal outlives the process, so a
round goes on where it was; nobody else can use the same journal meanwhile. While no visitor has it
a stand-in keeps it switched on (`demo.casino.visitor_units`), which lets go of it as soon as a
visitor asks.
"""

from __future__ import annotations

import fcntl
import json
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from demo.servers.installation import Installation
from tables.keys import key_of
from tables.models import GamingTable
from tables.unit.receipts import RECORDED, SENDING
from tables.unit.unit import TableUnit, UnitSettings

GUARD_S = 3.0  # a unit in a casino waits 15 s
MOST_SHOWN = 12  # events on the page
_REMEMBERED = 400  # events looked through for the present session and round
_HANDED_OVER_S = 15.0  # until the stand-in has switched its unit off
_LOOKED_AT_S = 0.5  # while the stand-in sees whether anybody wants the unit
_LOOK_S = 0.02

WORDS = {
    "session_opened": "Session opened",
    "session_changed": "Session changed",
    "session_closed": "Session closed",
    "round_started": "Round started",
    "round_completed": "Round completed",
    "rounds_missed": "Missed rounds told",
    "void_requested": "Void requested",
    "hand_called": "Hand called",
    "hand_reported": "Hand reported",
    "hand_withdrawn": "Withdrawal asked for",
    "events_lost": "Events declared lost",
}


class HandUnitError(RuntimeError):
    """The unit cannot be used; the message says why and what to do."""


@dataclass(frozen=True)
class SentEvent:
    """An event that the unit journalled, and what the handset shows about it."""

    seq: int
    type: str
    fields: dict[str, Any]
    handset: str
    receipt: str
    hits: tuple[int, ...]

    @property
    def words(self) -> str:
        return WORDS.get(self.type, self.type)

    @property
    def tone(self) -> str:
        """`ok`, `wait` or `bad`: how the handset colours its text."""
        if self.handset.startswith(RECORDED):
            return "ok"
        return "wait" if self.handset == SENDING else "bad"

    @property
    def json(self) -> str:
        """The event as it went over the wire, laid out for reading."""
        return json.dumps(self.fields, indent=2)


def remember_key(table: GamingTable) -> None:
    """Where the unit in a visitor's hand finds its key: the web process reads none."""
    directory = Installation.here().hand_units
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{table.system.code}--{table.code}.key"
    path.touch(0o600)
    path.write_text(key_of(table))


def _key(path: Path, table: GamingTable) -> str:
    return path.read_text() if path.exists() else key_of(table)


class HandUnit:
    """The unit of one table; connects at once and keeps trying."""

    def __init__(self, table: GamingTable, directory: Path, *, for_visitor: bool = True) -> None:
        """HandUnitError while another visitor has this table's unit."""
        self.table = table
        self.system = table.system
        directory.mkdir(parents=True, exist_ok=True)
        self._locks = ExitStack()
        if for_visitor:
            _lock(_wish(directory, table.code), self._locks, _LOOKED_AT_S)
        _lock(directory / f"{table.code}.lock", self._locks, _HANDED_OVER_S if for_visitor else 0)
        name = f"{self.system.code}--{table.code}"
        self.unit = TableUnit(
            self.system.code,
            table.code,
            UnitSettings(
                mac_key=_key(directory / f"{name}.key", table),
                display=f"d-{table.code}"[:32],
                guard_s=GUARD_S,
            ),
            journal=directory / f"{name}.sqlite3",
        )
        self.unit.start()

    def stop(self) -> None:
        """Switch the unit off and let others use its journal."""
        self.unit.stop()
        self._locks.close()

    @property
    def is_online(self) -> bool:
        """Whether it is connected and the console has given it a boot."""
        return self.unit.wait_ready(0)

    def sent_events(self, limit: int = MOST_SHOWN) -> list[SentEvent]:
        """The last events of this boot, the newest first."""
        unit = self.unit
        first = max(1, unit.last_seq - limit + 1)
        events = unit.journal.events_from(unit.boot, first, limit) if unit.boot else []
        return [self._event_of(seq, payload) for seq, payload in reversed(events)]

    def session(self) -> dict[str, Any] | None:
        """Game, dealer and seats of the open session; None when the table is closed."""
        if not self.unit.is_session_open:
            return None
        for event in self.sent_events(_REMEMBERED):
            if event.type in {"session_opened", "session_changed"}:
                return event.fields
        return {"game": "", "dealer": "", "seats_in_play": []}

    def hand_of_round(self) -> tuple[SentEvent | None, SentEvent | None]:
        """The call and the newest report of the present round."""
        call = report = None
        for event in self.sent_events(_REMEMBERED):
            if event.fields.get("round") == self.unit.round:
                call = event if event.type == "hand_called" else call
                report = report or (event if event.type == "hand_reported" else None)
            if event.type == "round_started":
                break
        return call, report

    def report(
        self, boards: list[list[str]], hands: list[dict[str, Any]], *, flop_on_request: bool = False
    ) -> int:
        """Report the hands of this round, or amend what was reported of it.

        The button stands at the last seat: odd units of a table's share go clockwise from it.
        """
        call, _ = self.hand_of_round()
        seats = (self.session() or {}).get("seats_in_play") or None
        return self.unit.report_hand(
            boards,
            hands,
            flop_on_request=flop_on_request,
            called_seq=call.seq if call else None,
            seats_dealt=seats,
            button_seat=seats[-1] if seats else None,
        )

    def _event_of(self, seq: int, payload: bytes) -> SentEvent:
        fields = json.loads(payload.split(b"\n")[0])
        result = self.unit.receipts.result(seq)
        receipt = ""
        if result is not None:
            result_fields = msgspec.to_builtins(result)
            receipt = json.dumps(
                {name: field for name, field in result_fields.items() if field is not None}
            )
        hits = tuple(result.hit or ()) if result else ()
        handset = self.unit.handset_text(seq)
        return SentEvent(seq, fields["type"], fields, handset, receipt, hits)


def unit_of(table_code: str, *, for_visitor: bool = True) -> HandUnit:
    """The unit of a table, switched on: `t1`, or `main/t1` where several are called so.

    HandUnitError for a table that does not exist.
    """
    system_code, _, code = table_code.rpartition("/")
    tables = GamingTable.objects.select_related("system__casino").filter(code=code)
    if system_code:
        tables = tables.filter(system__code=system_code)
    table = tables.order_by("pk").first()
    if table is None:
        raise HandUnitError(f"There is no table {table_code}: make it on the page Tables.")
    return HandUnit(table, Installation.here().hand_units, for_visitor=for_visitor)


def is_wanted(table_code: str) -> bool:
    """Whether a visitor has this table's unit, or waits for it."""
    try:
        with ExitStack() as locks:
            _lock(_wish(Installation.here().hand_units, table_code), locks)
    except FileNotFoundError:
        return False
    except HandUnitError:
        return True
    return False


def _wish(directory: Path, table_code: str) -> Path:
    return directory / f"{table_code}.visitor"


def _lock(path: Path, locks: ExitStack, wait_s: float = 0.0) -> None:
    """Hold this file until `locks` are let go. HandUnitError where somebody else has it."""
    lock = locks.enter_context(path.open("w"))
    deadline = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() < deadline:
                time.sleep(_LOOK_S)
                continue
            locks.close()
            raise HandUnitError(
                "This table's unit is in use elsewhere: leave it there first."
            ) from None
        return


class HandUnits:
    """The units of this process, each made when it is first asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._units: dict[str, HandUnit] = {}

    def at(self, table_code: str) -> HandUnit:
        """The unit of a table. HandUnitError for a table that does not exist."""
        with self._lock:
            if table_code not in self._units:
                self._units[table_code] = unit_of(table_code)
            return self._units[table_code]

    def stop(self) -> None:
        """Switch all off."""
        with self._lock:
            while self._units:
                self._units.popitem()[1].stop()


hand_units = HandUnits()
