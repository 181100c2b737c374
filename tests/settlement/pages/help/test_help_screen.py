"""Help in its place, by keyboard and by touch, and without the script."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.pages.browser import accessible
from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.browser

# As the page does by itself when somebody else did something.
READ_AGAIN = """() => document.querySelectorAll("[data-live]").forEach((part) => {
  part.replaceWith(part.cloneNode(true));
})"""


def test_help_by_keyboard_and_by_touch(browser: Browser, console_url: str) -> None:
    ClaimHouse().hit_royal()
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, has_touch=True)
    accessible.prepare(context)
    screen = context.new_page()
    opened(screen, console_url, "mere")
    panel = screen.locator("#help-panel")
    screen.keyboard.press("?")
    expect(panel).to_be_visible()
    expect(panel).to_be_focused()
    expect(panel).to_contain_text("What you can do here")
    assert not accessible.violations(screen)
    screen.keyboard.press("Tab")
    expect(panel.get_by_role("button", name="Close help")).to_be_focused()
    screen.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    mark = screen.locator("[data-help-page]")
    expect(mark).to_be_focused()

    chip = screen.locator("main a.chip:visible").first
    chip.focus()
    screen.keyboard.press("Enter")
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("On the console:")
    screen.keyboard.press("Escape")
    expect(chip).to_be_focused()
    screen.keyboard.press("Enter")
    expect(panel).to_be_visible()
    screen.evaluate(READ_AGAIN)
    screen.keyboard.press("Escape")
    expect(chip).to_be_focused()

    screen.set_viewport_size({"width": 390, "height": 844})
    box = mark.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    mark.tap()
    expect(panel).to_be_visible()
    assert fits(screen)
    assert not accessible.violations(screen)
    accessible.use_theme(screen, "light")
    assert not accessible.violations(screen, accessible.OF_COLOUR)
    context.close()


def test_a_field_that_is_typed_into_takes_the_question_mark(screen: Page, console_url: str) -> None:
    ClaimHouse()
    opened(screen, console_url, "mere", "/search/")
    screen.locator("#search").press("?")
    expect(screen.locator("#search")).to_have_value("?")
    expect(screen.locator("#help-panel")).to_be_hidden()


def test_help_is_a_page_where_no_script_runs(browser: Browser, console_url: str) -> None:
    ClaimHouse().hit_royal()
    context = browser.new_context(java_script_enabled=False)
    screen = context.new_page()
    opened(screen, console_url, "mere")
    screen.locator("[data-help-page]").click()
    expect(screen.get_by_role("heading", level=1)).to_have_text("Claim")
    expect(screen.locator("main")).to_contain_text("What you can do here")
    context.close()


def test_the_tour_by_keyboard_and_by_touch(browser: Browser, console_url: str) -> None:
    ClaimHouse().hit_royal()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    accessible.prepare(context)
    screen = context.new_page()
    opened(screen, console_url, "aroha", "/help/")
    screen.get_by_role("button", name="Start the tour").tap()
    tour = screen.get_by_role("region", name="Overview")
    expect(tour).to_be_in_viewport()
    assert fits(screen)
    assert not accessible.violations(screen)
    assert not accessible.too_small(screen)
    accessible.use_theme(screen, "light")
    assert not accessible.violations(screen, accessible.OF_COLOUR)
    for page in ("Claims", "Payouts", "Drop and bank", "Handover", "Help"):
        expect(screen.get_by_role("button", name="Next page")).to_be_focused()
        screen.keyboard.press("Enter")
        expect(screen.get_by_role("region", name=page).last).to_be_in_viewport()
        assert fits(screen)
    screen.get_by_role("button", name="End the tour").tap()
    expect(screen.get_by_text("You can find the tour again")).to_be_visible()
    context.close()
