"""The palette by keyboard and by touch, as people and screen readers have it."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.browser


def test_the_palette_by_keyboard_and_by_touch(screen: Page, console_url: str) -> None:
    ClaimHouse().hit_royal()
    opened(screen, console_url, "tane", "/tables/")
    palette = screen.locator("#palette")
    field = palette.get_by_role("combobox")
    screen.keyboard.press("Control+k")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-expanded", "false")
    screen.keyboard.type("table")
    options = palette.get_by_role("option")
    expect(palette.get_by_role("status")).to_contain_text("results")
    last = options.count() - 1
    expect(palette.get_by_role("status")).to_contain_text(f"{last + 1} results")
    expect(field).to_have_attribute("aria-expanded", "true")
    first = options.nth(0).get_attribute("id")
    expect(field).to_have_attribute("aria-activedescendant", str(first))
    screen.keyboard.press("ArrowUp")  # round the end
    expect(options.nth(last)).to_have_attribute("aria-selected", "true")
    screen.keyboard.press("ArrowDown")
    screen.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    screen.keyboard.press("Enter")
    expect(screen).to_have_url(f"{console_url}/tables/main/t7/")

    screen.keyboard.press("/")
    expect(options).to_have_count(1)  # opened lately
    expect(options).to_contain_text("Table 7")
    screen.keyboard.type("zzz")
    expect(palette.get_by_role("status")).to_contain_text("No match")
    expect(options).to_have_count(0)
    screen.keyboard.press("Escape")
    expect(palette).to_be_hidden()

    screen.set_viewport_size({"width": 390, "height": 844})
    assert fits(screen)
    button = screen.locator(".topbar [data-search]")
    box = button.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    button.click()
    expect(field).to_be_focused()
    assert fits(screen)
    screen.get_by_role("button", name="Close the search").click()
    expect(palette).to_be_hidden()
