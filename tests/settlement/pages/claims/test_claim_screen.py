"""The claim on a tablet: cards first, the next action always in view and early for the keyboard."""

import pytest
from playwright.sync_api import Page, expect

from settlement.claims import services as claims
from tests.support.cases.claims.payees import SixPayees
from tests.support.cases.confirmed_house import person
from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.people.cast import ALL_YES

pytestmark = pytest.mark.browser

MOST_STOPS = 10
IN_BAR = "() => document.activeElement.closest('.act-main') !== null"
HIDDEN = """() => {
  const bar = document.querySelector(".act");
  const it = document.activeElement;
  const shown = it.closest("label") || it;
  return bar.contains(it) || it === document.body ? null
    : shown.getBoundingClientRect().bottom > bar.getBoundingClientRect().top
      ? it.outerHTML.slice(0, 80) : null;
}"""


def a_claim(step: str) -> SixPayees:
    """Of six payees, at the step where this person is next."""
    house = SixPayees()
    if step == "aroha":
        return house.confirmed()
    if step == "mere":
        claims.answer_checklist(house.claim, person("sione"), ALL_YES, {})
        claims.verify(house.claim, person("sione"))
    return house


@pytest.mark.parametrize("name", ["sione", "mere", "aroha"])
def test_cards_first_and_the_next_act_in_view_on_a_tablet(
    screen: Page, console_url: str, name: str
) -> None:
    a_claim(name)
    screen.set_viewport_size({"width": 768, "height": 1024})
    opened(screen, console_url, name)
    bar = screen.locator(".act:has(.act-main)")
    top = bar.bounding_box()
    assert top
    for place in [screen.locator(".amount-large").first, *screen.locator(".hand .card-face").all()]:
        box = place.bounding_box()
        assert box
        assert box["y"] + box["height"] <= top["y"], place
    for _ in range(2):
        expect(bar).to_be_in_viewport(ratio=1)
        expect(screen.locator(".act-main")).to_be_in_viewport(ratio=1)
        screen.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    assert fits(screen)


@pytest.mark.parametrize("name", ["sione", "mere", "aroha"])
def test_the_next_act_is_among_the_first_stops_of_the_keyboard(
    screen: Page, console_url: str, name: str
) -> None:
    a_claim(name)
    screen.set_viewport_size({"width": 768, "height": 1024})
    opened(screen, console_url, name)
    stops = 0
    while not screen.evaluate(IN_BAR):
        screen.keyboard.press("Tab")
        stops += 1
        assert stops <= MOST_STOPS
    for _ in range(60):  # and whatever comes behind it is not under the bar
        screen.keyboard.press("Tab")
        assert screen.evaluate(HIDDEN) is None


def test_beside_the_menu_a_link_leads_to_it(screen: Page, console_url: str) -> None:
    a_claim("mere")
    opened(screen, console_url, "mere")
    screen.keyboard.press("Tab")
    screen.keyboard.press("Tab")
    expect(screen.get_by_role("link", name="Skip to the next action")).to_be_focused()
    screen.keyboard.press("Enter")
    screen.keyboard.press("Tab")
    assert screen.evaluate(IN_BAR)
    expect(screen.locator(".act-main")).to_be_in_viewport(ratio=1)


def test_what_is_folded_opens_for_a_link_to_it(screen: Page, console_url: str) -> None:
    a_claim("sione")
    opened(screen, console_url, "sione", "/claims/main/1/#evidence")
    expect(screen.get_by_text("No files attached.")).to_be_visible()
    expect(screen.get_by_text("What the displays at Table 3")).to_be_hidden()
