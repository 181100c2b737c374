"""The display in a browser: what players see of values, messages and silence."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from config.version import VERSION
from tests.support.pages.browser.display_screen import stop_the_clock
from tests.support.pages.room import KEY, Room, reported
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.browser

# Every figure that was ever shown, oldest first.
REMEMBER = """() => {
  window.figures = [];
  const figure = document.querySelector(".figure");
  new MutationObserver(() => window.figures.push(figure.textContent))
    .observe(figure, { childList: true, characterData: true, subtree: true });
}"""


# A busy floor on a slow screen: a value every 100 ms, a frame every 300. What is shown, beside the
# newest value and that of 400 ms before.
BUSY = """() => {
  const count = new JackpotCount(0);
  const shown = [];
  for (let tenth = 0; tenth <= 100; tenth += 1) {
    count.aim(tenth * 10, tenth * 100);
    if (tenth % 3 === 0) {
      shown.push([(tenth - 4) * 10, count.step(tenth * 100), tenth * 10]);
    }
  }
  return shown;
}"""


@pytest.fixture
def room(console_url: str) -> Room:
    return Room()


def open_display(screen: Page, console_url: str) -> None:
    screen.goto(f"{console_url}/display/{KEY}/")


def test_a_page_of_an_older_release_loads_itself_again(
    screen: Page, console_url: str, room: Room
) -> None:
    """Once, and then it follows the values like any other."""
    room.shows(royal=1_000_000)
    pages = []

    def grow_old(route: Route) -> None:
        answer = route.fetch()
        pages.append(answer.text())
        old = pages[-1].replace(f'data-release="{VERSION}"', 'data-release="0.0.9"')
        route.fulfill(response=answer, body=old if len(pages) == 1 else pages[-1])

    screen.route(f"**/display/{KEY}/", grow_old)
    open_display(screen, console_url)
    assert VERSION in pages[0]
    expect(screen.locator(f"html[data-release='{VERSION}']")).to_be_attached(timeout=30_000)
    room.shows(royal=1_000_050)
    expect(screen.locator(".figure")).to_have_text("10,000.50")
    assert len(pages) == 2


def test_a_value_counts_up_and_is_never_above_the_true_one(
    screen: Page, console_url: str, room: Room
) -> None:
    room.shows(royal=1_000_000)
    stop_the_clock(screen)
    open_display(screen, console_url)
    expect(screen.locator(".figure")).to_have_text("10,000.00")
    screen.evaluate(REMEMBER)
    room.shows(royal=1_000_050)

    def has_counted() -> bool:
        screen.clock.run_for(100)  # with all of its frames, however slow the machine is
        return screen.locator(".figure").text_content() == "10,000.50"

    wait_until(has_counted, what="the true value")
    cents = [int(figure.replace(",", "").replace(".", "")) for figure in screen.evaluate("figures")]
    assert cents == sorted(cents)
    assert max(cents) == 1_000_050
    assert len(set(cents)) > 5  # it counted, rather than jumped


def test_a_screen_is_never_behind_by_more_than_it_counts(
    screen: Page, console_url: str, room: Room
) -> None:
    room.shows(royal=1_000_000)
    open_display(screen, console_url)
    for before, current, newest in screen.evaluate(BUSY):
        assert before <= current <= newest


def test_a_lower_value_is_shown_at_once(screen: Page, console_url: str, room: Room) -> None:
    room.shows(royal=1_000_000)
    open_display(screen, console_url)
    screen.evaluate(REMEMBER)
    room.shows(royal=100_000)
    expect(screen.locator(".figure")).to_have_text("1,000.00")
    assert set(screen.evaluate("figures")) <= {"10,000.00", "1,000.00"}


def test_who_wants_no_motion_sees_the_value_at_once(
    screen: Page, console_url: str, room: Room
) -> None:
    screen.emulate_media(reduced_motion="reduce")
    room.shows(royal=1_000_000)
    open_display(screen, console_url)
    screen.evaluate(REMEMBER)
    room.shows(royal=1_000_050)
    expect(screen.locator(".figure")).to_have_text("10,000.50")
    assert set(screen.evaluate("figures")) <= {"10,000.00", "10,000.50"}


def test_a_reported_hand_is_announced_and_marked_at_its_own_table(
    screen: Page, console_url: str, room: Room
) -> None:
    room.shows(royal=1_000_000)
    open_display(screen, console_url)
    room.shows(reported("7", 1), reported("3", 2), royal=100_000)
    messages = screen.locator(".message")
    expect(messages.nth(0)).to_have_text("JACKPOT REPORTED, TABLE 3, AWAITING CONFIRMATION")
    expect(messages.nth(0)).to_have_class("message reported here")
    expect(messages.nth(1)).to_have_class("message reported")
    room.shows(royal=100_000)
    expect(messages).to_have_count(0)


def test_new_tiers_appear(screen: Page, console_url: str, room: Room) -> None:
    room.shows(royal=1_000_000)
    open_display(screen, console_url)
    room.shows(royal=1_000_000, straight=5_000)
    expect(screen.locator(".name")).to_have_text(["Royal Flush", "Straight Flush"])
    expect(screen.locator(".figure")).to_have_text(["10,000.00", "50.00"])


def test_after_15_seconds_of_silence_the_values_are_not_current(
    screen: Page, console_url: str, room: Room
) -> None:
    room.shows(royal=1_000_000)
    stop_the_clock(screen)
    # A line that is open and says nothing: the worst kind.
    screen.route("**/stream", lambda _: None)
    open_display(screen, console_url)
    # The message was so old when the page was made; that counts as silence.
    age_ms = round(1000 * float(screen.locator("body").get_attribute("data-age") or 0))
    screen.clock.run_for(14_000 - age_ms)
    expect(screen.locator("#stale")).to_be_hidden()
    screen.clock.run_for(3_000)
    expect(screen.locator("#stale")).to_be_visible()
    expect(screen.locator("#stale")).to_contain_text("VALUES DELAYED")
    expect(screen.locator("#last-update")).to_have_text(
        re.compile(r"Last update \d+ seconds ago\.")
    )
    expect(screen.locator("#no-data")).to_be_hidden()


@pytest.mark.usefixtures("room")
def test_a_display_that_never_had_a_value_says_so(screen: Page, console_url: str) -> None:
    stop_the_clock(screen)
    screen.route("**/stream", lambda _: None)
    open_display(screen, console_url)
    screen.clock.run_for(16_000)
    expect(screen.locator("#no-data")).to_have_text("No data yet.")
    expect(screen.locator("#last-update")).to_be_hidden()


SCREENS = ((1920, 1080), (1280, 720), (768, 1024), (1080, 1920))
NAMES = ("royal", "straight", "quads", "full", "beat", "mini", "hourly", "nano")
CUT_OFF = """() => [...document.querySelectorAll(".tier")].filter((tier) => {
  const box = tier.getBoundingClientRect();
  return [...tier.querySelectorAll(".name span, .figure, .code")].some((part) => {
    const inner = part.getBoundingClientRect();
    return inner.height < 10 || inner.left < box.left || inner.right > box.right ||
      inner.top < box.top - 1 || inner.bottom > box.bottom + 1;
  });
}).map((tier) => tier.textContent)"""


def test_values_come_back_when_there_is_room_again(
    screen: Page, console_url: str, room: Room
) -> None:
    """Many messages leave them no room until the script has put these in order."""
    many = (reported(str(number), number) for number in range(1, 17))
    room.shows(*many, royal=1_000_000, straight=5_000)
    screen.set_viewport_size({"width": 768, "height": 1024})
    open_display(screen, console_url)
    expect(screen.locator(".figure")).to_have_count(2)
    wait_until(lambda: screen.evaluate(CUT_OFF) == [], what="every figure to be seen")


@pytest.mark.parametrize("tiers", [1, 3, 5, 8])
def test_nothing_is_cut_off(screen: Page, console_url: str, room: Room, tiers: int) -> None:
    values = {name: 12_500_373_700 // 7**place for place, name in enumerate(NAMES[:tiers])}
    room.shows(reported("3"), **values)
    open_display(screen, console_url)
    expect(screen.locator(".tier")).to_have_count(tiers)
    for width, height in SCREENS:
        screen.set_viewport_size({"width": width, "height": height})
        wait_until(lambda: screen.evaluate(CUT_OFF) == [], what="every figure to fit")
        assert screen.evaluate("document.documentElement.scrollWidth") <= width
