"""Lists and the open claim follow what happens, without anybody's touch."""

import datetime as dt

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from settlement.claims import services as claims
from settlement.tasks import open_claims
from tables.alarms import raise_alarm
from tests.support.pages.browser.workbench_screen import opened
from tests.support.people.cast import ALL_YES, ClaimHouse, EarlyHouse, action

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEARD = """() => {
    window.heard = 0;
    document.addEventListener("console:sound", () => window.heard++);
}"""
OPEN = ".badge[data-open-claims] >> nth=0"


def settled(screen: Page) -> None:
    """The page shows how things stand, so what comes now is news."""
    screen.wait_for_function("() => document.body.dataset.activity")
    screen.evaluate(HEARD)


def test_a_new_claim_appears_in_lists_and_badges_with_a_sound(
    screen: Page, console_url: str
) -> None:
    house = ClaimHouse()
    for address in ("/", "/claims/"):
        opened(screen, console_url, "sione", address)
        settled(screen)
        before = house.system.hits.count()
        house.hit_royal("t3" if before == 0 else "t7")
        row = screen.locator(f'[data-claim="MAIN-{before + 1}"]')
        expect(row).to_be_visible(timeout=30_000)
        expect(row).to_have_class(r"call is-new" if address == "/" else "is-new")
        expect(screen.locator(OPEN)).to_contain_text(str(before + 1))
        screen.wait_for_function("() => window.heard === 1")


@pytest.mark.parametrize("listens", [False, True], ids=["alone", "beside another page"])
def test_what_happens_before_a_page_listens_is_shown(
    screen: Page, console_url: str, listens: bool
) -> None:
    """Between the page's making and the begin of its stream: it waited there for the next news."""
    house = ClaimHouse()
    if listens:
        opened(screen, console_url, "sione", "/claims/")
        settled(screen)
    page = screen.context.new_page() if listens else screen
    held: list[Route] = []
    page.route("**/live/stream", lambda route: held.append(route))
    with page.expect_request("**/live/stream"):
        opened(page, console_url, "sione", "/")
    raise_alarm("gap", "t1", "Alarm of the test", house.system)
    while not held:
        page.evaluate("() => true")  # Playwright hands it over meanwhile
    held[0].continue_()
    expect(page.locator("#live-alarms .alarm-list li")).to_have_count(1)


def test_the_page_stays_when_no_claim_is_open_any_more(screen: Page, console_url: str) -> None:
    """The badges go, and nothing else: the whole page was gone with them."""
    house = ClaimHouse()
    house.hit_royal("t3")
    claims.catch_up(house.system)
    opened(screen, console_url, "sione", "/")
    settled(screen)
    expect(screen.locator(OPEN)).to_contain_text("1")
    with screen.expect_response("**/live/claims") as counted:
        rejected = house.decide("reject_claim", hit=1, reason="R04", evidence="c", affected=True)
        assert not rejected.refused
    counted.value.finished()
    expect(screen.locator(OPEN)).to_be_hidden()
    expect(screen.get_by_role("heading", name="Overview")).to_be_visible()


def test_the_sound_is_turned_off_on_this_device(screen: Page, console_url: str) -> None:
    house = ClaimHouse()
    opened(screen, console_url, "sione", "/")
    settled(screen)
    screen.locator("details.user summary").click()
    button = screen.get_by_role("button", name="Sound for new claims")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    screen.reload()
    settled(screen)
    house.hit_royal("t3")
    expect(screen.locator('[data-claim="MAIN-1"]')).to_be_visible(timeout=30_000)
    assert screen.evaluate("() => window.heard") == 0


def test_states_change_and_what_is_typed_stays(screen: Page, console_url: str) -> None:
    house = ClaimHouse()
    house.hit_royal("t3")
    claims.catch_up(house.system)
    opened(screen, console_url, "david", "/claims/main/1/")
    settled(screen)
    expect(screen.locator("#live-amount .pill").first).to_have_text("Reported")
    screen.evaluate(
        "() => document.querySelectorAll('details').forEach((each) => each.open = true)"
    )
    note = screen.locator("main textarea:visible, main input[type=text]:visible").first
    note.fill("Seen on camera 4")
    verified = action("sione", "verify", answers=ALL_YES)
    assert verified.status_code == 200, verified.json()
    expect(screen.locator("#live-amount .pill").first).to_have_text("Verified", timeout=30_000)
    expect(note).to_have_value("Seen on camera 4")
    expect(screen.get_by_text("This claim has changed")).to_be_visible(timeout=30_000)


