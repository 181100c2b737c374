"""A sheet of credentials in Chromium: cards come some at a time, and the page says how far."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tables.models import DeviceCredential, GamingTable
from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.browser
PAGE = "/devices/systems/main/"


@pytest.mark.usefixtures("no_writer")
def test_cards_come_some_at_a_time(screen: Page, console_url: str) -> None:
    system = ClaimHouse().system
    GamingTable.objects.bulk_create(
        GamingTable(system=system, code=f"x{number}", name=f"Table {number}")
        for number in range(10, 31)
    )
    screen.set_viewport_size({"width": 768, "height": 1024})
    opened(screen, console_url, "hana", PAGE)
    screen.get_by_label("Table 3", exact=False).first.uncheck()
    methods: list[str] = []
    screen.on("request", lambda request: methods.append(request.method))
    screen.get_by_role("button", name="Issue credentials").click()
    expect(screen.get_by_text("22 of 22 issued")).to_be_visible()
    assert methods.count("POST") == 3
    expect(screen.locator("[data-card]")).to_have_count(22)
    expect(screen.get_by_text("Print the sheet now")).to_be_visible()
    expect(screen.locator("[data-sheet-fault]")).to_be_hidden()
    expect(screen.get_by_role("button", name="Issue credentials")).to_be_hidden()
    assert DeviceCredential.objects.count() == 22
    assert fits(screen)
    screen.emulate_media(media="print")
    card = screen.locator("[data-card]").first
    expect(card).to_have_css("break-inside", "avoid")
    expect(screen.get_by_role("button", name="Print")).to_be_hidden()
