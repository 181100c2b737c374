"""The cage withholds by itself what the rules ask for, and leaves alone what is typed by hand."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.support.houses.winners import WinnersHouse
from tests.support.pages.browser.workbench_screen import fits, opened

CAGE = "/claims/main/1/cage/"
pytestmark = pytest.mark.browser


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A console of its own, under the rules of Nevada."""
    monkeypatch.setenv("JURISDICTIONS", "harbour=nevada")
    return str(request.getfixturevalue("console_url"))


@pytest.mark.parametrize("width", [768, 1920])
def test_tax_follows_what_is_handed_over(address: str, screen: Page, width: int) -> None:
    WinnersHouse(10_000).win("Ana Ruiz")
    assert User.objects.filter(username="aroha").exists()
    screen.set_viewport_size({"width": width, "height": 1024})
    opened(screen, address, "aroha", CAGE)
    assert fits(screen)
    tax, cash = screen.get_by_label("Tax withheld"), screen.get_by_label("Cash, seat 3", exact=True)
    expect(tax).to_have_value("")
    screen.get_by_label("Where the player lives").select_option("foreign")
    expect(tax).to_have_value("3,000.00")
    expect(screen.locator("[data-net]")).to_have_text("7,000.00")
    expect(screen.get_by_text("W-2G", exact=False).first).to_be_hidden()
    screen.get_by_role("button", name="The rest in cash, seat 3", exact=True).click()
    expect(cash).to_have_value("7,000.00")
    expect(screen.locator("[data-total]")).to_have_text("10,000.00 of 10,000.00")
    cash.fill("3,500")
    expect(tax).to_have_value("1,500.00")
    tax.fill("1,000")
    cash.fill("3,600")
    expect(tax).to_have_value("1,000")  # typed by hand
    screen.get_by_label("Where the player lives").select_option("resident")
    expect(tax).to_have_value("")
    screen.get_by_label("No taxpayer number given").check()
    expect(tax).to_have_value("1,136.84")  # 24% of 4,736.84
