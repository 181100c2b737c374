"""Every clause of the protocol: `unit.toml`, `console.toml`, and their reader."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Side = Literal["unit", "console"]  # what is under test; a broker with its console
BOUND = {"U": "unit", "D": "display", "C": "console", "B": "broker"}


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `kit` is what the kit does about it, `hand` what a person looks at."""

    id: str
    text: str
    kit: str = ""
    hand: str = ""

    @property
    def binds(self) -> str:
        """Whom: unit, display, console or broker."""
        return BOUND[self.id[0]]


def clauses(side: Side) -> dict[str, Clause]:
    """The clauses of one side by their ids, in the order of the table."""
    rows = tomllib.loads((Path(__file__).parent / f"{side}.toml").read_text())
    return {id_: Clause(id_, **row) for id_, row in rows.items()}
