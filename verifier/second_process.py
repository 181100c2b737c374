"""A second process for a long order: it looks at what the rows state, the first one folds them.

Both see the same moment of the database. What the second one finds becomes part of the report.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

from verifier.database.report import CannotLook, Report, Scope
from verifier.database.rows import STATED, Conflict, Connection, System, ask, snapshot, walk
from verifier.order.log import PublishedLog
from verifier.order.row_statements import Stated

_CONFLICT = 3  # its exit code
FROM_ENTRIES = 100_000  # a shorter order is done before another process has started
_ABOVE = Path(__file__).resolve().parent.parent  # the folder in which `verifier` lies


def helps(entries: int) -> bool:
    """Whether a second process pays: the order is long, and there is a processor for it."""
    return entries >= FROM_ENTRIES and _processors() > 1


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class SecondProcess:
    """Looks at what the rows of a system state; a context manager."""

    def __init__(
        self, url: str, connection: Connection, system: System, published: PublishedLog
    ) -> None:
        """`connection` holds the moment of the database, as long as the process runs."""
        ((moment,),) = ask(connection, "SELECT pg_export_snapshot()")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "verifier.second_process"],
            cwd=_ABOVE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with suppress(BrokenPipeError), cast(BinaryIO, self._process.stdin) as pipe:
            pickle.dump((url, moment, system, published), pipe)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()

    def report_to(self, report: Report) -> None:
        """Wait for it, and take over what it found; CannotLook where it could not, or Conflict."""
        with cast(BinaryIO, self._process.stdout) as pipe:
            answer = pipe.read()
        code = self._process.wait()
        if code == _CONFLICT:
            raise Conflict("in its second process")
        if code:
            raise CannotLook("its second process ended with a fault")
        report.take_over(pickle.loads(answer))  # noqa: S301 of our own


def main() -> None:
    """Read what to look at, look, write the report."""
    url, moment, system, published = pickle.load(sys.stdin.buffer)  # noqa: S301 of our own
    report = Report()
    try:
        with snapshot(url, moment) as connection:
            stated = Stated(connection, Scope(report, system.code), system, published)
            for sealed in walk(connection, system, STATED):
                stated.block(sealed)
            stated.end()
    except Conflict:
        sys.exit(_CONFLICT)
    pickle.dump(report, sys.stdout.buffer)


if __name__ == "__main__":
    main()
