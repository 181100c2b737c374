"""Simulated tables: each a real unit with its own journal, connection and seeded dice.

They speak the wire protocol and nothing else; only their identity is read from the database.
Switched off and on again they continue where they were, as units do.
"""

import heapq
import itertools
import logging
import random
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tables.keys import key_of
from tables.models import GamingTable
from tables.unit import play
from tables.unit.play import HouseTerms
from tables.unit.unit import BUTTON_GUARD_S, TableUnit, UnitSettings

log = logging.getLogger(__name__)

ROUNDS_OF_A_SESSION = (60, 200)
SECONDS_OF_A_ROUND = (15.0, 32.0)
SECONDS_BETWEEN_ROUNDS = (5.0, 8.0)
_RETRY_S = 1.0


class SimulatedTable:
    """One table: its unit, and a dealer who never tires."""

    def __init__(
        self, unit: TableUnit, dice: random.Random, terms: HouseTerms, hands: float
    ) -> None:
        self.unit = unit
        self._dice = dice
        self._terms = terms
        self._hands = hands  # the chance that a round ends with a reported hand
        self._session = play.session(dice)

    def play(self) -> Iterator[float]:
        """Work at the table for ever; yields how many seconds pass before the next move."""
        yield self._dice.uniform(0, SECONDS_OF_A_ROUND[0])
        if self.unit.is_round_open:  # where the power went
            self.unit.complete(**play.figures(self._dice, self._terms))
            yield self._dice.uniform(*SECONDS_BETWEEN_ROUNDS)
        if self.unit.is_session_open:
            self.unit.change_session(**self._session)
        while True:
            if not self.unit.is_session_open:
                self._session = play.session(self._dice)
                self.unit.open_session(**self._session)
            for _ in range(self._dice.randint(*ROUNDS_OF_A_SESSION)):
                yield from self._play_round()
            self.unit.close_session()
            yield self._dice.uniform(*SECONDS_OF_A_ROUND)

    def _play_round(self) -> Iterator[float]:
        self.unit.press()
        yield self._dice.uniform(*SECONDS_OF_A_ROUND)
        if self._dice.random() < self._hands:
            yield from self._report()
        self.unit.complete(**play.figures(self._dice, self._terms))
        yield self._dice.uniform(*SECONDS_BETWEEN_ROUNDS)

    def _report(self) -> Iterator[float]:
        """Three taps at once, the cards when they are typed."""
        seats = self._session["seats_in_play"]
        board, hands = play.reported(self._dice, seats, self._session["game"])
        called = self.unit.call_hand([hand["seat"] for hand in hands])
        yield self._dice.uniform(3, 8)
        self.unit.report_hand(
            [board], hands, called_seq=called, seats_dealt=seats, button_seat=seats[-1]
        )
        log.info(
            "%s/%s reports %s on %s",
            self.unit.system,
            self.unit.table,
            [hand["hole"] for hand in hands],
            board,
        )


class Simulator:
    """Many tables in one process; `speed` 2 is twice as fast."""

    def __init__(
        self,
        tables: Sequence[GamingTable],
        *,
        journals: Path,
        seed: int,
        speed: float = 1.0,
        hands: float = 0.0,
        terms: Mapping[str, HouseTerms] | None = None,
    ) -> None:
        """`terms` by system code; a system that is not named posts the usual."""
        journals.mkdir(parents=True, exist_ok=True)
        self._speed = speed
        self.tables = [
            SimulatedTable(
                _make_unit(table, journals, speed),
                random.Random(f"{seed}/{table.system.code}/{table.code}"),  # noqa: S311 - a game
                (terms or {}).get(table.system.code, HouseTerms()),
                hands,
            )
            for table in tables
        ]

    def run(self, stop: threading.Event) -> None:
        """Play until `stop` is set, then switch the units off."""
        for table in self.tables:
            table.unit.start()
        try:
            self._play(stop)
        finally:
            for table in self.tables:
                table.unit.stop()

    def _play(self, stop: threading.Event) -> None:
        """Each table's moves when they are due."""
        turns = itertools.count()  # distinguishes two moves of one moment
        due: list[tuple[float, int, SimulatedTable, Iterator[float]]] = []
        for table in self.tables:
            heapq.heappush(due, (time.monotonic(), next(turns), table, table.play()))
        while due and not stop.is_set():
            at, _, table, moves = heapq.heappop(due)
            if stop.wait(max(0.0, at - time.monotonic())):
                return
            # A new unit waits until the console gives it a boot.
            pause = next(moves) / self._speed if table.unit.boot else _RETRY_S
            heapq.heappush(due, (time.monotonic() + pause, next(turns), table, moves))


def _make_unit(table: GamingTable, journals: Path, speed: float) -> TableUnit:
    system = table.system.code
    return TableUnit(
        system,
        table.code,
        UnitSettings(
            mac_key=key_of(table),
            display=f"d-{table.code}"[:32],
            guard_s=BUTTON_GUARD_S / max(speed, 1.0),
        ),
        journal=journals / f"{system}--{table.code}.sqlite3",
    )
