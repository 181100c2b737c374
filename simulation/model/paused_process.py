"""A process that stands still at a point of its step, until it is told to go on, or dies there.

Its step runs in a greenlet: others take theirs meanwhile, in any order, each on a connection of its
own.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from typing import Any

from django.db import connections
from greenlet import greenlet

from simulation.environment.process import Killed, Process, Surroundings


class PausedProcess(Process):
    """`begin` a step, and `go_on` with it later."""

    def __init__(self, world: Surroundings, name: str, machine: str = "console") -> None:
        super().__init__(world, name, machine)
        self._step: greenlet | None = None
        self._pause_at: tuple[str, ...] = ()
        self._is_doomed = False

    @property
    def stands_still(self) -> bool:
        """Whether it is in the middle of a step."""
        return self._step is not None and not self._step.dead

    def begin(self, work: Callable[[], Any], *pause_at: str) -> Any:
        """Work up to the first point of one of these names; what it gave, if none was met."""
        self._pause_at = pause_at
        self._step = greenlet(work)
        self._step.gr_context = contextvars.copy_context()
        return self.go_on()

    def go_on(self) -> Any:
        """Work on to the end of the step; what it gave."""
        assert self._step is not None
        clocks = self.world.clocks
        before = connections["default"], clocks.machine, self.world.running
        try:
            return self._step.switch()
        finally:
            connections["default"], clocks.machine, self.world.running = before

    def die(self) -> None:
        """It ends where it stands."""
        if self.stands_still:
            self._is_doomed = True
            self.go_on()
        else:
            self.close()
            self.world.killed(self)

    def lose_session(self) -> None:
        """The server ends its session: what it had not committed is undone."""
        if self._wrapper is not None and self._forget_session():
            self._wrapper.connection.close()

    def look_at(self, database: str) -> None:
        """What has taken the place of the database: the next session is there."""
        if self._wrapper is not None:
            self._wrapper.settings_dict["NAME"] = database

    def point(self, name: str) -> None:
        """A place where the step may stand still."""
        super().point(name)
        if name not in self._pause_at or self._step is None:
            return
        self._pause_at = ()
        clocks = self.world.clocks
        mine = connections["default"], clocks.machine, self.world.running
        self._step.parent.switch()
        connections["default"], clocks.machine, self.world.running = mine
        if self._is_doomed:
            self._is_doomed, self._dead = False, True
            raise Killed
