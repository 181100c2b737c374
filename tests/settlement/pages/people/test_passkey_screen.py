"""A passkey in Chromium: added, confirms a claim, and opens the next log-in."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from settlement.models import Action, SecondFactor, SecurityEvent
from settlement.people.passwords import SealedArgon2PasswordHasher
from tests.support.pages.browser.virtual_passkey import gives_name_and_password, plug_in
from tests.support.pages.page_staff import verify
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.browser


@pytest.fixture
def house(console_url: str) -> ClaimHouse:
    """A verified claim; Mere has a password as the console's own process checks it."""
    house = ClaimHouse()
    house.hit_royal()
    verify(house)
    hasher = SealedArgon2PasswordHasher()
    password = hasher.encode(PASSWORD, hasher.salt())
    User.objects.filter(username="mere").update(password=password)
    return house


@pytest.mark.usefixtures("no_writer")
def test_a_passkey_is_added_and_stands_in_for_the_password(
    screen: Page, console_url: str, house: ClaimHouse
) -> None:
    here = console_url.replace("127.0.0.1", "localhost")  # an address of digits has no passkeys
    plug_in(screen)
    gives_name_and_password(screen, here)
    screen.goto(f"{here}/account/passkey/")
    screen.get_by_label("Name of the device").fill("Tablet")
    screen.get_by_label("Confirm with your password").fill(PASSWORD)
    screen.get_by_role("button", name="Create passkey").click()
    expect(screen.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert SecondFactor.objects.get().name == "Tablet"

    screen.goto(f"{here}/claims/main/1/")
    screen.get_by_role("button", name="Use your passkey").first.click()
    wait_until(lambda: Action.objects.filter(kind="confirm").exists(), what="the confirmation")
    house.post()

    screen.goto(f"{here}/account/")
    expect(screen.get_by_text("10 codes are left")).to_be_visible()
    screen.get_by_label("Theme").select_option("light")
    screen.get_by_label("Size of text").select_option("large")
    screen.get_by_role("button", name="Save", exact=True).click()
    expect(screen.locator("html")).to_have_attribute("data-theme", "light")
    expect(screen.locator("html")).to_have_css("font-size", "18px")
    screen.locator("details.user summary").click()
    screen.get_by_role("button", name="Log out").click()
    gives_name_and_password(screen, here)
    screen.get_by_role("button", name="Use your passkey").click()
    expect(screen.get_by_role("heading", name="Overview")).to_be_visible()
    expect(screen.locator("html")).to_have_attribute("data-text-size", "large")
    events = SecurityEvent.objects.filter(username="mere").order_by("id")
    assert list(events.values_list("what", flat=True))[-4:] == [
        *("logged_in", "factor_added", "recovery_codes_made", "logged_in")
    ]
