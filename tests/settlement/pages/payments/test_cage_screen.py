"""Six payees at the cage: on a tablet in a few taps, and by the keyboard alone."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Locator, Page, expect

from settlement.claims import services as claims
from settlement.evidence.identification import PlayerIdentity, identify
from settlement.models import Action, Identification
from settlement.people.passwords import SealedArgon2PasswordHasher
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.claims.payees import SixPayees
from tests.support.cases.confirmed_house import person
from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.people.cast import PASSWORD
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.browser
CAGE = "/claims/main/1/cage/"


@pytest.fixture
def house(console_url: str) -> SixPayees:
    """Aroha has a password as the console's own process checks it."""
    payees = SixPayees().confirmed()
    hasher = SealedArgon2PasswordHasher()
    password = hasher.encode(PASSWORD, hasher.salt())
    User.objects.filter(username="aroha").update(password=password)
    return payees


def queued(house: SixPayees, many: int) -> None:
    actions = Action.objects.filter(kind="pay")
    wait_until(lambda: actions.count() == many, what="the payments to be recorded")
    house.post()


@pytest.mark.parametrize("width", [390, 768])
def test_six_payees_on_a_tablet(
    screen: Page, console_url: str, house: SixPayees, width: int
) -> None:
    screen.set_viewport_size({"width": width, "height": 1024})
    opened(screen, console_url, "aroha")
    screen.get_by_role("link", name="Pay 6 payees").click()  # the first tap
    screen.wait_for_load_state()  # with its styles
    assert fits(screen)
    expect(screen.locator(".payees tbody")).to_have_count(6)
    chips = screen.locator(".payees .input.number").first
    chips.fill("625,047.00")  # is read as a whole
    assert chips.evaluate("(input) => input.scrollWidth - input.clientWidth") <= 0
    chips.fill("")
    assert fits(screen)
    screen.get_by_role("button", name="Everything in cash", exact=True).click()
    expect(screen.locator("[data-total]")).to_have_text("1,001.00 of 1,001.00")
    bar = screen.locator(".cage-bar")
    expect(bar).to_be_in_viewport(ratio=1)
    screen.get_by_label("Confirm with your password").click()
    screen.keyboard.type(PASSWORD)
    screen.get_by_role("button", name="Record all payments").click()
    queued(house, 6)
    assert house.hit(1).state == "paid"
    screen.goto(f"{console_url}{CAGE}")
    expect(screen.get_by_role("button", name="Print the slip")).to_have_count(6)
    expect(bar).to_have_count(0)
    assert fits(screen)


MILLIONS = """(cells) => cells.forEach((cell) => {
    cell.innerHTML = cell.innerHTML.replace(/[0-9,]+\\.[0-9]{2}/g, "1,125,127.00");
})"""


def test_a_part_of_millions_leaves_room_for_all_columns(
    screen: Page, console_url: str, house: SixPayees
) -> None:
    line = house.hit(1).payees[0]["line"]
    claims.pay(house.claim, Reauthenticated(person("aroha")), line, {"cash": 10**6})
    house.post()
    screen.set_viewport_size({"width": 768, "height": 1024})
    opened(screen, console_url, "aroha", CAGE)
    expect(screen.get_by_text("Part paid")).to_be_visible()
    table = screen.locator(".payees")
    table.locator("td.number:not(:has(input))").evaluate_all(MILLIONS)
    expect(table).to_contain_text("1,125,127.00")
    assert table.evaluate("(table) => table.offsetWidth - table.parentElement.clientWidth") <= 0


