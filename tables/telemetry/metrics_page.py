"""The page that a Prometheus collects: of this process, or of all that share a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from tables.telemetry.http_listener import Reply


class MetricsPage:
    """What `/metrics` answers: what modules declared, and `more`."""

    def __init__(self, more: Sequence[Collector] = ()) -> None:
        self._registry = CollectorRegistry()
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            MultiProcessCollector(self._registry)
        else:
            self._registry.register(_Declared())
        for each in more:
            self._registry.register(each)

    def __call__(self) -> Reply:
        return Reply(200, CONTENT_TYPE_LATEST, generate_latest(self._registry))


class _Declared(Collector):
    """All of this process's own."""

    def describe(self) -> Iterable[Metric]:
        return []

    def collect(self) -> Iterable[Metric]:
        return REGISTRY.collect()
