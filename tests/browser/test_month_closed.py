"""A month is closed on pages by two people: the page first says what keeps a day open."""

import datetime as dt

import pytest
from playwright.sync_api import Page, expect

from settlement.audit.reconciliation import reconcile
from settlement.models import ClosedDay
from settlement.tasks import keep_closed_days
from tables.models import JackpotSystem
from tests.support.pages.browser.browsers import OpenScreen
from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.pages.page_ledger import Clock, LedgerHouse
from tests.support.people.cast import PASSWORD

pytestmark = pytest.mark.browser
LIST = "/closing/?system=main&month=2026-10"


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A console that does not wait for the writer, whom the test calls itself."""
    monkeypatch.setenv("CLAIM_WAIT_S", "0")
    return str(request.getfixturevalue("console_url"))


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, address: str) -> LedgerHouse:
    """October has two days of play, and is over; nobody has reconciled."""
    house = LedgerHouse(Clock(monkeypatch))
    for _day in range(3):
        house.press("t3")
        house.post()
        house.clock.on(days=1)
    house.clock.now = dt.datetime.now(dt.UTC)
    house.system = JackpotSystem.objects.select_related("casino").get()
    return house


def propose(screen: Page, url: str, name: str) -> None:
    opened(screen, url, "ines", f"/closing/main/{name}/")
    screen.get_by_role("button", name="Propose close").click()
    expect(screen.get_by_text("You proposed this: somebody else must approve it.")).to_be_visible()
    expect(screen.get_by_role("button", name="Approve: close")).to_have_count(0)


def approve(screen: Page, url: str, name: str, house: LedgerHouse) -> None:
    opened(screen, url, "mere", f"/closing/main/{name}/")
    expect(screen.get_by_text("proposes to close it with these figures.")).to_be_visible()
    screen.get_by_label("Your password").fill(PASSWORD)
    screen.get_by_role("button", name="Approve: close").click()
    expect(screen.get_by_role("button", name="Approve: close")).to_have_count(0)
    house.post()
    screen.goto(f"{url}/closing/main/{name}/")
    expect(screen.get_by_text("approved it: closed")).to_be_visible()


def test_a_month_is_closed_by_two_people(
    house: LedgerHouse, open_screen: OpenScreen, address: str
) -> None:
    screen = open_screen("office", 1920, 1080)
    opened(screen, address, "ines", "/closing/main/2026-10-30/")
    reason = "The system has not been reconciled since the end of the day."
    expect(screen.get_by_role("link", name=reason)).to_be_visible()
    expect(screen.get_by_role("button", name="Propose close")).to_have_count(0)
    reconcile(house.system)
    screen.goto(f"{address}/closing/main/2026-10/")
    expect(screen.get_by_role("button", name="Propose close")).to_have_count(0)  # days come first
    for name in ("2026-10-30", "2026-10-31", "2026-10"):
        propose(screen, address, name)
        approve(screen, address, name, house)
    keep_closed_days()
    assert ClosedDay.objects.filter(system=house.system).count() == 2
    for width in (390, 768, 1920):
        screen.set_viewport_size({"width": width, "height": 1024})
        screen.goto(f"{address}{LIST}")
        expect(screen.get_by_text("Closed", exact=True)).to_have_count(3)
        assert fits(screen)
