"""Mutants that no test can notice, each with the reason (survivors.toml)."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

_LIST = Path(__file__).with_name("survivors.toml")


@dataclass(frozen=True)
class Equal:
    """A change after which the function does the same: `function` as `rules/odds.py::hold_em`,
    `change` as the run prints it, or a piece of it, `reason` for a reader of that function."""

    function: str
    change: str
    reason: str

    def covers(self, function: str, change: str) -> bool:
        """Whether this is the mutant."""
        return function == self.function and self.change in change


def equals() -> list[Equal]:
    """All of the list."""
    rows = tomllib.loads(_LIST.read_text()).get("equal", [])
    return [Equal(**row) for row in rows]
