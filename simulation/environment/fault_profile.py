"""How bad the world is to one seed: each kind of fault is absent, rare or frequent.

A seed with all faults at once hides what a seed with one of them shows: they are drawn one by one.
"""

from __future__ import annotations

import dataclasses
import random
from typing import Any


@dataclasses.dataclass(frozen=True, slots=True)
class FaultProfile:
    """Chances: `drop` and `duplicate` in a message at the broker, all others in a step."""

    drop: float
    duplicate: float
    line: float  # a client's connection breaks, seen by the broker or not
    broker: float  # the broker restarts, with all of its state, an old one or none
    killed: float  # a step of a process ends at one of its points
    outage: float  # its database connection breaks at a point
    meanwhile: float  # another process takes its turn at a point
    asleep: float  # a poster stops for longer than its lease, and wakes up
    clock: float  # a clock jumps
    power: float  # a unit is switched off, or replaced
    journal: float  # a unit loses a part of its journal
    nonsense: float
    hands: float  # in a move at a table with an open round
    brisk: float  # all lines carry all they have, when one moves
    dark: float  # a display fails, or is repaired
    entered: float  # a hand at a table that is cut off is entered on the console
    crossed: float  # of two hands the one that was recorded first comes second
    forgotten: float  # a dealer forgets the completion of a round, and a supervisor credits it
    ruled: float  # somebody decides about a round, or about a dealer's request
    moved: float  # a table goes to the other system
    restores: bool = False  # the database comes back from a backup
    second_intake: bool = False
    second_poster: bool = False

    @classmethod
    def draw(cls, dice: random.Random) -> FaultProfile:
        """The fault profile of a seed."""

        def rate(rare: float, often: float) -> float:
            return dice.choice((0.0, rare, often))

        return cls(
            drop=rate(0.01, 0.15),
            duplicate=rate(0.02, 0.15),
            line=rate(0.01, 0.05),
            broker=rate(0.003, 0.02),
            killed=rate(0.03, 0.2),
            outage=rate(0.03, 0.2),
            meanwhile=rate(0.05, 0.3),
            asleep=rate(0.005, 0.03),
            clock=rate(0.005, 0.03),
            power=rate(0.005, 0.03),
            journal=rate(0.003, 0.01),
            nonsense=rate(0.005, 0.03),
            hands=dice.choice((0.02, 0.1, 0.4)),
            brisk=dice.choice((0.0, 0.3, 0.8)),
            dark=rate(0.005, 0.02),
            entered=rate(0.005, 0.02),
            crossed=rate(0.002, 0.008),
            forgotten=rate(0.004, 0.015),
            ruled=rate(0.02, 0.06),
            moved=rate(0.004, 0.015),
            restores=dice.random() < 0.15,
            second_intake=dice.random() < 0.4,
            second_poster=dice.random() < 0.6,
        )

    def calm(self) -> FaultProfile:
        """No faults any more: what is still wrong must come right by itself."""
        none: dict[str, Any] = {
            field.name: 0.0
            for field in dataclasses.fields(self)
            if isinstance(getattr(self, field.name), float)
        }
        return dataclasses.replace(self, **none)
