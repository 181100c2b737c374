"""The main job, seen on screens: from the button to a paid, displayed and reported jackpot."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from settlement.evidence.checklist import ITEMS
from settlement.models import Payout
from settlement.tasks import open_claims
from tests.browser.conftest import OpenScreen
from tests.support.books import royal_terms
from tests.support.cardroom import CardRoom, money

PASSWORD = "tablet-counter-seven"
BOARD = ["Qs", "Js", "Ts", "2d", "3c"]
POSTED_EVIDENCE = {
    "surveillance",
    "deck_counted",
    "identity",
}  # above 500.00, as terms usually post it
ROYAL = {"seat": 3, "hole": ["As", "Ks"]}

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def log_in(screen: Page, url: str, name: str) -> None:
    screen.goto(f"{url}/login/")
    screen.get_by_label("Name").fill(name)
    screen.get_by_label("Password").fill(PASSWORD)
    screen.get_by_role("button", name="Log in").click()
    expect(screen.get_by_role("heading", name="Overview")).to_be_visible()


def log_out(screen: Page) -> None:
    screen.locator("details.user summary").click()
    screen.get_by_role("button", name="Log out").click()
    expect(screen.get_by_role("heading", name="Log in")).to_be_visible()


@pytest.fixture
def room(open_room: Callable[..., CardRoom], displays_run: None) -> CardRoom:
    """A card room whose people have passwords."""
    room = open_room(royal_terms())
    for person in room.people.values():
        person.set_password(PASSWORD)
        person.save()
    return room


def test_from_the_button_to_a_paid_jackpot(
    room: CardRoom, console_url: str, open_screen: OpenScreen
) -> None:
    unit = room.unit(3)
    wall = open_screen("display", 1920, 1080)
    wall.goto(f"{console_url}/display/{room.tables[3].display_key}/")
    office = open_screen("supervisor")
    log_in(office, console_url, "mere")
    expect(office.get_by_text("No claim is open")).to_be_visible()

    # The pool grows on both screens while rounds are pressed; nobody reloads.
    room.play(unit, 3)
    expect(office.locator("[data-live-tier]")).to_have_text("1,001.50")
    expect(wall.locator(".figure")).to_have_text("1,001.50")

    # A hand is called, then reported: the display and the console say so at once.
    called = room.posted(unit, unit.call_hand([3], "royal"))
    expect(wall.get_by_text("JACKPOT REPORTED, TABLE 3, AWAITING CONFIRMATION")).to_be_visible()
    expect(office.locator("[data-update]")).to_contain_text("JACKPOT REPORTED, TABLE 3")
    room.posted(unit, unit.report_hand([BOARD], [ROYAL], called_seq=called.seq))
    open_claims(room.system.pk)  # the worker's task, at which the writer hints

    verify(office, console_url)
    log_out(office)

    manager = open_screen("manager", 1024, 768)
    log_in(manager, console_url, "david")
    confirm(manager)
    expect(wall.get_by_text("ROYAL FLUSH WIN, TABLE 3: NZD 1,002.00")).to_be_visible()

    cashier = open_screen("cashier", 1024, 768)
    log_in(cashier, console_url, "lucia")
    pay(cashier)
    cashier.goto(f"{console_url}/payouts/")
    row = cashier.get_by_role("row").filter(has_text="1,002.00").first
    expect(row).to_contain_text("Table 3")

    payout = Payout.objects.get()
    assert (payout.amount, payout.chips, payout.cash) == (money(1002), money(502), money(500))
    assert payout.cashier == "lucia"
    room.balanced()


def verify(screen: Page, url: str) -> None:
    """From the overview to the claim; what is asked for; the checklist by the keyboard."""
    screen.goto(url)
    screen.get_by_role("link", name="Verify").click()
    expect(
        screen.get_by_role("heading", name=re.compile("Claim MAIN-.*-1: Royal Flush"))
    ).to_be_visible()
    expect(screen.locator(".card-face.counts")).to_have_count(5)
    review(screen)
    identify(screen)
    remaining = {"s": "8", "h": "13", "d": "12", "c": "12"}
    screen.locator("#frozen-yes").focus()
    for item in ITEMS:
        if item.is_thing and item.code not in POSTED_EVIDENCE:
            continue
        expect(screen.locator(f"input[name={item.code}]:focus")).to_be_visible()
        screen.keyboard.press("y")
        if item.code == "deck_counted":
            for suit, number in remaining.items():
                expect(screen.locator(f"#deck_counted-{suit}")).to_be_focused()
                screen.keyboard.type(number)
                screen.keyboard.press("Enter")
    screen.get_by_role("button", name="Save and verify this claim").click()
    expect(screen.get_by_text("Verified. The claim now waits for somebody else")).to_be_visible()


def review(screen: Page) -> None:
    """What surveillance said on the telephone."""
    screen.get_by_role("heading", name="Evidence").click()
    screen.get_by_text("Add a review of footage").click()
    for label, text in (
        ("Reviewed by", "Sven"),
        ("Reference of the footage", "V-1"),
        ("Camera", "12"),
        ("What it shows", "Dealt and tabled in turn"),
    ):
        screen.get_by_label(label, exact=True).fill(text)
    screen.get_by_role("button", name="Save review").click()
    expect(screen.get_by_text("Sven: V-1")).to_be_visible()


def identify(screen: Page) -> None:
    """From the point of the checklist to the page of players, and back."""
    claim = screen.url.partition("#")[0]
    screen.get_by_role("link", name="Identify the player", exact=True).click()
    for label, text in (
        ("Seat", "3"),
        ("Name, as on the document", "Ana Ruiz"),
        ("Date of birth", "1980-01-01"),
        ("Number of the document", "N-1"),
    ):
        screen.get_by_label(label, exact=True).fill(text)
    screen.get_by_role("button", name=re.compile("Keep|Record|Save")).click()
    screen.goto(claim)
    expect(screen.get_by_text("Identified: seat 3")).to_be_visible()


def confirm(screen: Page) -> None:
    """The amount, and the password again."""
    screen.get_by_role("link", name="Confirm").click()
    expect(screen.get_by_label("What to do")).to_contain_text("NZD 1,002.00")
    screen.get_by_label("Confirm with your password").fill(PASSWORD)
    screen.get_by_role("button", name=re.compile("Confirm 1,002.00")).click()
    expect(
        screen.get_by_text("Confirmed. The displays say so, and the cage can pay.")
    ).to_be_visible()


def pay(screen: Page) -> None:
    """500.00 in cash and the rest in chips."""
    screen.get_by_role("link", name="Pay", exact=True).click()
    screen.get_by_role("link", name="Pay seat 3").click()
    screen.get_by_role("textbox", name="Cash, seat 3", exact=True).fill("500")
    expect(screen.get_by_text("Remaining: 502.00")).to_be_visible()
    screen.get_by_role("button", name="The rest in chips, seat 3").click()
    expect(screen.get_by_text("Total matches")).to_be_visible()
    screen.get_by_label("Confirm with your password").fill(PASSWORD)
    screen.get_by_role("button", name="Record the payment").click()
    expect(screen.get_by_text("Paid: one payee.")).to_be_visible()
