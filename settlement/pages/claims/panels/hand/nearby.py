"""Hands near this one in words, and what the displays showed around it. Selectors only."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from jackpot.labels.figures import write_decimals
from jackpot.models import Hit
from jackpot.terms.money import minor_to_micros
from settlement.claims.nearby import Clocks, Nearby, nearby
from settlement.pages.claims.queue.rows import prize_name
from settlement.pages.shared.amount_tables import in_order
from tables.models import DisplayReading

READINGS = 3  # before the hand, and as many behind it


def nearby_context(hit: Hit, names: Mapping[str, str]) -> dict[str, Any]:
    """`own_clock` and `nearby`: hands on other tables with both clocks."""
    own, others = nearby(hit)
    return {"own_clock": _clock(own), "nearby": [_row(hit, each, dict(names)) for each in others]}


def readings_context(hit: Hit, names: Mapping[str, str]) -> dict[str, Any]:
    """`readings`: what the displays at the table said that they showed, around the hand."""
    of_table = DisplayReading.objects.filter(table=hit.table_id)
    before = of_table.filter(received_at__lte=hit.at).order_by("-received_at")[:READINGS]
    after = of_table.filter(received_at__gt=hit.at).order_by("received_at")[:READINGS]
    around = sorted(before.union(after, all=True), key=lambda row: (row.received_at, row.pk))
    digits = hit.system.casino.minor_digits
    return {
        "readings": [
            {
                "row": row,
                "before": row.received_at <= hit.at,
                "apart": _seconds(row.received_at - hit.at),
                "values": [
                    (names.get(code, code), minor_to_micros(value, digits))
                    for code, value in in_order(row.shown, names)
                ],
            }
            for row in around
        ]
    }


def _row(hit: Hit, neighbour: Nearby, names: dict[str, str]) -> dict[str, Any]:
    other = neighbour.hit
    return {
        "number": other.number,
        "address": reverse("claim", args=[other.system.code, other.number]),
        "table": other.table.name,
        "prize": prize_name(other, names),
        "state": other.state,
        "place": other.place,
        "comes_first": neighbour.comes_first,
        "clock": _clock(neighbour.clocks),
        "apart": _apart(neighbour.apart),
        "disagree": neighbour.clocks_disagree,
        "in_question": neighbour.in_question,
        "orders": neighbour.orders,
        "same_prize": hit.tier_id is not None and hit.tier_id == other.tier_id,
    }


def _clock(clocks: Clocks) -> dict[str, Any]:
    behind, margin = clocks.behind, clocks.margin
    return {
        "recorded_at": clocks.recorded_at,
        "received_at": clocks.received_at,
        "corrected": clocks.corrected,
        "error": "" if behind is None else _error(behind),
        "spread": "" if margin is None else f"{write_decimals(margin.total_seconds(), 3)} s",
        "events": clocks.events,
    }


def _error(behind: dt.timedelta) -> str:
    """`0.250 s behind`, `2.100 s ahead`."""
    seconds = behind.total_seconds()
    words = _("%(seconds)s s behind") if seconds >= 0 else _("%(seconds)s s ahead")
    return words % {"seconds": write_decimals(abs(seconds), 3)}


def _apart(apart: dt.timedelta) -> str:
    seconds = apart.total_seconds()
    words = (
        _("%(seconds)s s after this hand") if seconds >= 0 else _("%(seconds)s s before this hand")
    )
    return words % {"seconds": write_decimals(abs(seconds), 3)}


def _seconds(apart: dt.timedelta) -> str:
    seconds = apart.total_seconds()
    words = _("%(seconds)s s before") if seconds <= 0 else _("%(seconds)s s after")
    return words % {"seconds": write_decimals(abs(seconds), 1)}
