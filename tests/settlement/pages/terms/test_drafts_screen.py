"""A log-in that ends while somebody types: the page says so, and nothing typed is lost."""

import pytest
from playwright.sync_api import Browser, Page, expect

from settlement.claims import services as claims
from settlement.models import ConsoleSession, Note
from tests.support.pages.browser.workbench_screen import opened
from tests.support.pages.page_staff import ADDRESS
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.browser

TYPED = "Seat 3 tabled the hand before the river was burned"


@pytest.fixture
def house(console_url: str) -> ClaimHouse:
    """Behind the server, whose database is the one that it goes into."""
    house = ClaimHouse()
    house.hit_royal("t3")
    claims.catch_up(house.system)
    return house


def interrupted(page: Page, url: str) -> None:
    """Sione types a note on the claim, and sends it after his log-in has ended."""
    opened(page, url, "sione")
    note = page.locator(
        "form[action$='/notes/'] textarea, form[action$='/notes/'] input[type=text]"
    )
    page.get_by_role("heading", name="Evidence").click()
    page.get_by_text("Write a note").click()
    note.first.fill(TYPED)
    ConsoleSession.objects.all().delete()
    expect(page.locator("aside [data-live-state]")).to_have_text("Logged out")
    note.first.evaluate("field => field.form.requestSubmit()")
    expect(page.get_by_text("nothing was sent")).to_be_visible()
    expect(page).to_have_url(f"{url}/login/?next={ADDRESS}")


def test_what_was_typed_is_offered_again_after_the_log_in(
    house: ClaimHouse, browser: Browser, console_url: str
) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(60_000)
    interrupted(page, console_url)
    opened(page, console_url, "sione")
    expect(page.locator("[data-draft]")).to_be_visible()
    note = page.locator(
        "form[action$='/notes/'] textarea, form[action$='/notes/'] input[type=text]"
    )
    expect(note.first).to_have_value(TYPED)
    expect(note.first).to_be_focused()
    assert not Note.objects.exists()
    note.first.evaluate("field => field.form.requestSubmit()")
    expect(page.locator("[data-draft]")).to_be_hidden()
    expect(page.get_by_text(TYPED)).to_be_visible()
    assert Note.objects.get().text == TYPED
    page.context.close()


def test_another_person_at_the_same_tablet_does_not_see_it(
    house: ClaimHouse, browser: Browser, console_url: str
) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(60_000)
    interrupted(page, console_url)
    opened(page, console_url, "mere")
    expect(page.locator("[data-draft]")).to_be_hidden()
    assert page.evaluate("sessionStorage.getItem('jackpot-draft')") is None
    page.context.close()
