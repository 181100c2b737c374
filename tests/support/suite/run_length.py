"""How much of the tests a run makes (decision 0145).

`make test` leaves out the long ones; `.ci/run` makes a tenth of them, another one with each
commit; `.ci/run --all` makes all, with searches by chance in full length. Long is what is marked
so, and what `long_tests.txt` names: the functions that together take 90 % of all time.
"""

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

import pytest

IS_WHOLE = bool(os.environ.get("WHOLE_SEARCHES"))  # set by `.ci/run --all`
LIST = Path(__file__).parents[2] / "long_tests.txt"
_SHARE = 5
_PART = os.environ.get("LONG_TESTS", "")  # `1/10`: those whose remainder by ten is one
_OF_ALL_TIME = 0.9


def function_of(nodeid: str) -> str:
    """The test's function, whatever its parameters.

    >>> function_of("tests/test_it.py::TestIt::test_that[1-a::b]")
    'tests/test_it.py::TestIt::test_that'
    """
    return nodeid.partition("[")[0]


_LONG_TESTS = frozenset(LIST.read_text().splitlines())


def is_long(item: pytest.Item, among_all: bool) -> bool:
    """Whether it is marked so, or listed while all tests are asked for: who names one wants it."""
    is_listed = among_all and function_of(item.nodeid) in _LONG_TESTS
    return is_listed or item.get_closest_marker("long") is not None


def is_left_out(nodeid: str, part: str = _PART, *, is_whole: bool = IS_WHOLE) -> bool:
    """Whether this long test belongs to another run."""
    if is_whole:
        return False
    which, _, of = part.partition("/")
    return not of or crc32(nodeid.encode()) % int(of) != int(which)


def in_words() -> str:
    """What became of the long tests in this run."""
    if IS_WHOLE:
        return "All long tests, and searches in full length."
    part = f"part {_PART} of them" if _PART else "none"
    return f"Of long tests: {part}, searches a fifth as long. WHOLE_SEARCHES=1 runs all here."


def longest(reports: Iterable[pytest.TestReport]) -> list[str]:
    """The functions that together took 90 % of the time, in the order of their names."""
    took: Counter[str] = Counter()
    for report in reports:
        took[function_of(report.nodeid)] += report.duration  # type: ignore[assignment]
    left, names = _OF_ALL_TIME * took.total(), []
    for name, seconds in took.most_common():
        if left <= 0:
            break
        names.append(name)
        left -= seconds
    return sorted(names)


def examples(whole: int) -> int:
    """Of a search that makes so many in full; HYPOTHESIS_EXAMPLES asks for another number."""
    count = os.environ.get("HYPOTHESIS_EXAMPLES")
    return int(count) if count else share(whole)


def share(whole: int) -> int:
    """So much of the whole as this run makes, at least one."""
    return whole if IS_WHOLE else max(1, whole // _SHARE)
