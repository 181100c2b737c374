"""Lists and the open claim follow what happens, without anybody's touch."""

import pytest
from playwright.sync_api import Page, expect

from settlement.claims import services as claims
from settlement.tasks import open_claims
from tests.support.cast import ALL_YES, ClaimHouse, EarlyHouse, action
from tests.support.workbench_screen import opened

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEARD = """() => {
    window.heard = 0;
    document.addEventListener("console:sound", () => window.heard++);
}"""
OPEN = "[data-open-claims] >> nth=0"


def settled(screen: Page) -> None:
    """The page has heard how things stand, so what comes now is news."""
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


def test_a_page_that_waits_for_its_claim_gives_way_to_it(screen: Page, console_url: str) -> None:
    house = EarlyHouse()
    house.hit_royal("t3")
    opened(screen, console_url, "david", "/claims/main/1/")
    expect(screen.get_by_text("its claim opens in a moment")).to_be_visible()
    open_claims(house.system.pk)
    expect(screen.locator("#live-amount .pill").first).to_have_text("Reported", timeout=30_000)
