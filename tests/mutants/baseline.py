"""Which test reaches which line, and how long each takes: all tests once, under coverage."""

import hashlib
import importlib
import pickle
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import coverage
import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.mutant import Mutant
from tests.mutants.parts import Part, module_of

AT_IMPORT = -1  # in place of a test's number
_LEAST_OF_A_TEST_S = 0.05  # what a test costs besides, to be set up
_PATIENCE, _LEAST_S = 5.0, 10.0


@dataclass
class Baseline:
    """Tests are numbers in the session's items."""

    seconds: dict[int, float] = field(default_factory=dict)  # of tests that passed
    setup_s: dict[str, float] = field(default_factory=dict)  # of files: the longest of a test
    failed: list[str] = field(default_factory=list)  # by name
    left_out: int = 0  # tests that were not run, as time was up
    reached_by: dict[str, dict[int, list[int]]] = field(default_factory=dict)  # file, line
    _worth_by_file: dict[str, dict[int, float]] = field(default_factory=dict)

    def tests(self, mutant: Mutant) -> list[int]:
        """Those that reach the statement, in the order in which they are worth while: those first
        that reach lines of its file which few others reach, since they ask what others do not, and
        quick ones before slow ones."""
        worth = self._worth_by_file.setdefault(str(mutant.path), {})
        if not worth:
            for tests in self.reached_by.get(str(mutant.path), {}).values():
                for test in tests:
                    worth[test] = worth.get(test, 0.0) + 1 / len(tests)
        reaching = self._reaching(mutant) & set(self.seconds)
        return sorted(
            reaching,
            key=lambda test: (-worth[test] / (_LEAST_OF_A_TEST_S + self.seconds[test]), test),
        )

    def most_s(self, test: int, name: str) -> float:
        """How long it may take against a mutant: five times as long as without, what its file sets
        up besides, which another test did in the first run, and ten seconds."""
        return _LEAST_S + _PATIENCE * self.seconds[test] + _PATIENCE * self.setup_s[_file(name)]

    def is_for_import_alone(self, mutant: Mutant) -> bool:
        """Whether the statement runs when its module is imported, and in no test; where tests were
        left out nobody knows, and it counts like any other."""
        return not self.left_out and self._reaching(mutant) == {AT_IMPORT}

    def _reaching(self, mutant: Mutant) -> set[int]:
        lines = self.reached_by.get(str(mutant.path), {})
        return {test for line in mutant.lines for test in lines.get(line, ())}


def measure(session: pytest.Session, code: Path, most_s: float | None = None) -> Baseline:
    """Run every test of the session, in their order, or those that begin within so many seconds. To
    be called in a fork, so that no cache is filled."""
    baseline = Baseline()
    until = time.monotonic() + most_s if most_s else None
    watch = coverage.Coverage(data_file=None, config_file=False, source=[str(code)])
    watch.start()
    for number, item in enumerate(session.items):
        if until and time.monotonic() > until:
            baseline.left_out = len(session.items) - number
            break
        watch.switch_context(str(number))
        began = time.perf_counter()
        following = session.items[number + 1] if number + 1 < len(session.items) else None
        reports = runtestprotocol(item, log=False, nextitem=following)
        if any(report.failed for report in reports):
            baseline.failed.append(item.nodeid)
        elif not any(report.skipped for report in reports):
            baseline.seconds[number] = time.perf_counter() - began
            file, setup = _file(item.nodeid), reports[0].duration
            baseline.setup_s[file] = max(baseline.setup_s.get(file, 0.0), setup)
    watch.switch_context(str(AT_IMPORT))
    names = [module_of(file) for file in code.rglob("*.py")]
    for name in names:
        sys.modules.pop(name, None)
    for name in names:
        importlib.import_module(name)
    watch.stop()
    data = watch.get_data()
    for path in data.measured_files():
        baseline.reached_by[path] = {
            line: [int(each) for each in contexts if each]
            for line, contexts in data.contexts_by_lineno(path).items()
        }
    return baseline


def read_or_measure(
    path: Path | None, session: pytest.Session, part: Part, make: Callable[[], Baseline]
) -> Baseline:
    """The one in this file, if it is of the same tests and code; otherwise a new one, which is then
    kept there. One that was measured for less time is of fewer tests."""
    files = {*part.files(), *(item.path for item in session.items)}
    whole = hashlib.sha256("\n".join(item.nodeid for item in session.items).encode())
    for file in sorted(files):
        whole.update(file.read_bytes())
    if path and path.exists():
        of, baseline = pickle.loads(path.read_bytes())  # noqa: S301 - our own file
        if of == whole.digest():
            assert isinstance(baseline, Baseline)
            return baseline
    baseline = make()
    if path:
        path.write_bytes(pickle.dumps((whole.digest(), baseline)))
    return baseline


def _file(name: str) -> str:
    return name.partition("::")[0]