def test_on_a_telephone_a_payee_is_a_line_until_it_is_unfolded(
    browser: Browser, console_url: str, house: SixPayees
) -> None:
    """What is typed there is said on its line, and stays unfolded after a form was refused."""
    screen = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    screen.set_default_timeout(60_000)
    name = "Maximiliana Featherstone-Haugh de la Cruz y Montenegro"
    born = dt.date(1980, 1, 1)
    who = PlayerIdentity(4, name, born, "passport", "N")
    identify(house.claim, person("sione"), who)
    opened(screen, console_url, "aroha", CAGE)
    screen.get_by_role("button", name="Show identification").click()
    expect(screen.get_by_text("Maximiliana Featherstone-Haugh")).to_be_visible()
    length = "document.documentElement.scrollHeight / window.innerHeight"
    assert screen.evaluate(length) <= 2
    assert fits(screen)
    payees = screen.locator(".payees > tbody")
    expect(screen.locator(".payees .input.number:visible")).to_have_count(3)
    expect(amount(screen, "Cash, seat 2")).to_be_visible()  # the first one
    boxes = [
        amount(screen, f"{way}, seat 2").bounding_box() for way in ("Chips", "Cash equivalent")
    ]
    edges = [(box["x"], box["width"]) for box in boxes if box]
    assert edges[0] == edges[1], "fields below one another line up"
    screen.get_by_role("button", name="Everything in cash", exact=True).click()
    lines = [payees.nth(place).bounding_box() for place in range(1, 6)]
    heights = [line["height"] for line in lines if line]
    assert heights[0] < 160, "a long name takes four lines"
    assert max(heights[1:]) < 90, heights
    expect(payees.nth(5)).to_contain_text("Total matches")
    fold = payees.nth(5).locator(".payee-fold > summary")
    fold.focus()
    screen.keyboard.press("Enter")
    expect(amount(screen, "Cash, seat 6")).to_be_visible()
    amount(screen, "Cash, seat 6").fill("9999")
    fold.click()
    expect(amount(screen, "Cash, seat 6")).to_be_hidden()
    screen.get_by_label("Confirm with your password").fill(PASSWORD)
    screen.get_by_role("button", name="Record all payments").click()
    expect(screen.get_by_text("Enter no more than the balance due.")).to_be_visible()
    expect(amount(screen, "Cash, seat 6")).to_have_value("9999")
    expect(amount(screen, "Cash, seat 6")).to_be_visible()
    queued(house, 5)
    screen.context.close()


def test_the_place_is_kept_and_paper_shows_every_form(
    screen: Page, console_url: str, house: SixPayees
) -> None:
    screen.set_viewport_size({"width": 390, "height": 844})
    opened(screen, console_url, "aroha", CAGE)
    last = screen.locator(".payees > tbody").nth(5)
    last.locator(".payee-fold > summary").click()
    last.get_by_text("Identify the player of seat 6").click()
    for label, text in (("Name, as", "Ana Ruiz"), ("Number of", "N-1")):
        last.get_by_label(label).fill(text)
    last.get_by_label("Date of birth").fill("1980-01-01")
    screen.get_by_role("button", name="Save players").click()
    expect(screen.get_by_text("Identified by")).to_be_visible()
    expect(amount(screen, "Cash, seat 6")).to_be_visible()
    expect(amount(screen, "Cash, seat 4")).to_be_hidden()
    screen.emulate_media(media="print")
    expect(screen.locator(".payees .input.number:visible")).to_have_count(18)


def amount(screen: Page, name: str) -> Locator:
    return screen.get_by_role("textbox", name=name, exact=True)


def test_six_payees_by_the_keyboard(browser: Browser, console_url: str, house: SixPayees) -> None:
    """One is identified, one has chips and cash; an error stands at its line, and loses nothing."""
    screen = browser.new_context(viewport={"width": 768, "height": 1024}).new_page()
    screen.set_default_timeout(60_000)
    opened(screen, console_url, "aroha", CAGE)
    keys = screen.keyboard
    screen.get_by_text("Identify the player of seat 2").focus()
    keys.press("Enter")
    for label, text in (("Name, as", "Ana Ruiz"), ("Number of", "N-1")):
        screen.get_by_label(label).first.focus()
        keys.type(text)
    screen.get_by_label("Date of birth").first.fill("1980-01-01")
    amount(screen, "Chips, seat 2").focus()
    keys.type("500")
    keys.press("Tab")
    keys.type("=")  # the balance
    expect(amount(screen, "Cash, seat 2")).to_have_value("1.00")
    for seat in (4, 1, 3, 5):
        amount(screen, f"Cash, seat {seat}").focus()
        keys.type("=")
    amount(screen, "Cash, seat 6").focus()
    keys.type("9999")
    expect(screen.locator("[data-sum]").last).to_contain_text("too much")
    screen.get_by_label("Confirm with your password").focus()
    keys.type(PASSWORD)
    keys.press("Enter")
    wait_until(lambda: Action.objects.filter(kind="pay").count() == 5, what="five to be paid")
    expect(screen.get_by_text("Enter no more than the balance due.")).to_be_visible()
    expect(amount(screen, "Cash, seat 6")).to_have_value("9999")
    assert Identification.objects.get().seat == 2
    house.post()
    amount(screen, "Cash, seat 6").fill("")
    keys.type("=")
    screen.get_by_label("Confirm with your password").focus()
    keys.type(PASSWORD)
    keys.press("Enter")
    queued(house, 6)
    assert house.hit(1).state == "paid"
    assert house.hit(1).payees[0]["parts"]["chips"] == 500 * 10**6
    screen.context.close()