def test_a_page_that_waits_leaves_an_open_menu_open(screen: Page, console_url: str) -> None:
    house = EarlyHouse()
    house.hit_royal("t3")
    screen.set_viewport_size({"width": 768, "height": 1024})
    opened(screen, console_url, "david", "/claims/main/1/")
    settled(screen)
    screen.get_by_role("button", name="Open the menu").click()
    section = screen.get_by_role("navigation", name="Console").get_by_role("link", name="Terms")
    expect(section).to_be_visible()
    with screen.expect_response(lambda answer: "x-console-refresh" in answer.request.headers):
        open_claims(house.system.pk)
    screen.wait_for_load_state("networkidle")
    expect(section).to_be_visible()
    screen.get_by_role("button", name="Close the menu").click()
    expect(screen.locator("#live-amount .pill").first).to_have_text("Reported", timeout=30_000)


def test_a_page_that_waits_for_its_claim_gives_way_to_it(screen: Page, console_url: str) -> None:
    house = EarlyHouse()
    house.hit_royal("t3")
    opened(screen, console_url, "david", "/claims/main/1/")
    expect(screen.get_by_text("its claim opens in a moment")).to_be_visible()
    open_claims(house.system.pk)
    expect(screen.locator("#live-amount .pill").first).to_have_text("Reported", timeout=30_000)


# Each read of the list is answered at once, so that only the page's own clock decides.
ANSWER = """() => {
    const html = document.documentElement.outerHTML;
    const counts = { open_claims: 0, unread: 0, claims_ever: 0 };
    window.asked = [];
    window.counts = 0;
    window.fetch = async (address, { headers } = {}) => {
        headers ? window.asked.push(new URL(address, location.href).pathname) : window.counts++;
        return { ok: true, redirected: false, text: async () => html, json: async () => counts };
    };
}"""
# The parts of a text of `settlement.core.activity`.
LISTS, ALARMS, NOTIFICATIONS = range(3)
NEWS = """(part) => {
    const before = (document.body.dataset.activity || "..").split(".");
    before[part] = String(Math.random()).slice(2);
    document.dispatchEvent(new CustomEvent("console:activity", { detail: before.join(".") }));
}"""


def asked_after_news(screen: Page, part: int = LISTS, ms: int = 5_000) -> list[str]:
    """Where the page that is open reads itself again when something happened, twice."""
    screen.clock.install()
    screen.clock.pause_at(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=5))
    screen.evaluate(ANSWER)
    screen.evaluate(NEWS, part)
    screen.evaluate(NEWS, part)
    screen.clock.run_for(ms)
    addresses: list[str] = screen.evaluate("() => window.asked")
    return addresses


@pytest.mark.parametrize(("path", "reads"), [("/claims/", True), ("/help/", False)])
def test_only_a_page_with_parts_that_live_reads_itself_again(
    screen: Page, console_url: str, path: str, reads: bool
) -> None:
    ClaimHouse()
    opened(screen, console_url, "sione", path)
    settled(screen)
    assert bool(asked_after_news(screen)) == reads


@pytest.mark.parametrize(("path", "addresses"), [("/", ["/live/alarms", "/"]), ("/claims/", [])])
def test_an_alarm_is_shown_at_once_and_what_it_may_be_about_within_ten_seconds(
    screen: Page, console_url: str, path: str, addresses: list[str]
) -> None:
    ClaimHouse()
    opened(screen, console_url, "sione", path)
    settled(screen)
    assert asked_after_news(screen, ALARMS, 2_900) == addresses[:1]
    screen.clock.run_for(7_300)
    assert screen.evaluate("() => window.asked") == addresses
    assert screen.evaluate("() => window.counts") == 0  # no badge counts alarms


