"""Cards of a report are picked by touch or by keys; without a script they are typed."""

import pytest
from playwright.sync_api import Browser, Page, expect

from settlement.claims import services as claims
from settlement.models import Action
from tests.support.cases.hands.clocked_hands import ClockHouse
from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.pages.page_staff import ADDRESS
from tests.support.people.cast import ClaimHouse
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.browser

ENTER = "/tables/main/t7/hand/"
AMEND = f"{ADDRESS}amend/"


@pytest.fixture
def house(console_url: str) -> ClaimHouse:
    """A royal flush at table 3; table 7 is open, its unit says nothing."""
    house = ClockHouse()
    house.hit_royal("t3")
    house.open("t7")
    house.press("t7")
    house.post()
    claims.catch_up(house.system)
    return house


def card(screen: Page, name: str) -> None:
    screen.locator("[data-deck]").get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("width", [390, 768])
def test_a_hand_is_entered_by_touch(
    screen: Page, console_url: str, house: ClaimHouse, width: int
) -> None:
    screen.set_viewport_size({"width": width, "height": 900})
    opened(screen, console_url, "sione", ENTER)
    for rank in ("queen", "jack", "ten", "nine"):
        card(screen, f"{rank} of spades")
    card(screen, "two of diamonds")  # the board is full: the next cards are the hand's
    for rank in ("ace", "king"):
        card(screen, f"{rank} of spades")
    board, hole = screen.get_by_label("First board"), screen.get_by_label("Hole cards")
    expect(board).to_have_value("Qs Js Ts 9s 2d")
    expect(hole).to_have_value("As Ks")
    card(screen, "nine of spades")  # taken back, wherever it lies
    screen.get_by_role("button", name="Remove two of diamonds").click()
    expect(board).to_have_value("Qs Js Ts")
    card(screen, "three of clubs")
    expect(board).to_have_value("Qs Js Ts 3c")
    deck = screen.locator("[data-card]:visible")
    expect(deck).to_have_count(52)
    screen.get_by_label("Deck").select_option("36")
    expect(deck).to_have_count(36)
    assert fits(screen)


def test_a_report_is_amended_by_the_keyboard(
    screen: Page, console_url: str, house: ClaimHouse
) -> None:
    opened(screen, console_url, "anahera", AMEND)
    board = screen.get_by_label("First board")
    expect(board).to_have_value("Qs Js Ts 2d 3c")
    expect(screen.locator("[data-shown]").first.locator("svg")).to_have_count(5)
    screen.get_by_role("button", name="Remove three of clubs").press("Enter")
    expect(board).to_be_focused()
    deck = screen.locator("[data-card][tabindex='0']")
    expect(deck).to_have_count(1)  # the deck is one stop
    deck.focus()
    screen.keyboard.type("4h")
    expect(board).to_have_value("Qs Js Ts 2d 4h")
    screen.keyboard.press("ArrowRight")
    expect(screen.locator("[data-card='3h']")).to_be_focused()
    screen.keyboard.press("Escape")
    expect(board).to_be_focused()
    board.fill("QsJs 10s 2d 5h")  # typed as ever
    expect(screen.locator("[data-card='5h']")).to_have_attribute("aria-pressed", "true")
    screen.get_by_role("button", name="Send the amended report").click()
    wait_until(Action.objects.filter(kind="amend").exists, what="the report to be amended")
    house.post()
    report = house.hit(1).report
    assert report is not None
    assert report["boards"] == [["Qs", "Js", "Ts", "2d", "5h"]]


def test_without_a_script_they_are_typed(
    browser: Browser, console_url: str, house: ClaimHouse
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for address in (AMEND, ENTER):
        opened(page, console_url, "anahera", address)
        expect(page.get_by_label("First board")).to_be_editable()
        expect(page.locator("[data-deck]")).to_be_hidden()
        expect(page.get_by_role("button", name="Preview the cards")).to_be_visible()
    context.close()
