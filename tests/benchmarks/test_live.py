"""The benchmark of displays and pages counts each press for each of them, and fails when late."""

from dataclasses import replace

import pytest

from benchmarks.console_lists import lags
from benchmarks.live import Measured, Stream, misses, render

PRESSES = [(7, 10.0), (8, 10.5), (9, 11.0), (10, 11.2), (11, 12.0)]


def test_a_press_counts_until_a_value_with_it_or_with_a_later_one() -> None:
    stream = Stream("displays", [(7, 9.0), (9, 11.5), (10, 11.5)])
    assert list(stream.lags(PRESSES)) == pytest.approx([1.0, 0.5, 0.3])  # of 8, 9 and 10


IN_TIME = {
    "displays": [0.5] * 100,
    "pages": [0.4] * 100,
    "screen": [0.9] * 100,
    "paired": [0.9] * 100,
    "list": [0.7] * 12,
}


def test_late_displays_and_broken_streams_are_named() -> None:
    good = Measured(IN_TIME, 0.5, {}, [], {}, 1)
    assert misses([good]) == []
    late = replace(good, lags={**good.lags, "pages": [0.4] * 98 + [1.2, 1.3]})
    assert misses([late, late, good]) == ["pages: p99 1.30 s, limit 1 s"]
    behind = replace(good, lags={**good.lags, "screen": [1.5] * 100})
    assert misses([behind]) == ["screen: p99 1.50 s, limit 1 s"]
    lost = replace(good, lags={**good.lags, "list": lags({1: 10.0, 2: 12.0}, [(1, 10.5)])})
    assert misses([lost]) == ["list: p99 inf s, limit 1 s"]
    assert misses([good, replace(good, faults=["pages: the stream ended"])]) == [
        "pages: the stream ended"
    ]


def test_web_processes_have_other_names_in_each_run() -> None:
    message = {"p50_ms": 300.0, "p99_ms": 500.0, "max_ms": 600.0}
    runs = [
        Measured(IN_TIME, 0.5, message, [], {f"web-{port}": 2.0, "poster": 3.0}, 1)
        for port in (8001, 8002)
    ]
    report = render(runs, 10)
    assert "took 0.50 cores, the web processes 0.20." in report
