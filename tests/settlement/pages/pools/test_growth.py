"""The chart of a pool: hits of each span, from hours to years, and the mark of an adjustment."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from settlement.core.gaming_day import Days
from settlement.models import Proposal
from settlement.pages.pools.growth import ALL, SPANS, growth
from settlement.pools.history import PoolHistory
from tests.support.cases.terms.adjustments import FORM, FORM_VALUES, POOL
from tests.support.pages.page_ledger import LedgerHouse
from tests.support.pages.page_staff import logged_in, page_of, reply
from tests.support.people.cast import PASSWORD, ClaimHouse

pytestmark = pytest.mark.django_db

# Of each hit, how long the next thing came after it: 200, 20 and 3 days, 12 and 2 hours ago.
GAPS = [{"days": 180}, {"days": 17}, {"hours": 60}, {"hours": 10}, {"hours": 2}]
HITS = {"6h": 1, "24h": 2, "7d": 3, "30d": 4, "1y": 8, ALL: 8}  # three are of the days before
LENGTHS = {"6h": 6, "24h": 24, "7d": 7 * 24, "30d": 30 * 24, "1y": 365 * 24}  # hours
LINE = 160  # values


def test_each_span_has_its_hits_and_begins_when_it_says(days: LedgerHouse) -> None:
    days.clock.on(days=20)
    for gap in GAPS:
        days.hit_royal("t3")
        days.clock.on(**gap)
    tier = days.hit(1).tier
    assert tier is not None
    history = PoolHistory(tier)
    assert set(SPANS) == set(HITS)
    for span, hits in HITS.items():
        chart = growth(history, Days(), span)
        assert chart is not None, span
        assert sum(spot.kind == "hit" for spot in chart.spots) == hits, span
        assert len(chart.line.split()) >= LINE, span
        if span in ("6h", "24h", "7d", "30d"):
            first = days.clock.now - dt.timedelta(hours=LENGTHS[span])
            local = first.astimezone(ZoneInfo(days.system.casino.timezone))
            assert f"{local:%H:%M}" in chart.rows[0][0], span


def test_an_adjustment_has_its_mark_and_its_row_in_the_table() -> None:
    house = ClaimHouse()
    house.open("t3")
    house.press("t3")
    house.post()
    assert 'class="chart-spot adjustment"' not in page_content("?span=6h")
    reply("sione", FORM, **FORM_VALUES)
    proposal = Proposal.objects.get()
    reply("mere", f"/proposals/{proposal.pk}/agree/", password=PASSWORD)
    house.post()
    for span in SPANS:
        page = page_content(f"?span={span}")
        assert page.count('class="chart-spot adjustment"') == 1, span
        assert "Adjustment +25.50" in page_of("tane", f"{POOL}?span={span}"), span


def page_content(query: str) -> str:
    content: str = logged_in("tane").get(f"{POOL}{query}").content.decode()
    return content
