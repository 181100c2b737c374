"""A sample of a part's mutants, each against the tests that reach it; a plugin of pytest."""

import importlib
import os
import random
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.mutants.baseline import Baseline, measure, read_or_measure
from tests.mutants.forks import Forks
from tests.mutants.mutant import Mutant, mutants_of
from tests.mutants.parts import PROJECT, Part, module_of
from tests.mutants.survivors import Equal, equals

_KILLERS_FIRST = 5


@dataclass(frozen=True)
class Survivor:
    """A mutant that no test noticed. `tests` reach it, of which `tried` were run."""

    mutant: Mutant
    tests: int
    tried: int

    def __str__(self) -> str:
        place = f"{_name(self.mutant)}  {self.mutant.change()}"
        if not self.tests:
            return f"{place}  (no test reaches it)"
        return (
            place if self.tried == self.tests else f"{place}  ({self.tried} of {self.tests} tests)"
        )


@dataclass(frozen=True)
class Limits:
    """Of a run that must end: for how many seconds it is measured which test reaches what, those of
    the part in their order, and after how many in all no other mutant is tried. None: until the
    end."""

    measure_s: float | None = None
    within_s: float | None = None


@dataclass(eq=False)  # a plugin is known by its identity
class Run:
    """`sample` mutants by `seed`, None for all; for none are tests run that together take longer
    than `budget_s` by themselves."""

    part: Part
    seed: int
    sample: int | None
    budget_s: float
    only: str = ""  # a piece of path::function
    baseline: Path | None = None  # where it is kept
    limits: Limits = Limits()
    killed: int = 0
    by_time: int = 0  # of those killed, by a test that took too long
    equal: int = 0  # survived, and are listed with a reason
    not_tried: int = 0  # of the sample, as time was up; they are drawn at random like the others
    of_import: int = 0  # in what runs when a module is imported, and never again
    survivors: list[Survivor] = field(default_factory=list)
    unfit: list[str] = field(default_factory=list)  # tests that fail without any mutant
    of_all: int = 0
    of_sample: int = 0  # drawn of them
    _trusted: set[int] = field(default_factory=set)
    _distrusted: set[int] = field(default_factory=set)
    _equals: list[Equal] = field(default_factory=equals)
    _kills: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    @property
    def share_tried(self) -> float:
        """0 to 1; of no mutants 1."""
        return 1 - self.not_tried / self.of_sample if self.of_sample else 1.0

    def pytest_configure(self) -> None:
        """Every mutant is met by the same examples, none is remembered, and a failure is enough."""
        calm = settings(
            settings.get_profile(settings._current_profile or "default"),
            database=None,
            derandomize=True,
            phases=(Phase.explicit, Phase.generate),
        )
        settings.register_profile("mutants", calm)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop."""
        until = time.monotonic() + self.limits.within_s if self.limits.within_s else None
        mutants = self._mutants()
        self.of_sample = len(mutants)
        self._import_all()
        forks = Forks(session)
        baseline = read_or_measure(
            self.baseline,
            session,
            self.part,
            lambda: forks.answer(
                lambda: measure(session, PROJECT / self.part.code, self.limits.measure_s)
            ),
        )
        if baseline.failed:
            self.unfit = baseline.failed
            return True
        _say(
            f"{len(baseline.seconds)} of {len(session.items)} tests in"
            f" {sum(baseline.seconds.values()):.0f} s;"
            f" {len(mutants)} of {self.of_all} mutants"
        )
        forks.warm()
        names = [item.nodeid for item in session.items]
        for number, mutant in enumerate(mutants, 1):
            began = time.monotonic()
            if until and began > until:
                self.not_tried = len(mutants) - number + 1
                break
            if baseline.is_for_import_alone(mutant):
                self.of_import += 1
                continue
            survivor = self._try(forks, mutant, baseline, names)
            if survivor and any(row.covers(_name(mutant), mutant.change()) for row in self._equals):
                self.equal += 1
                continue
            if survivor:
                self.survivors.append(survivor)
            else:
                self.killed += 1
            if survivor or number % 50 == 0:
                _say(f"{number} {time.monotonic() - began:.0f} s {survivor or ''}")
        return True

    def _mutants(self) -> list[Mutant]:
        mutants = [each for path in self.part.files() for each in mutants_of(path)]
        mutants = [each for each in mutants if self.only in _name(each)]
        self.of_all = len(mutants)
        if self.sample is None or self.sample >= len(mutants):
            return mutants
        return random.Random(self.seed).sample(mutants, self.sample)

    def _import_all(self) -> None:
        """What tests import within themselves, too: only what is there can be replaced."""
        for path in self.part.files():
            if path.is_relative_to(PROJECT):
                importlib.import_module(module_of(path))

    def _try(
        self, forks: Forks, mutant: Mutant, baseline: Baseline, names: list[str]
    ) -> Survivor | None:
        while True:
            tests = self._affordable(mutant, baseline, names)
            try:
                killer = forks.killer(mutant, tests) if tests else None
            except LookupError as error:
                _say(str(error))
                killer = None
            if killer is None:
                return Survivor(mutant, len(baseline.tests(mutant)), len(tests))
            tests = tests[: killer.place + 1]
            test = tests[-1][0]
            if test in self._trusted or self._is_trusted(forks, mutant, tests, names):
                self._trusted.add(test)
                self._kills[str(mutant.path)][test] += 1
                self.by_time += killer.is_slow
                return None

    def _is_trusted(
        self, forks: Forks, mutant: Mutant, tests: list[tuple[int, float]], names: list[str]
    ) -> bool:
        """A control, before a test kills for the first time: the same tests in a fork whose code is
        as it was. One that fails there is run no more."""
        failing = forks.killer(replace(mutant, changed=mutant.original), tests)
        if failing is None:
            return True
        test = tests[failing.place][0]
        self._distrusted.add(test)
        _say(f"fails in a fork without a mutant, and is left out: {names[test]}")
        return False

    def _affordable(
        self, mutant: Mutant, baseline: Baseline, names: list[str]
    ) -> list[tuple[int, float]]:
        """The tests to be run, in their order, with the seconds that each may take."""
        tests = [t for t in baseline.tests(mutant) if t not in self._distrusted]
        kills = self._kills[str(mutant.path)]
        first = [test for test, _ in kills.most_common() if test in tests][:_KILLERS_FIRST]
        order = first + [test for test in tests if test not in first]
        left = self.budget_s
        affordable: list[tuple[int, float]] = []
        for test in order:
            left -= baseline.seconds[test]
            if left > 0 or not affordable:
                affordable.append((test, baseline.most_s(test, names[test])))
        return affordable


def _name(mutant: Mutant) -> str:
    path = mutant.path.relative_to(PROJECT) if mutant.path.is_relative_to(PROJECT) else mutant.path
    return f"{path}::{mutant.function}"


def _say(line: str) -> None:
    os.write(sys.__stdout__.fileno() if sys.__stdout__ else 1, f"{line}\n".encode())
