"""How long claims wait for each step, and how long those wait that are open now."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Min, QuerySet
from django.utils.translation import gettext_noop as _

from jackpot.hits.states import OPEN_STATES
from settlement.claims.status import Standing, hits
from settlement.core.report_query import ask, bind
from settlement.core.words.translation import Labels
from settlement.reports.catalogue.hit_register import seconds_of_steps
from settlement.reports.definitions.definition import Filters

# Where a claim stands that waits for a step.
_STANDINGS = {
    "report": Standing.CALLED,
    "verify": Standing.REPORTED,
    "confirm": Standing.VERIFIED,
    "pay": Standing.CONFIRMED,
}
STEPS = Labels(
    {
        "report": _("Report of the hand"),
        "verify": _("Verification"),
        "confirm": _("Confirmation"),
        "pay": _("Payment"),
    }
)
_TIMES = """
    SELECT step, count(seconds) AS count,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY seconds) AS half,
           percentile_disc(0.9) WITHIN GROUP (ORDER BY seconds) AS most,
           max(seconds) AS longest
    FROM ({steps}) AS r CROSS JOIN LATERAL (VALUES
        ('report', r.seconds_to_reported), ('verify', r.seconds_to_verified),
        ('confirm', r.seconds_to_confirmed), ('pay', r.seconds_to_paid)
    ) AS each (step, seconds)
    WHERE seconds IS NOT NULL GROUP BY step
"""


@dataclass(frozen=True, slots=True)
class Wait:
    """A step: of the claims that took it half took no longer than `half_s`, nine of ten no longer
    than `most_s`; `open`: claims that wait for it now, the oldest since `oldest`."""

    step: str
    count: int
    half_s: int | None
    most_s: int | None
    longest_s: int | None
    open: int
    oldest: dt.datetime | None
    standing: str

    @property
    def label(self) -> str:
        return STEPS[self.step]


def waits(filters: Filters, systems: Sequence[int]) -> list[Wait]:
    """Of hands of these gaming days, in the order of the steps; the same as in report 5."""
    times = {row["step"]: row for row in ask(bind(_TIMES, steps=seconds_of_steps(filters)))}
    open_rows: QuerySet[Any] = hits().filter(system__in=systems, state__in=OPEN_STATES)
    rows = open_rows.order_by().values("standing")
    now = {row["standing"]: row for row in rows.annotate(open=Count("pk"), oldest=Min("at"))}
    nothing = {"count": 0, "half": None, "most": None, "longest": None, "open": 0, "oldest": None}
    steps = []
    for step, standing in _STANDINGS.items():
        row = {**nothing, **times.get(step, {}), **now.get(standing.value, {})}
        steps.append(
            Wait(
                step,
                row["count"],
                row["half"],
                row["most"],
                row["longest"],
                row["open"],
                row["oldest"],
                standing.value,
            )
        )
    return steps
