"""Displays at tables and paired screens on walls of every shape: all of it is seen, the main value
from afar, and axe finds nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from jackpot.display import values as display
from settlement.claims import services as claims
from settlement.screens import slides
from tables.models import Casino, GamingTable
from tests.support import accessible
from tests.support.bad_beats import bad_beat
from tests.support.books import royal_terms
from tests.support.cast import ClaimHouse
from tests.support.confirmed import person
from tests.support.screens import paired
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHAPES = {
    "portrait": (1080, 1920),
    "4K": (3840, 2160),
    "portrait 4K": (2160, 3840),
    "ultra-wide": (3440, 1440),
    "strip": (1920, 540),
    "narrow strip": (1920, 360),
}
LEAST_HEIGHT = 0.09  # of the main value's letters, in the shorter side of the screen
LEAST_OF_STRIP = 0.18
# The digits as drawn, and what of the page is beyond the screen.
MEASURE = """(selector) => {
  const { scrollWidth, scrollHeight } = document.scrollingElement;
  const figure = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility());
  const box = figure.getBoundingClientRect();
  const line = document.createElement("canvas").getContext("2d");
  const style = getComputedStyle(figure);
  line.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const digits = line.measureText("0").actualBoundingBoxAscent;
  return { scrollWidth, scrollHeight, digits, right: box.right, bottom: box.bottom,
           left: box.left, top: box.top };
}"""


@pytest.fixture
def wall(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    accessible.prepare(context)
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def faults_of(page: Page, figure: str) -> list[str]:
    """What is beyond the screen, too small or found by axe, shape by shape."""
    faults: list[str] = []
    for name, (width, height) in SHAPES.items():
        page.set_viewport_size({"width": width, "height": height})

        def measured() -> dict[str, Any]:
            seen: dict[str, Any] = page.evaluate(MEASURE, figure)
            return seen

        least = LEAST_OF_STRIP if height < 600 else LEAST_HEIGHT

        def is_whole(width: int = width, height: int = height, least: float = least) -> bool:
            seen = measured()
            if seen["digits"] < least * min(width, height):
                return False
            edges = (seen["left"], seen["top"], width - seen["right"], height - seen["bottom"])
            fits = seen["scrollWidth"] <= width and seen["scrollHeight"] <= height
            return fits and min(edges) >= -1

        try:
            wait_until(is_whole, 10, what=f"all of it within the {name}, and large enough")
        except AssertionError:
            faults.append(f"{name}: beyond {width} x {height}, or too small: {measured()}")
        faults += [f"{name}: {fault}" for fault in accessible.violations(page)]
    return faults


def floor() -> ClaimHouse:
    """Two jackpots, and a hand that was reported."""
    house = ClaimHouse(royal_terms(), bad_beat(), tables=("t3", "t7"))
    house.hit_royal("t7")
    claims.catch_up(house.system)
    display.refresh(house.system.pk)
    return house


def test_a_display_at_a_table(wall: Page, console_url: str) -> None:
    floor()
    key = GamingTable.objects.get(code="t3").display_key
    wall.goto(f"{console_url}/display/{key}/")
    expect(wall.locator(".message.reported")).to_be_visible()
    assert faults_of(wall, ".figure") == []


@pytest.mark.parametrize("layout", ["main", "tiers"])
def test_a_paired_screen(layout: str, wall: Page, console_url: str) -> None:
    house = floor()
    line = slides.Wanted(text="Now {main/royal}", is_line=True)
    slides.put_up(person("hana"), house.system.casino, line)
    client, _screen = paired(layouts=(layout,))
    come_as(wall, client)
    wall.goto(f"{console_url}/screen/")
    expect(wall.locator(".figure").first).to_be_visible()
    assert faults_of(wall, ".figure") == []


def test_a_screen_that_shows_its_code(wall: Page, console_url: str) -> None:
    Casino.objects.create(code="harbour", name="Harbour Casino", currency="NZD")
    wall.goto(f"{console_url}/display/")
    expect(wall.locator("#code")).to_be_visible()
    assert faults_of(wall, "#code") == []


def come_as(page: Page, client: Client) -> None:
    """The browser has the screen's cookie."""
    page.context.add_cookies(
        [
            {"name": name, "value": cookie.value, "domain": "127.0.0.1", "path": "/"}
            for name, cookie in client.cookies.items()
        ]
    )
