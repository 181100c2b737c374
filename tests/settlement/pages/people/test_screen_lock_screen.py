"""A page that is covered gives way to another one, whatever becomes of the first try."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.pages.browser.workbench_screen import opened
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.browser


def break_off_once(screen: Page, pattern: str, method: str) -> None:
    """The first request of a page there leads nowhere, as one that is stopped by a key."""
    broken: list[str] = []

    def answer(route: Route) -> None:
        request = route.request
        if request.method == method and request.is_navigation_request() and not broken:
            broken.append(request.url)
            route.fulfill(status=204)
        else:
            route.continue_()

    screen.route(pattern, answer)


def test_a_reload_that_breaks_off_is_tried_again(screen: Page, console_url: str) -> None:
    ClaimHouse()
    opened(screen, console_url, "mere", "/tables/")
    heading = screen.get_by_role("heading", name="Tables", exact=True)
    expect(heading).to_be_visible()
    break_off_once(screen, "**/tables/", "GET")
    screen.evaluate("() => document.dispatchEvent(new CustomEvent('console:locked'))")
    expect(heading).to_be_hidden()
    expect(heading).to_be_visible()


def test_a_lock_that_breaks_off_is_tried_again(screen: Page, console_url: str) -> None:
    ClaimHouse()
    opened(screen, console_url, "mere", "/tables/")
    break_off_once(screen, "**/lock/", "POST")
    screen.keyboard.press("Alt+KeyL")
    expect(screen.locator("html[data-covered]")).to_have_count(1)
    expect(screen).to_have_url(f"{console_url}/locked/?next=/tables/")


def test_a_server_that_cannot_answer_covers_nothing(browser: Browser, console_url: str) -> None:
    """Her press counts, and the page stays as it is."""
    ClaimHouse()
    screen = browser.new_context().new_page()  # the browser itself tells of the answer as a fault
    screen.clock.install()
    opened(screen, console_url, "mere", "/tables/")
    screen.route("**/awake/", lambda route: route.fulfill(status=503))
    screen.evaluate("() => { window.isSamePage = true; }")
    screen.clock.fast_forward(31_000)
    with screen.expect_response("**/awake/"):
        screen.locator("h1").click()
    screen.clock.run_for(1000)
    expect(screen.locator("html[data-covered]")).to_have_count(0)
    assert screen.evaluate("() => window.isSamePage")
    screen.context.close()
