"""Gauges that are read off the database's rows when somebody collects them, never in between.

They are read on a connection of their own, by one thread, and given again for some seconds: however
many collect, and however long the database takes, nothing else of the process waits.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from django.conf import settings
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from tables.process.database_probe import DatabaseProbe
from tables.process.shared_question import SharedQuestion

log = logging.getLogger(__name__)

FRESH_S = 10.0
PATIENCE_S = 4.0  # of who collects; without an answer there are no values, rather than old ones
UNREAD = "jackpot_gauges_unread"


@dataclass(frozen=True)
class RowGauge:
    """A gauge; each row that `statement` gives has the values of `labels`, and the gauge's.

    `%(NAME)s` in the statement is that setting. Labels are codes, never names of people.
    """

    name: str
    meaning: str
    statement: LiteralString
    labels: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


class RowMetrics(Collector):
    """All these gauges, and how many of them could not be read."""

    def __init__(self, gauges: Sequence[RowGauge], patience_s: float = PATIENCE_S) -> None:
        self._gauges = gauges
        self._probe = DatabaseProbe()
        self._question = SharedQuestion(self._read, FRESH_S, patience_s)

    def describe(self) -> Iterable[Metric]:
        """Without a look at the database."""
        yield _unread(0)
        for gauge in self._gauges:
            yield _family(gauge, [])

    def collect(self) -> Iterable[Metric]:
        try:
            families = self._question.answer()
        except TimeoutError:
            families = []
        yield _unread(len(self._gauges) - len(families))
        yield from families

    def _read(self) -> list[Metric]:
        families = []
        for gauge in self._gauges:
            names = {name: getattr(settings, name) for name in gauge.settings}
            try:
                families.append(_family(gauge, self._probe.rows(gauge.statement, names or None)))
            except (psycopg.Error, OSError) as fault:
                log.warning("the metric %s cannot be read: %s", gauge.name, fault)
                if not isinstance(fault, psycopg.errors.QueryCanceled | psycopg.ProgrammingError):
                    break  # the database is away: each of the others would wait for it again
        return families


def _family(gauge: RowGauge, rows: Sequence[tuple[Any, ...]]) -> Metric:
    family = GaugeMetricFamily(gauge.name, gauge.meaning, labels=gauge.labels)
    for *labels, value in rows:
        if value is not None:
            family.add_metric([str(label) for label in labels], float(value))
    return family


def _unread(count: int) -> Metric:
    return GaugeMetricFamily(UNREAD, "Gauges that the database did not give in time.", count)