def test_what_people_are_notified_of_is_counted(screen: Page, console_url: str) -> None:
    ClaimHouse()
    opened(screen, console_url, "sione", "/claims/")
    settled(screen)
    assert asked_after_news(screen, NOTIFICATIONS) == []
    assert screen.evaluate("() => window.counts") == 2


def test_alarms_come_one_by_one_and_what_is_typed_in_one_stays(
    screen: Page, console_url: str
) -> None:
    house = ClaimHouse()
    opened(screen, console_url, "david", "/")
    settled(screen)
    alarms = screen.locator("#live-alarms .alarm-list li")
    for number in range(1, 4):
        with screen.expect_response("**/live/alarms") as answer:
            raise_alarm("gap", f"t{number}", f"Alarm {number} of the test", house.system)
        assert answer.value.status == 200
        expect(alarms).to_have_count(number)
        expect(alarms.first).to_contain_text(f"Alarm {number} of the test")
    alarms.first.locator("summary").click()
    note = alarms.first.get_by_label("Action taken")
    note.fill("Unit set anew")
    with screen.expect_response("**/live/alarms"):
        raise_alarm("gap", "t4", "Alarm 4 of the test", house.system)
    expect(note).to_have_value("Unit set anew")
    expect(alarms).to_have_count(3)  # until the note is sent; four share a line
    note.press("Enter")
    expect(screen.get_by_role("cell", name="Unit set anew")).to_be_visible()


def test_a_page_that_found_the_console_busy_comes_again(screen: Page, console_url: str) -> None:
    ClaimHouse()
    opened(screen, console_url, "sione", "/claims/")
    settled(screen)
    screen.clock.install()
    screen.clock.pause_at(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=5))
    screen.evaluate(ANSWER)
    screen.evaluate("""() => {
        const good = window.fetch;
        let left = 4;
        window.fetch = async (...all) => {
            const answer = await good(...all);
            return left-- > 0 ? { ok: false, status: 503 } : answer;
        };
    }""")
    screen.evaluate(NEWS, LISTS)
    screen.clock.run_for(20_000)
    addresses, counts = screen.evaluate("() => [window.asked, window.counts]")
    assert set(addresses) == {"/claims/"}
    assert (len(addresses) + counts, len(addresses) > 1, counts > 1) == (6, True, True)


def test_a_page_that_answers_a_form_is_not_read_again(browser: Browser, console_url: str) -> None:
    """It may stand at an address that takes forms alone."""
    context = browser.new_context()
    screen = context.new_page()  # to which the 422 of the form is no fault
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    opened(screen, console_url, "sione", "/claims/main/1/")
    note = screen.locator("form[action$='/notes/']")
    with screen.expect_response(lambda answer: answer.request.method == "POST"):
        note.evaluate("each => each.submit()")  # without a word
    expect(screen.locator("body[data-answer]")).to_be_attached()
    assert screen.locator("body [data-live]").count()
    assert asked_after_news(screen) == []
    context.close()


def test_news_are_read_at_once_and_what_goes_on_and_on_once_a_second(
    screen: Page, console_url: str
) -> None:
    ClaimHouse()
    opened(screen, console_url, "sione", "/claims/")
    settled(screen)
    screen.clock.install()
    screen.clock.pause_at(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=5))
    screen.evaluate(ANSWER)

    def reads_after(ms: int) -> int:
        """How often it has read the list, so long after something happened."""
        screen.evaluate(NEWS, LISTS)
        screen.clock.run_for(ms)
        reads: int = screen.evaluate("() => window.asked.length")
        return reads

    screen.clock.run_for(5_000)  # behind what it read when it was opened
    assert reads_after(250) == 1
    assert reads_after(250) == 2  # the claim that opens behind its hand
    assert reads_after(250) == 3  # and an alarm beside them
    assert reads_after(200) == 3
    assert reads_after(650) == 4  # nothing is missed, and it waits a second at most
    often = [reads_after(100) for _ in range(100)]  # ten seconds
    assert 8 <= often[-1] - 4 <= 11
