"""The processes of the demo: started in order, watched, restarted, stopped in reverse order."""

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Self

from demo.servers.child import Child

# Between two starts of a process that keeps ending: doubling, up to the last.
_FIRST_PAUSE_SECONDS = 0.5
_LAST_PAUSE_SECONDS = 30.0
# Whoever has run this long has recovered; its next end counts as the first.
_RECOVERED_SECONDS = 30.0
_LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class Program:
    """What to run under which name.

    `env` is added to the supervisor's own environment. A program gets `stop_seconds` after
    SIGTERM before it is killed. The exit of one that is not `restarted` is only said.
    """

    name: str
    argv: Sequence[str | Path]
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    stop_seconds: float = 10.0
    restarted: bool = True


class Supervisor:
    """Keeps named programs running; a context manager that stops them all at its end.

        with Supervisor(Path("var/log"), say=print) as supervisor:
            supervisor.start(Program("intake", [sys.executable, "manage.py", "run_intake"]))
            supervisor.run()  # until SIGINT or SIGTERM

    The output of each goes to `<log_dir>/<name>.log`. Nothing survives it: a supervisor that
    is killed takes its programs along (see `demo.servers.child`). Use it from the main thread.
    """

    def __init__(self, log_dir: Path, say: Callable[[str], None] = print) -> None:
        self._log_dir = log_dir
        self._say = say
        self._watched: dict[str, _Watched] = {}
        self._is_asked_to_stop = False  # plain: an Event's lock is no place for a signal handler

    @property
    def pids(self) -> dict[str, int]:
        """The running programs and their processes."""
        return {
            name: watched.child.pid
            for name, watched in self._watched.items()
            if watched.child is not None and watched.child.is_running
        }

    def start(self, program: Program) -> None:
        """Start a program, and keep it running from now on."""
        if program.name in self._watched:
            raise ValueError(f"A program named {program.name} has been started already.")
        self._log_dir.mkdir(parents=True, exist_ok=True)
        watched = _Watched(program, self._log_dir / f"{program.name}.log")
        watched.launch()
        self._watched[program.name] = watched

    def end(self, name: str) -> None:
        """Stop a program in order; it stays away until it is started again."""
        self._watched.pop(name).stop(self._say)

    def kill(self, name: str) -> None:
        """End a program as a crash would; it stays away until it is started again."""
        watched = self._watched.pop(name)
        if watched.child is not None:
            watched.child.kill()

    def run(self, needed: Mapping[str, Callable[[], bool]] | None = None) -> int:
        """Watch the programs until SIGINT or SIGTERM arrives or request_stop() is called.

        `needed` names what everything depends on, such as the database, each with a function
        that tells whether it is still there; when one is not, the run ends. Returns the exit
        code for the command: 0, or 1 when something needed was lost.
        """
        before = {
            number: signal.signal(number, self._on_signal)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            while not self._is_asked_to_stop:
                for name, is_there in (needed or {}).items():
                    if not is_there():
                        self._say(f"{name} has ended, and nothing can go on without it.")
                        return 1
                self.look_after()
                time.sleep(_LOOK_SECONDS)
            return 0
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def request_stop(self) -> None:
        """Let run() return soon."""
        self._is_asked_to_stop = True

    def look_after(self) -> None:
        """Restart what has ended and whose pause is over; run() does so all the time."""
        for watched in self._watched.values():
            watched.look_after(self._say)

    def stop(self) -> None:
        """Stop all programs, the last started first, each with its time to finish."""
        while self._watched:
            _, watched = self._watched.popitem()
            watched.stop(self._say)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.stop()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._is_asked_to_stop = True


class _Watched:
    """One program, its present process, and when it may be started again."""

    def __init__(self, program: Program, log: Path) -> None:
        self.program = program
        self.log = log
        self.child: Child | None = None
        self._started_at = 0.0
        self._next_start_at = 0.0
        self._pause_seconds = _FIRST_PAUSE_SECONDS

    def launch(self) -> None:
        self._started_at = time.monotonic()
        self.child = Child(
            self.program.argv,
            self.log,
            env={**os.environ, **self.program.env},
            cwd=self.program.cwd,
        )

    def look_after(self, say: Callable[[str], None]) -> None:
        if self.child is not None:
            if self.child.is_running:
                return
            self._note_end(self.child, say)
        if self.program.restarted and time.monotonic() >= self._next_start_at:
            self.launch()

    def _note_end(self, child: Child, say: Callable[[str], None]) -> None:
        child.kill()  # what it started itself would get in the way of its successor
        self.child = None
        if time.monotonic() - self._started_at > _RECOVERED_SECONDS:
            self._pause_seconds = _FIRST_PAUSE_SECONDS
        ending = ""
        if self.program.restarted:
            ending = f", starting it again in {self._pause_seconds:g} s"
        say(f"{self.program.name} has ended ({_reason(child)}){ending}; see {self.log}")
        self._next_start_at = time.monotonic() + self._pause_seconds
        self._pause_seconds = min(2 * self._pause_seconds, _LAST_PAUSE_SECONDS)

    def stop(self, say: Callable[[str], None]) -> None:
        if self.child is None:
            return
        code = self.child.stop([(signal.SIGTERM, self.program.stop_seconds)])
        if code == -signal.SIGKILL:
            say(f"{self.program.name} did not stop in time and was killed; see {self.log}")


def _reason(child: Child) -> str:
    code = child.exit_code or 0
    return f"exit code {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"
