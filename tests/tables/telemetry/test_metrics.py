"""Metrics: a batch counts as its values would one by one, and rows are read when somebody asks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Histogram, generate_latest

from config.celery_health import all_row_gauges
from tables.alarms import raise_alarm
from tables.telemetry import row_metrics
from tables.telemetry.batch_histogram import BOUNDS, BatchHistogram
from tables.telemetry.metrics_page import MetricsPage
from tables.telemetry.row_metrics import UNREAD, RowGauge, RowMetrics
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

seconds_taken = st.one_of(st.sampled_from(BOUNDS), st.floats(0, 1000))


@given(batches=st.lists(st.lists(seconds_taken), max_size=10))
def test_a_batch_counts_as_its_values_one_by_one(batches: list[list[float]]) -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    at_once = BatchHistogram("way_seconds", "A way.", ours)
    single = Histogram("way_seconds", "A way.", registry=theirs, buckets=BOUNDS)
    for batch in batches:
        at_once.observe(batch)
        for seconds in batch:
            single.observe(seconds)
    for bound in [*map(str, BOUNDS), "+Inf"]:
        labels = {"le": bound}
        expected = theirs.get_sample_value("way_seconds_bucket", labels)
        assert ours.get_sample_value("way_seconds_bucket", labels) == expected
    expected = theirs.get_sample_value("way_seconds_sum")
    assert ours.get_sample_value("way_seconds_sum") == pytest.approx(expected)
    assert b"way_seconds_count" in generate_latest(ours)


def test_what_clocks_turn_round_took_no_time() -> None:
    registry = CollectorRegistry()
    BatchHistogram("way_seconds", "A way.", registry).observe([-60.0, 0.001])
    assert registry.get_sample_value("way_seconds_bucket", {"le": "0.005"}) == 2
    assert registry.get_sample_value("way_seconds_sum") == 0.001


def gathered(metrics: RowMetrics) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(metrics)
    return registry


def test_every_gauge_is_read_and_none_of_it_is_old(
    fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_metrics, "FRESH_S", 0.0)
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.post()
    raise_alarm("quarantine", "main/t3", "Mere Okafor", house.system)
    metrics = RowMetrics(all_row_gauges())
    registry = gathered(metrics)
    assert registry.get_sample_value(UNREAD) == 0
    value = registry.get_sample_value
    assert value("jackpot_alarms_open", {"kind": "quarantine"}) == 1
    assert value("jackpot_system_halted", {"system": "main"}) == 0
    assert value("jackpot_claims_waiting", {"system": "main", "state": "held"}) == 1
    assert value("jackpot_input_waiting", {"system": "main"}) == 0
    house.press("t3")
    waiting = {"system": "main"}
    wait_until(lambda: value("jackpot_input_waiting", waiting) == 1, 5)
    assert b"Mere" not in generate_latest(registry)
    fresh_database.go_away()
    wait_until(lambda: value(UNREAD) == len(all_row_gauges()), 10)
    assert value("jackpot_alarms_open", {"kind": "quarantine"}) is None
    fresh_database.come_back()
    wait_until(lambda: value(UNREAD) == 0, 10)


def test_a_statement_that_fails_leaves_out_its_own_gauge(fresh_database: FreshDatabase) -> None:
    gauges = [
        RowGauge("a_bad", "Bad.", "SELECT * FROM nowhere"),
        RowGauge("a_good", "Good.", "SELECT 7"),
    ]
    registry = gathered(RowMetrics(gauges))
    assert registry.get_sample_value("a_good") == 7
    assert registry.get_sample_value(UNREAD) == 1


def test_collecting_waits_for_no_database_that_hangs(fresh_database: FreshDatabase) -> None:
    slow = RowGauge("a_slow", "Slow.", "SELECT 1 FROM pg_sleep(1.5)")
    metrics = RowMetrics([slow], patience_s=0.05)
    assert gathered(metrics).get_sample_value(UNREAD) == 1
    assert b"# TYPE jackpot_gauges_unread gauge" in MetricsPage([metrics])().body


def test_processes_with_one_folder_add_up(tmp_path: Path) -> None:
    """As those of a worker, and web processes behind one port."""
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    observe = "from jackpot.metrics import DISPLAYED; DISPLAYED.observe(0.3)"
    show = (
        "import sys; from tables.telemetry.metrics_page import MetricsPage;"
        "sys.stdout.buffer.write(MetricsPage()().body)"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program], env=environment, check=True, capture_output=True
        ).stdout
        for program in (observe, observe, show)
    ]
    assert b"jackpot_sequenced_displayed_seconds_count 2.0" in outputs[-1]
