"""A scene: something that is asked of whatever is under test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from conformance.report import Report

TrialT = TypeVar("TrialT")


class NotPossible(Exception):
    """This cannot be done here; what it would show is not tried."""


class NothingToTry(Exception):
    """Nobody answers: no scene can show anything."""


@dataclass(frozen=True, slots=True)
class Scene(Generic[TrialT]):
    """How it is played, and the clauses that it tries (ids between spaces)."""

    play: Callable[[TrialT], None]
    tries: str

    def perform(self, trial: TrialT, report: Report) -> None:
        """Play it; what turns out not to be possible is not tried."""
        try:
            self.play(trial)
        except NotPossible as why:
            report.skip(self.tries, str(why))
