"""A sharer is entered on a tablet held upright, by the keyboard."""

import pytest
from playwright.sync_api import Browser, expect

from settlement.models import Sharer
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.pages.browser.workbench_screen import fits, opened

pytestmark = pytest.mark.browser
SHARERS = "/claims/main/1/sharers/"


@pytest.mark.parametrize("width", [390, 768])
def test_a_sharer_is_entered_and_listed(browser: Browser, console_url: str, width: int) -> None:
    ConfirmedHouse()
    context = browser.new_context(viewport={"width": width, "height": 1024})
    screen = context.new_page()  # to which the 422 of the form is no fault
    opened(screen, console_url, "aroha", SHARERS)
    expect(screen.get_by_text("Nobody shares it")).to_be_visible()
    assert fits(screen)
    screen.get_by_label("Name, as on the document").fill("Jo Falk")
    screen.get_by_role("button", name="Save the sharer").press("Enter")
    screen.get_by_label("Date of birth").fill("1979-08-07")
    screen.get_by_label("Number of the document").fill("LK 41-88")
    screen.get_by_role("button", name="Save the sharer").press("Enter")
    expect(screen.get_by_text("Enter an amount, or a share in percent")).to_be_visible()
    expect(screen.get_by_label("Name, as on the document")).to_have_value("Jo Falk")
    screen.get_by_label("or share, in percent").fill("50")
    screen.get_by_role("button", name="Save the sharer").press("Enter")
    expect(screen.get_by_text("Saved: a sharer of seat 3.")).to_be_visible()
    expect(screen.get_by_text("In force")).to_be_visible()
    assert fits(screen)
    assert Sharer.objects.count() == 1
    context.close()
