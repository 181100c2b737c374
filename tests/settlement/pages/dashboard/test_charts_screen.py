"""Charts by keyboard: one stop of the tab key, arrow keys from point to point, words of each."""

import pytest
from playwright.sync_api import Page, expect

from settlement.closing.table_days import keep_table_days
from tests.support.pages.browser.workbench_screen import opened
from tests.support.pages.page_ledger import Clock, LedgerHouse

pytestmark = pytest.mark.browser


def test_points_are_reached_by_arrow_keys(
    screen: Page, console_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = LedgerHouse(Clock(monkeypatch))
    house.play(4)
    house.hit_royal("t3")
    house.play(2)
    keep_table_days(house.system)
    monkeypatch.undo()
    opened(screen, console_url, "mere", "/pools/main/royal/?span=all")
    chart = screen.locator("[data-chart]")
    spots = chart.locator(".chart-spot")
    assert spots.count() > 20
    expect(chart.locator('.chart-spot[tabindex="0"]')).to_have_count(1)
    spots.first.focus()
    words = screen.locator("[data-chart-told]")
    names = []
    for _ in range(spots.count() - 1):
        screen.keyboard.press("ArrowRight")
        name = screen.evaluate("document.activeElement.getAttribute('aria-label')")
        expect(words).to_have_text(name)
        names.append(name)
    assert len(set(names)) == len(names)
    assert sum("Hit" in each for each in names) == 1
    expect(chart.locator('.chart-spot[tabindex="0"]')).to_have_count(1)
    screen.keyboard.press("ArrowRight")  # there is none behind the last
    assert screen.evaluate("document.activeElement.getAttribute('aria-label')") == names[-1]
    screen.keyboard.press("Home")
    expect(spots.first).to_be_focused()
    screen.get_by_text("As a table").click()
    rows = screen.locator(".chart tbody tr")
    assert rows.count() == spots.count()
    expect(rows.filter(has_text="Hit")).to_have_count(1)
