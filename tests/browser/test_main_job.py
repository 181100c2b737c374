"""The main job, seen on screens: from the button to a paid, displayed and reported jackpot."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from settlement.models import Payout
from settlement.tasks import open_claims
from tests.support.pages.browser.browsers import OpenScreen
from tests.support.pages.browser.claim_screens import by_password, confirm, pay, verify
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

PASSWORD = "tablet-counter-seven"
BOARD = ["Qs", "Js", "Ts", "2d", "3c"]
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

    office.goto(console_url)
    verify(office)
    log_out(office)

    manager = open_screen("manager", 1024, 768)
    log_in(manager, console_url, "david")
    confirm(manager, by_password(PASSWORD))
    expect(wall.get_by_text("ROYAL FLUSH WIN, TABLE 3: NZD 1,002.00")).to_be_visible()

    cashier = open_screen("cashier", 1024, 768)
    log_in(cashier, console_url, "lucia")
    pay(cashier, by_password(PASSWORD))
    cashier.goto(f"{console_url}/payouts/")
    row = cashier.get_by_role("row").filter(has_text="1,002.00").first
    expect(row).to_contain_text("Table 3")

    payout = Payout.objects.get()
    assert (payout.amount, payout.chips, payout.cash) == (money(1002), money(502), money(500))
    assert payout.cashier == "lucia"
    room.balanced()
