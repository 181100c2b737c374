"""Displays at tables and paired screens on walls of every shape: all of it is seen, the main value
from afar, and axe finds nothing."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from jackpot.display import values as display
from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from settlement.screens import slides
from tables.models import Casino, GamingTable
from tests.support.cases.confirmed_house import person
from tests.support.cases.hands.bad_beats import bad_beat
from tests.support.pages.browser import accessible
from tests.support.pages.screens import paired
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.play.high_hands import HOUSE, high_terms
from tests.support.suite.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHAPES = {
    "portrait": (1080, 1920),
    "full HD": (1920, 1080),
    "4K": (3840, 2160),
    "portrait 4K": (2160, 3840),
    "ultra-wide": (3440, 1440),
    "strip": (1920, 540),
    "narrow strip": (1920, 360),
}
LEAST_HEIGHT = 0.09  # of the main value's letters, in the shorter side of the screen
LEAST_OF_STRIP = 0.18
# By layout what is read first on it, and its least height: a list is read from nearer than a value.
LAYOUTS = {
    "main": (".figure", 0.09, 0.18),
    "tiers": (".figure", 0.09, 0.18),
    "lobby": (".figure", 0.03, 0.05),
    "winners": (".row .much", 0.02, 0.04),
    "high_hands": (".board .hand", 0.02, 0.04),
    "slides": (".slide-text", 0.03, 0.05),
}
WIN_BEFORE = "sessionStorage.setItem('wins', '[\"main/1\"]')"  # the win was full-screen before
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


def faults_of(
    page: Page,
    figure: str,
    least_height: float = LEAST_HEIGHT,
    of_strip: float = LEAST_OF_STRIP,
    *,
    by_axe: bool = True,
) -> list[str]:
    """What is beyond the screen, too small or found by axe, shape by shape."""
    faults: list[str] = []
    for name, (width, height) in SHAPES.items():
        page.set_viewport_size({"width": width, "height": height})

        def measured() -> dict[str, Any]:
            measures: dict[str, Any] = page.evaluate(MEASURE, figure)
            return measures

        least = of_strip if height < 600 else least_height

        def is_whole(width: int = width, height: int = height, least: float = least) -> bool:
            box = measured()
            if box["digits"] < least * min(width, height):
                return False
            edges = (
                box["left"],
                box["top"],
                width - box["right"],
                height - box["bottom"],
            )
            fits = box["scrollWidth"] <= width and box["scrollHeight"] <= height
            return fits and min(edges) >= -1

        try:
            wait_until(is_whole, 10, what=f"all of it within the {name}, and large enough")
        except AssertionError:
            faults.append(f"{name}: beyond {width} x {height}, or too small: {measured()}")
        if by_axe:
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


def house_with_a_winner() -> ClaimHouse:
    """Three jackpots: one was won, of one somebody leads its period, and a hand was reported."""
    high_hands = high_terms() | {"code": "high", "name": "High hands"}
    house = ClaimHouse(royal_terms(), bad_beat(), high_hands, tables=("t3", "t7"))
    house.hit_royal("t7")
    claim = Claim.objects.get(number=1)
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    claims.verify(claim, person("sione"))
    claims.confirm(claim, Reauthenticated(person("mere")), house.hit(1).held)
    house.open("t3")
    house.press("t3")
    house.report("t3", HOUSE)
    house.post()
    claims.catch_up(house.system)
    display.refresh(house.system.pk)
    return house


@pytest.mark.usefixtures("displays_run")  # else nobody vouches for the values
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_paired_screen(layout: str, wall: Page, console_url: str) -> None:
    house = floor() if layout in ("main", "tiers") else house_with_a_winner()
    casino, hana = house.system.casino, person("hana")
    line = slides.SlideContent(text="Now {main/royal}", is_line=True)
    slides.put_up(hana, casino, line)
    text = "Every royal flush of hearts is paid twice tonight, at all tables of the main floor"
    slides.put_up(hana, casino, slides.SlideContent(title="Royal night", text=text))
    client, _screen = paired(layouts=(layout,))
    come_as(wall, client)
    wall.add_init_script(WIN_BEFORE)
    wall.goto(f"{console_url}/screen/")
    figure, *least = LAYOUTS[layout]
    expect(wall.locator(f"#view[data-layout={layout}]")).to_be_attached()
    expect(wall.locator(figure).first).to_be_visible()
    expect(wall.locator("#win")).to_be_hidden()
    assert faults_of(wall, figure, *least) == []


@pytest.mark.usefixtures("displays_run")
def test_a_win_that_fills_the_screen(wall: Page, console_url: str) -> None:
    house_with_a_winner()
    client, _screen = paired(layouts=("tiers",))
    come_as(wall, client)
    wall.clock.set_fixed_time(dt.datetime.now(dt.UTC))  # it stays for as long as it is measured
    wall.goto(f"{console_url}/screen/")
    expect(wall.locator("#win")).to_be_visible()
    expect(wall.locator("#win-amount")).to_have_text("NZD 1,001.00")
    assert faults_of(wall, "#win-amount", 0.06, 0.1) == []
    for part in ("#win-prize", "#win-hand", "#win-table", "#win-cards .card:last-child"):
        assert faults_of(wall, part, 0.02, 0.03, by_axe=False) == [], part


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
