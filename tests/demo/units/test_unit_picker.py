"""The unit's page in a browser: its cards are picked by the picker of Amend and Enter a hand."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Route, expect

from tests.support.pages.browser.browsers import browser
from tests.support.pages.unit_page import Visitor, playing, visitor
from tests.support.units.demo_floor import Floor, floor

__all__ = ["Floor", "browser", "floor", "playing", "visitor"]

pytestmark = [pytest.mark.broker, pytest.mark.browser]
ADDRESS = "http://unit.test"


def test_cards_are_picked_and_ready_made_hands_are_drawn(
    browser: Browser, playing: Visitor
) -> None:
    html = playing.client.get("/demo/unit/?open=report").content.decode()

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        static = (
            finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else None
        )
        if isinstance(static, str):
            route.fulfill(path=Path(static))
        elif path == "/demo/unit/":
            route.fulfill(body=html, content_type="text/html")
        else:
            route.abort()

    page = browser.new_context(viewport={"width": 768, "height": 1024}).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.route(f"{ADDRESS}/**", answer)
    page.goto(f"{ADDRESS}/demo/unit/")
    deck = page.get_by_role("group", name="Cards to pick")
    for card in ("ace of spades", "king of spades", "queen of spades"):
        deck.get_by_role("button", name=card, exact=True).click()
    expect(page.locator("#report-hole")).to_have_value("As Ks")
    expect(page.locator("#report-board")).to_have_value("Qs")  # two are a hand: the board is next
    page.get_by_role("button", name="Remove king of spades").click()
    expect(page.locator("#report-hole")).to_have_value("As")
    page.locator(".preset").first.click()
    expect(page.locator("[data-pick=board] .picked")).to_have_count(5)
    page.context.close()
    assert not faults
