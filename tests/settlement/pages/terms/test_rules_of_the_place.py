"""What the rules of a place say, where people need it: terms, incidents, checklist, returns."""

import datetime as dt
from pathlib import Path

import pytest
from pytest_django import Settings

from settlement.core.gaming_day import today
from settlement.jurisdiction.returns import ended_before, returns_of
from settlement.pools.status import posted_terms
from settlement.terms.local_rules import against_the_rules
from tables.models import Casino
from tests.support.cases.hands.periods import Night
from tests.support.cases.hands.settlement_high_hands import night
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ClaimHouse
from tests.support.play.high_hands import high_terms

__all__ = ["night"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
TIES = (
    "High Hand differs from the rules of New Zealand: Of equal hands the one recorded first wins."
)


@pytest.fixture
def new_zealand(settings: Settings) -> None:
    settings.JURISDICTIONS = {"harbour": "new_zealand"}


def test_ties_that_are_posted_otherwise_are_pointed_out(night: Night, settings: Settings) -> None:
    """The house posts that equal high hands share; the rule book knows the first alone."""
    page = f"/terms/main/{high_terms()['code']}/"
    assert "differs from the rules" not in page_of("mere", page)
    assert "Equal hands: as the posted terms say" in page_of("mere", page)  # the neutral pack
    settings.JURISDICTIONS = {"harbour": "new_zealand"}
    text = page_of("mere", page)
    assert TIES in text
    assert "rule 19.14(b)" in text


@pytest.mark.usefixtures("new_zealand")
def test_terms_without_a_high_hand_say_nothing_against_it() -> None:
    house = ClaimHouse()
    casino = Casino.objects.get()
    (versions,) = posted_terms([house.system]).values()
    terms = versions[-1].terms
    assert against_the_rules(terms, casino, today(casino)) == []


@pytest.mark.usefixtures("new_zealand")
def test_what_becomes_of_a_failure_stands_at_incidents_and_on_the_notice() -> None:
    ClaimHouse()
    hand = "A winning hand of a round in which equipment failed: made good"
    amount = "The amount of a prize when equipment failed: the value that the display last showed"
    for page in (page_of("tane", "/incidents/"), page_of("mere", "/notices/main/t3/")):
        assert "If equipment fails" in page
        for text in (hand, amount, "rule 19.20"):
            assert text in page


def test_a_place_that_says_nothing_of_failures_has_no_panel(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "silent.yaml").write_text('name: Silent\ncurrency: ""\nrules: []\n')
    settings.JURISDICTION_DIR = str(tmp_path)
    settings.JURISDICTIONS = {"harbour": "silent"}
    ClaimHouse()
    assert "If equipment fails" not in page_of("tane", "/incidents/")
    assert "If equipment fails" not in page_of("mere", "/notices/main/t3/")


@pytest.mark.usefixtures("new_zealand")
def test_the_checklist_says_from_when_on_players_are_identified() -> None:
    house = ClaimHouse()
    house.hit_royal()
    text = "Identify the person, from NZD 6,000 in cash to one person in a gaming day"
    assert text in page_of("sione", "/claims/main/1/")


@pytest.mark.usefixtures("new_zealand")
def test_returns_name_their_reports_in_order_with_the_days_that_ended() -> None:
    ClaimHouse()
    casino = Casino.objects.get()
    day = today(casino)
    monthly = next(each for each in returns_of(casino, day) if each.period == "each month")
    assert (monthly.last + dt.timedelta(days=1)).day == 1
    assert monthly.reports[:2] == ("roll-forward", "hit-register")
    assert "Monthly file for the inspector, each month" in page_of("ines", "/reports/")
    page = logged_in("ines").get("/reports/").content.decode()
    assert f"/reports/hit-register/?casino=harbour&amp;from={monthly.first}" in page
    first = page_of("ines", f"/reports/hit-register/?from={monthly.first}&to={monthly.last}")
    assert "Nothing in these days" in first


@pytest.mark.parametrize(
    ("day", "period", "first", "last"),
    [
        ("2026-11-25", "day", "2026-11-24", "2026-11-24"),
        ("2026-01-01", "month", "2025-12-01", "2025-12-31"),
        ("2026-03-31", "month", "2026-02-01", "2026-02-28"),
        ("2026-01-15", "quarter", "2025-10-01", "2025-12-31"),
        ("2026-04-01", "quarter", "2026-01-01", "2026-03-31"),
        ("2026-12-31", "year", "2025-01-01", "2025-12-31"),
    ],
)
def test_the_period_that_ended_last(day: str, period: str, first: str, last: str) -> None:
    dates = [dt.date.fromisoformat(each) for each in (day, first, last)]
    assert ended_before(dates[0], period) == (dates[1], dates[2])  # type: ignore[arg-type]
