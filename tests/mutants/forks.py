"""A process of its own for each mutant: a copy of this one, which has collected the tests."""

import contextlib
import functools
import gc
import itertools
import os
import pickle
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast

import pytest
from _pytest.runner import call_and_report, runtestprotocol

from tests.mutants.mutant import Mutant
from tests.mutants.parts import PROJECT
from tests.support.suite import databases

_SURVIVED, _KILLED, _BROKEN = 0, 1, 3
_DATABASES_OF_A_FORK = 10_000

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Killer:
    """The place of a test among those that were run, and whether it was too slow."""

    place: int
    is_slow: bool


class _OnlySession:
    """In place of a next test: all is torn down but what is the session's."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session

    def listchain(self) -> list[pytest.Session]:
        return [self._session]


class Forks:
    """Forks of this session. `functions` are all that run a given code object."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session
        self._number = itertools.count(1)
        self._templates: list[str] = []  # of databases; one, where tests ask for it
        self._between = cast("pytest.Item", _OnlySession(session))
        gc.unfreeze()  # tests/conftest.py freezes what is loaded, and the functions are looked for
        self._functions: dict[tuple[str, str, int], list[FunctionType]] = {}
        for each in gc.get_objects():
            if type(each) is FunctionType:
                self._functions.setdefault(_key(each.__code__), []).append(each)

    def warm(self) -> None:
        """Set up what the tests share in a session (databases, above all), once for all forks."""
        finalisers: set[str] = set()
        for item in self._session.items:
            shared = _session_fixtures(item)
            if shared - finalisers:
                reports = (
                    call_and_report(item, "setup", log=False),
                    call_and_report(item, "teardown", log=False, nextitem=self._between),
                )
                if any(report.failed for report in reports):
                    raise RuntimeError(f"{item.nodeid} cannot be set up")
                finalisers |= shared
                # As pytest ends a test: else it would meet in a fork what was set up for it here.
                item._request, item.funcargs = False, None  # type: ignore[attr-defined]
        # Each fork builds its own houses: it would take these away when they get too old, and two
        # processes cannot talk to one session of the server.
        for houses in self._results_of("kept_houses"):
            houses.close()
        self._templates = self._results_of("template_database")
        _close_connections()

    def _results_of(self, name: str) -> list[Any]:
        """What a fixture of the session of that name has made; nothing if no test asked for it."""
        fixtures = {each for item in self._session.items for each in _fixtures(item).get(name, ())}
        return [each.cached_result[0] for each in fixtures if each.cached_result]

    def answer(self, work: Callable[[], _Answer]) -> _Answer:
        """What `work` returns in a fork; RuntimeError if that ends otherwise."""
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "answer"

            def keep() -> int:
                path.write_bytes(pickle.dumps(work()))
                return 0

            if ended := self._in_fork(keep):
                raise RuntimeError(f"a fork ended with {ended}")
            return cast("_Answer", pickle.loads(path.read_bytes()))  # noqa: S301

    def killer(self, mutant: Mutant, tests: Sequence[tuple[int, float]]) -> Killer | None:
        """The test that fails, or takes too long; None when all pass. `tests` are numbers of the
        session's items with the seconds that each may take, in the order in which they run."""
        code = mutant.code()
        functions = self._functions.get((str(mutant.path), mutant.function, mutant.first_line), [])
        if code is None or not functions:
            raise LookupError(f"{mutant.path}: {mutant.function} cannot be replaced")
        with tempfile.TemporaryFile() as progress:
            ended = self._in_fork(lambda: self._run(functions, code, tests, progress.fileno()))
            if ended == _SURVIVED:
                return None
            start_count = progress.seek(0, os.SEEK_END)
            if ended == _BROKEN and not start_count:
                raise RuntimeError("a fork broke before its first test")
            return Killer(max(start_count - 1, 0), ended == -signal.SIGALRM)

    def _run(
        self,
        functions: Sequence[FunctionType],
        code: CodeType,
        tests: Sequence[tuple[int, float]],
        progress: int,
    ) -> int:
        for function in functions:
            try:
                function.__code__ = code
            except ValueError:  # another number of variables from outside: it would not run either
                return _KILLED
        _forget_results()
        for place, (number, seconds) in enumerate(tests):
            os.write(progress, b".")
            signal.setitimer(signal.ITIMER_REAL, seconds)
            last = place + 1 == len(tests)
            following = self._between if last else self._session.items[tests[place + 1][0]]
            item = self._session.items[number]
            if any(r.failed for r in runtestprotocol(item, log=False, nextitem=following)):
                return _KILLED
        return _SURVIVED

    def _in_fork(self, work: Callable[[], int]) -> int:
        """Its exit code, negative where a signal ended it, as when time was up."""
        number = next(self._number)
        pid = os.fork()
        if pid == 0:
            ended = _BROKEN
            try:
                os.setsid()
                _be_silent()
                # By their numbers its databases are known and taken away when it has ended.
                databases._numbers = itertools.count(number * _DATABASES_OF_A_FORK)
                ended = work()
            finally:
                os._exit(ended)
        _, status = os.waitpid(pid, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # what it started
        for template in self._templates:
            databases.drop_clones(template, number * _DATABASES_OF_A_FORK, _DATABASES_OF_A_FORK)
        return os.waitstatus_to_exitcode(status)


def _key(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _fixtures(item: pytest.Item) -> Mapping[str, Sequence[Any]]:
    info: Any = getattr(item, "_fixtureinfo", None)
    return cast("Mapping[str, Sequence[Any]]", info.name2fixturedefs) if info else {}


def _session_fixtures(item: pytest.Item) -> set[str]:
    pairs = _fixtures(item).items()
    return {name for name, definitions in pairs if definitions[-1].scope == "session"}


def _close_connections() -> None:
    if "django.db" in sys.modules:
        from django.db import connections

        for connection in connections.all(initialized_only=True):
            connection.close()


def _forget_results() -> None:
    """What functions of the project remember from their import: a mutant's results are others."""
    for each in gc.get_objects():
        # Not isinstance: it asks a lazy object for its class, which makes it.
        if type(each) is functools._lru_cache_wrapper:
            code = getattr(each.__wrapped__, "__code__", None)
            if code and Path(code.co_filename).is_relative_to(PROJECT):
                each.cache_clear()


def _be_silent() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
