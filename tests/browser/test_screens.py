"""A screen from its code to a win that fills it, offline and back, and off when it is removed."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings

from jackpot.models import Screen, ScreenRequest
from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from settlement.screens import screens as service
from settlement.screens import slides
from settlement.screens.slides import SlideContent
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.pages.screens import paired, screen_values
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.suite.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("displays_run")]

CACHED = "async () => (await (await caches.open('screen-1')).keys()).map((each) => each.url)"


def confirm(house: ClaimHouse, number: int) -> None:
    """The claim is verified and confirmed."""
    claim = Claim.objects.get(number=number)
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    claims.verify(claim, person("sione"))
    claims.confirm(claim, Reauthenticated(person("mere")), house.hit(number).held)
    house.post()


def pair(tv: Page, console_url: str) -> Screen:
    """It shows a code, somebody enters it, and it shows values by itself."""
    tv.goto(f"{console_url}/display/")
    expect(tv.locator("#code")).to_have_text(re.compile(r"^[A-Z]{4}-[A-Z]{4}$"))
    code = ScreenRequest.objects.get().code
    casino, hana = Casino.objects.get(), person("hana")
    slides.put_up(hana, casino, SlideContent(text="Now {main/royal}", is_line=True))
    screen = service.pair(hana, casino, code, screen_values(layouts=("main",)))
    tv.clock.run_for(4000)  # it asks again
    expect(tv.locator(".figure")).to_have_text("1,000.00")
    expect(tv.locator("#line")).to_have_text("Now NZD 1,000.00")
    return screen


def win_twice(tv: Page, house: ClaimHouse) -> None:
    """A report says what is verified; a win fills the screen, the next one waits."""
    house.hit_royal("t3")
    line = tv.locator("#strip .strip-text")
    reported = "Royal Flush · NZD 1,001.00 · being verified · Table 3"
    expect(line).to_have_text(reported, timeout=30_000)
    house.hit_royal("t7")
    claims.catch_up(house.system)
    confirm(house, 1)
    expect(tv.locator("#win")).to_be_visible(timeout=30_000)
    expect(tv.locator("#win-cards .card")).to_have_count(5)
    first = tv.locator("#win-amount").bounding_box()
    assert first
    assert first["height"] > 100
    confirm(house, 2)
    wait_until(lambda: "/2" in tv.evaluate("sessionStorage.wins"))
    expect(tv.locator("#win-table")).to_have_text("Table 3")
    assert tv.locator("#win-amount").bounding_box() == first
    tv.clock.run_for(21_000)
    expect(tv.locator("#win-table")).to_have_text("Table 7")
    tv.clock.run_for(21_000)
    expect(tv.locator("#win")).to_be_hidden()
    expect(tv.locator("#strip")).to_contain_text("won")


def lose_the_console(tv: Page) -> None:
    """Loaded again without it, the page says since when, and nothing looks current."""
    wait_until(lambda: any("/screen/content" in each for each in tv.evaluate(CACHED)))
    tv.context.set_offline(True)
    tv.clock.run_for(20_000)
    expect(tv.locator("#since")).to_have_text(re.compile(r"\d\d:\d\d"))
    tv.reload()
    expect(tv.locator("#stale")).to_be_visible()
    expect(tv.locator(".figure")).to_be_visible()
    for name in ("#strip", "#line", "#win"):
        expect(tv.locator(name)).to_be_hidden()
    tv.context.set_offline(False)
    tv.clock.run_for(20_000)
    expect(tv.locator("#stale")).to_be_hidden()


def test_the_life_of_a_screen(console_url: str, browser: Browser, settings: Settings) -> None:
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse()
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
    tv = context.new_page()
    faults: list[str] = []
    tv.on("pageerror", lambda error: faults.append(str(error)))
    tv.clock.install()
    screen = pair(tv, console_url)
    win_twice(tv, house)
    lose_the_console(tv)
    service.remove(person("hana"), screen)
    expect(tv.locator("#code")).to_be_visible(timeout=30_000)
    assert tv.evaluate("localStorage.length") == 0
    assert not faults
    context.close()


# How many tones were begun, in a browser that says so.
LISTEN = """() => {
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...all) {
    window.tones++;
    return start.apply(this, all);
  };
}"""
MOVING = """() => document.getAnimations().filter(({ effect }) =>
  document.getElementById("win").contains(effect.target)).length"""


@pytest.mark.parametrize(("sound", "tones"), [(True, 4), (False, 0)])
def test_a_win_moves_and_sounds_where_the_house_wants_a_sound(
    console_url: str, browser: Browser, settings: Settings, sound: bool, tones: int
) -> None:
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse()
    client, _screen = paired(layouts=("main",), sound=sound)
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    context.add_cookies(
        [
            {"name": name, "value": cookie.value, "domain": "127.0.0.1", "path": "/"}
            for name, cookie in client.cookies.items()
        ]
    )
    context.add_init_script(f"({LISTEN})()")
    tv = context.new_page()
    tv.goto(f"{console_url}/screen/")
    expect(tv.locator(".figure")).to_have_text("1,000.00", timeout=30_000)
    house.hit_royal("t3")
    claims.catch_up(house.system)
    assert tv.evaluate("tones") == 0  # a report is silent
    confirm(house, 1)
    expect(tv.locator("#win")).to_be_visible(timeout=30_000)
    assert tv.evaluate(MOVING) > 0
    assert tv.evaluate("tones") == tones
    context.close()
