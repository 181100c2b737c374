"""A slide's film plays in Chromium without sound, again and again, and stands when it should."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings

from jackpot.models import Screen
from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from settlement.screens import films, slides
from settlement.screens.slides import SlideContent
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.pages.browser.workbench_screen import opened
from tests.support.pages.screens import paired
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.screens.films import FILM
from tests.support.suite.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("displays_run")]

PLAYED = "(film) => film.played.length && !film.paused && film.muted && film.loop"
BEGAN_AGAIN = """(film) => new Promise((done) => {
  let last = film.currentTime;
  film.addEventListener("timeupdate", () => {
    if (film.currentTime < last) {
      done(true);
    }
    last = film.currentTime;
  });
})"""
CACHED = "async () => (await (await caches.open('screen-1')).keys()).map((each) => each.url)"
SHOWS = "(film) => film.readyState >= 2 && film.videoWidth"


def tv_of(browser: Browser, console_url: str, **options: Any) -> Page:
    """A screen that shows slides; the film is up, with the value of a prize beside it."""
    content = SlideContent(title="Tonight", text="Now {main/royal}", seconds=120)
    casino = Casino.objects.get()
    slides.put_up(person("hana"), casino, content, films.read(FILM))
    client, _screen = paired(layouts=("slides",))
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, **options)
    context.add_cookies(
        [
            {"name": name, "value": cookie.value, "domain": "127.0.0.1", "path": "/"}
            for name, cookie in client.cookies.items()
        ]
    )
    tv = context.new_page()
    tv.goto(f"{console_url}/screen/")
    expect(tv.locator(".slide-text")).to_have_text("Now NZD 1,000.00", timeout=30_000)
    return tv


def confirm(house: ClaimHouse) -> None:
    claims.catch_up(house.system)
    claim = Claim.objects.get()
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    claims.verify(claim, person("sione"))
    claims.confirm(claim, Reauthenticated(person("mere")), house.hit(1).held)
    house.post()


def test_a_film_plays_until_somebody_wins(
    console_url: str, browser: Browser, settings: Settings
) -> None:
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse()
    tv = tv_of(browser, console_url)
    faults: list[str] = []
    tv.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    film = tv.locator("video.slide-picture")
    wait_until(lambda: film.evaluate(PLAYED), what="the film to play")
    assert film.evaluate(BEGAN_AGAIN)
    tv.evaluate("window.first = document.querySelector('video')")
    house.open("t3")
    house.press("t3")
    house.post()
    expect(tv.locator(".slide-text")).not_to_have_text("Now NZD 1,000.00", timeout=30_000)
    assert tv.evaluate("first.isConnected && !first.paused"), "the value alone is drawn anew"
    house.hit_royal("t3")
    confirm(house)
    expect(tv.locator("#win")).to_be_visible(timeout=30_000)
    wait_until(lambda: film.evaluate("(film) => film.paused"), what="the film to stand still")
    assert not faults
    tv.context.close()


def test_where_movement_is_not_wanted_its_first_picture_stands(
    console_url: str, browser: Browser
) -> None:
    """In a browser that says so, and in what the console shows of a screen."""
    ClaimHouse().post()
    tv = tv_of(browser, console_url, reduced_motion="reduce")
    film = tv.locator("video.slide-picture")
    wait_until(lambda: film.evaluate(SHOWS), what="its first picture")
    assert film.evaluate("(film) => film.paused && film.currentTime === 0")
    wait_until(lambda: tv.evaluate("caches.keys()"), what="the worker")
    tv.reload()  # by the worker, which keeps what is read
    wait_until(lambda: any("/picture/" in each for each in tv.evaluate(CACHED)), what="its file")
    tv.context.set_offline(True)
    tv.reload()
    expect(tv.locator("#stale")).to_be_visible(timeout=30_000)
    wait_until(lambda: film.evaluate(SHOWS), what="its first picture, without the console")
    tv.context.close()


def test_the_console_shows_what_the_screen_shows(console_url: str, browser: Browser) -> None:
    ClaimHouse().post()
    tv = tv_of(browser, console_url)
    report = "/screen/report"
    with tv.expect_response(lambda answer: answer.url.endswith(report)) as answer:
        pass
    assert answer.value.status == 204
    desk = browser.new_context().new_page()
    number = Screen.objects.get().pk
    opened(desk, console_url, "hana", f"/screens/{number}/shows/")
    film = desk.locator("video.slide-picture")
    wait_until(lambda: film.evaluate(SHOWS), what="the first picture")
    assert film.evaluate("(film) => film.paused")
    opened(desk, console_url, "hana", f"/screens/slides/{slides.slides().get().pk}/")
    small = desk.locator("video.slide-small")
    wait_until(lambda: small.evaluate(SHOWS), what="the video on the slide's own page")
    desk.context.close()
    tv.context.close()
