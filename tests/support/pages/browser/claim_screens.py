"""A claim on screens, from the overview to the payment, as its people press it."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from playwright.sync_api import Page, expect

from settlement.evidence.checklist import ITEMS
from tests.support.pages.browser.acting import (
    focus,
    is_by_keyboard,
    is_by_touch,
    press,
    write,
    write_all,
)

# Above 500.00, as terms usually post it.
POSTED_EVIDENCE = {"surveillance", "deck_counted", "identity"}
Again = Callable[[Page, str | re.Pattern[str]], None]  # proves who presses, and presses the button


def by_password(password: str) -> Again:
    """The person types it once more."""

    def prove(screen: Page, button: str | re.Pattern[str]) -> None:
        write(screen.get_by_label("Confirm with your password"), password)
        press(screen.get_by_role("button", name=button))

    return prove


def by_passkey(screen: Page, _button: str | re.Pattern[str] = "") -> None:
    """The device stands in for the password, and sends the form."""
    press(screen.get_by_role("button", name="Use your passkey").first)


REMAINING = {"s": "8", "h": "13", "d": "12", "c": "12"}  # behind a royal flush in spades


def verify(
    screen: Page,
    prize: str = "Royal Flush",
    remaining: Mapping[str, str] = MappingProxyType(REMAINING),
) -> None:
    """From the overview, on which the person is, to the claim; what is asked for; the checklist by
    the keyboard."""
    press(screen.get_by_role("link", name="Verify"))
    expect(screen.get_by_role("heading", name=re.compile(f"Claim .*-1: {prize}"))).to_be_visible()
    expect(screen.locator(".card-face.counts")).to_have_count(5)
    review(screen)
    identify(screen)
    if is_by_touch(screen):
        answer_by_touch(screen, remaining)
    else:
        answer_by_keys(screen, remaining)
    press(screen.get_by_role("button", name="Save and verify this claim"))
    expect(screen.get_by_text("Verified. The claim now waits for somebody else")).to_be_visible()


POINTS = [each.code for each in ITEMS if not each.is_thing or each.code in POSTED_EVIDENCE]


def answer_by_touch(screen: Page, remaining: Mapping[str, str]) -> None:
    """Yes to everything that is asked for, and what remains in the deck by suit."""
    for code in POINTS:
        press(screen.locator(f"label[for={code}-yes]"))
    for suit, number in remaining.items():
        write(screen.locator(f"#deck_counted-{suit}"), number)


def answer_by_keys(screen: Page, remaining: Mapping[str, str]) -> None:
    """The same: Y answers, and goes on to the next."""
    focus(screen.locator("#frozen-yes"))
    for code in POINTS:
        expect(screen.locator(f"input[name={code}]:focus")).to_be_visible()
        screen.keyboard.press("y")
        if code == "deck_counted":
            for suit, number in remaining.items():
                expect(screen.locator(f"#deck_counted-{suit}")).to_be_focused()
                screen.keyboard.type(number)
                screen.keyboard.press("Enter")


def review(screen: Page) -> None:
    """What surveillance said on the telephone."""
    press(screen.get_by_role("heading", name="Evidence"))
    press(screen.get_by_text("Add a review of footage"))
    fields = [
        ("Reviewed by", "Sven"),
        ("Reference of the footage", "V-1"),
        ("Camera", "12"),
        ("What it shows", "Dealt and tabled in turn"),
    ]
    write_all(screen, fields)
    press(screen.get_by_role("button", name="Save review"))
    expect(screen.get_by_text("Sven: V-1")).to_be_visible()


def identify(screen: Page) -> None:
    """From the point of the checklist to the page of players, and back."""
    press(screen.get_by_role("link", name="Identify the player", exact=True))
    fields = [
        ("Seat", "3"),
        ("Name, as on the document", "Ana Ruiz"),
        ("Date of birth", "1980-01-01"),
        ("Number of the document", "N-1"),
    ]
    write_all(screen, fields)
    press(screen.get_by_role("button", name=re.compile("Keep|Record|Save")))
    press(screen.get_by_role("link", name="Back to the claim"))
    expect(screen.get_by_text("Identified: seat 3")).to_be_visible()


def confirm(screen: Page, again: Again, amount: str = "1,002.00") -> None:
    """The amount, and who presses once more."""
    press(screen.get_by_role("link", name="Confirm"))
    expect(screen.get_by_label("What to do")).to_contain_text(f"NZD {amount}")
    again(screen, re.compile(f"Confirm {amount}"))
    expect(
        screen.get_by_text("Confirmed. The displays show it, and the cage can pay.")
    ).to_be_visible()


def pay(screen: Page, again: Again, cash: str = "500", rest: str = "502.00") -> None:
    """So much in cash and the rest in chips."""
    press(screen.get_by_role("link", name="Pay", exact=True))
    press(screen.get_by_role("link", name="Pay seat 3"))
    write(screen.get_by_role("textbox", name="Cash, seat 3", exact=True), cash)
    balance = screen.get_by_role("status").filter(has_text=re.compile("Remaining|matches"))
    expect(balance).to_have_text(f"Remaining: {rest}")
    if is_by_keyboard(screen):
        focus(screen.get_by_role("textbox", name="Chips, seat 3", exact=True))
        screen.keyboard.press("=")
    else:
        press(screen.get_by_role("button", name="The rest in chips, seat 3"))
    expect(balance).to_have_text("Total matches")
    again(screen, "Record the payment")
    expect(screen.get_by_text("Paid: one payee.")).to_be_visible()
