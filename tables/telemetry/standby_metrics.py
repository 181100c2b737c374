"""Metrics of the standby at which reports are read: whether it is good, and how far behind it is.

Both servers are asked, each on a connection of its own: a standby that is cut off does not know how
much it misses.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

import psycopg
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from tables.process import read_standby
from tables.process.database_probe import DatabaseProbe
from tables.process.read_standby import PLACE, Lag, lag_of, place_of
from tables.process.shared_question import SharedQuestion
from tables.telemetry.row_metrics import FRESH_S, PATIENCE_S

log = logging.getLogger(__name__)


class StandbyMetrics(Collector):
    """Nothing where no standby is named; no lag where it does not answer."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._primary = DatabaseProbe()
        self._standby = DatabaseProbe(read_standby.connection_to_it)
        self._question = SharedQuestion(self._ask, FRESH_S, patience_s)

    def describe(self) -> Iterable[Metric]:
        """Without a look at a server."""
        return _families()

    def collect(self) -> Iterable[Metric]:
        usable, seconds = _families()
        if read_standby.is_named():
            try:
                lag = self._question.answer()
            except (psycopg.Error, OSError, TimeoutError) as fault:
                log.warning("the standby of reports cannot be asked: %s", fault)
                lag = None
            usable.add_metric([], float(lag is not None and lag.is_usable))
            if lag is not None and lag.is_usable:
                seconds.add_metric([], lag.seconds)
        yield from (usable, seconds)

    def _ask(self) -> Lag:
        ((*standby,),) = self._standby.rows(PLACE)
        ((*primary,),) = self._primary.rows(PLACE)
        return lag_of(place_of(primary), place_of(standby))


def _families() -> tuple[GaugeMetricFamily, GaugeMetricFamily]:
    return (
        GaugeMetricFamily(
            "jackpot_read_standby_usable",
            "1: the standby of READ_DATABASE_URL answers and follows the database.",
        ),
        GaugeMetricFamily(
            "jackpot_read_standby_behind_seconds",
            "How old what it shows is, where the database has more.",
        ),
    )
