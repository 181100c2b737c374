"""Liveness and checks of a process as metrics, for who collects rather than asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector


class HealthMetrics(Collector):
    """`is_live` and `faults` as `tables.telemetry.health` has them."""

    def __init__(self, is_live: Callable[[], bool], faults: Callable[[], Mapping[str, str]]):
        self._is_live, self._faults = is_live, faults

    def describe(self) -> Iterable[Metric]:
        """Without asking anything."""
        return [_live(0.0), _failed(())]

    def collect(self) -> Iterable[Metric]:
        yield _live(float(self._is_live()))
        yield _failed(self._faults())


def _live(value: float) -> Metric:
    return GaugeMetricFamily("jackpot_process_live", "1: the main loop comes round.", value)


def _failed(checks: Iterable[str]) -> Metric:
    family = GaugeMetricFamily(
        "jackpot_check_failed", "1: the process is not ready, by check.", labels=["check"]
    )
    for check in checks:
        family.add_metric([check], 1)
    return family
