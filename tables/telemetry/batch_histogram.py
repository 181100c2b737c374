"""A histogram that is observed a batch at a time: its loops handle thousands a second."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Iterable

from prometheus_client import REGISTRY
from prometheus_client.core import HistogramMetricFamily, Metric
from prometheus_client.registry import Collector, CollectorRegistry
from prometheus_client.utils import floatToGoString

# Seconds; the goals of the console lie at 10 and 20 ms, 0.1 s, 1 s.
BOUNDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 600.0)


class BatchHistogram(Collector):
    """Seconds that something took. One thread observes, any may collect.

    The library's own takes a lock and walks its buckets for each value; this one sorts a batch.
    """

    def __init__(self, name: str, meaning: str, registry: CollectorRegistry = REGISTRY) -> None:
        self._name, self._meaning = name, meaning
        # Replaced as a whole, so that who collects meanwhile reads counts and sum of one moment.
        self._state: tuple[tuple[int, ...], int, float] = ((0,) * len(BOUNDS), 0, 0.0)
        registry.register(self)

    def observe(self, seconds: Iterable[float]) -> None:
        """Take in a batch. What two clocks say happened before it began took no time."""
        values = sorted(seconds)
        counts, number, total = self._state
        self._state = (
            tuple(
                count + bisect_right(values, bound)
                for count, bound in zip(counts, BOUNDS, strict=True)
            ),
            number + len(values),
            total + sum(values[bisect_right(values, 0.0) :]),
        )

    def observe_since(self, began: Iterable[float]) -> None:
        """Take in a batch of what ends now; each began so many seconds after 1970."""
        now_s = time.time()
        self.observe(now_s - began_s for began_s in began)

    def collect(self) -> Iterable[Metric]:
        family = HistogramMetricFamily(self._name, self._meaning)
        counts, number, total = self._state
        buckets = [
            (floatToGoString(bound), count) for bound, count in zip(BOUNDS, counts, strict=True)
        ]
        family.add_metric([], [*buckets, ("+Inf", number)], total)
        yield family
