"""By pages alone, from an empty database to the first paid claim: by touch on a tablet of 768 px,
and by keyboard alone at a desk."""

import logging
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from jackpot.models import Terms
from settlement.models import JurisdictionChoice, Payout, SetUpChange
from settlement.people.rights.permissions import may
from settlement.rehearsals.practice_unit import hand_of
from settlement.set_up.first_run import make_code
from settlement.tasks import open_claims, reconcile_one
from tables.models import Casino, DisplayReading, GamingTable, JackpotSystem
from tables.unit.unit import TableUnit
from tests.support.pages.browser import acting
from tests.support.pages.browser.acting import choose, write
from tests.support.pages.browser.browsers import OpenScreen
from tests.support.pages.browser.claim_screens import by_passkey, confirm, pay, verify
from tests.support.pages.browser.move_in import MoveIn
from tests.support.pages.browser.workbench_screen import fits
from tests.support.people.cast import PASSWORD
from tests.support.people.set_up import user
from tests.support.suite.databases import url_of
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import money, posting
from tests.support.units.running_intake import RunningIntake
from tests.support.units.unit_settings import unit_settings
from verifier import verify as verify_books

pytestmark = pytest.mark.browser

log = logging.getLogger(__name__)

BOARD = ["Qs", "Js", "Ts", "2d", "3c"]
ROYAL = {"seat": 3, "hole": ["As", "Ks"]}


def fill(screen: Page, panel: str | None = None, /, **fields: str) -> None:
    """Type into fields by their names; of the form in that panel."""
    place: Any = screen if panel is None else screen.get_by_role("region", name=panel)
    for name, value in fields.items():
        field = place.locator(f"[name={name}]:not([type=hidden])").last
        if field.evaluate("each => each.tagName") == "SELECT":
            choose(field, value)
        else:
            write(field, value)


def press(screen: Page, name: str) -> None:
    acting.press(screen.get_by_role("button", name=name, exact=True))


def open_menu(screen: Page) -> Locator:
    """The sections; where the screen is narrow behind a button."""
    button = screen.get_by_role("button", name="Open the menu")
    menu = screen.get_by_role("navigation", name="Console")
    if button.is_visible():
        acting.press(button)
    expect(menu).to_be_visible()
    return menu


def by_menu(screen: Page, section: str, heading: str = "") -> None:
    """As people go: the menu, and what it names; a number may stand behind it."""
    link = open_menu(screen).get_by_role("link", name=re.compile(f"^{section}( |$)"))
    acting.press(link)
    expect(screen.get_by_role("heading", level=1, name=heading or section)).to_be_visible()


def follow(screen: Page, link: str) -> None:
    """A link of the page, by its words."""
    acting.press(screen.get_by_role("link", name=link, exact=True).first)


def to_casino(screen: Page) -> None:
    by_menu(screen, "Set-up")
    follow(screen, "Harbour Casino")
    expect(screen.get_by_role("heading", level=1, name="Harbour Casino")).to_be_visible()


def invite(screen: Page, name: str, role: str) -> str:
    """The link of an invitation, as it is shown once."""
    by_menu(screen, "People")
    fill(
        screen,
        "Invite somebody",
        username=name,
        last_name=name.title(),
        role=role,
        password=PASSWORD,
    )
    press(screen, "Invite")
    link = screen.locator("code.secret").inner_text()
    by_menu(screen, "People")
    expect(screen.locator("code.secret")).to_have_count(0)
    return link


def come(screen: Page, link: str) -> None:
    screen.goto(link)
    fill(screen, new=PASSWORD, again=PASSWORD)
    press(screen, "Save password")
    expect(screen.get_by_text("Welcome. Log in with your name")).to_be_visible()


def log_in(screen: Page, name: str, lands: str) -> None:
    """For the first time: nothing opens before the person has a passkey."""
    fill(screen, username=name, password=PASSWORD)
    press(screen, "Log in")
    acting.press(screen.get_by_role("link", name="passkey").first)
    expect(screen.get_by_role("heading", name="Add a passkey")).to_be_visible()
    assert fits(screen)
    fill(screen, name="Tablet", password=PASSWORD)
    press(screen, "Create passkey")
    expect(screen.get_by_role("heading", name="Recovery codes")).to_be_visible()
    acting.press(screen.get_by_role("link", name="Go on"))
    expect(screen.get_by_role("heading", name=lands, exact=True)).to_be_visible()


def make_tables(screen: Page, system: str) -> str:
    """A casino, a system, one table by hand and two from a file; the key of the first unit."""
    facts = {"name": "Harbour Casino", "timezone": "Pacific/Auckland", "currency": "nzd"}
    fill(screen, code="harbour", **facts)
    press(screen, "Create casino")
    fill(screen, "New jackpot system", code=system, name="Main floor")
    press(screen, "Create system")
    acting.press(screen.get_by_role("link", name="Tables Main floor"))
    fill(screen, "New table", code="t1", name="Table 1")
    press(screen, "Create table")
    keys = screen.get_by_role("region", name="Keys of the units")
    key = keys.locator("td code").last.inner_text()
    rows = b"code,name\nt2,Table 2\nt3,Table 3\n"
    file: Any = {"name": "t.csv", "mimeType": "text/csv", "buffer": rows}
    acting.attach(screen.get_by_label("CSV or Excel file"), file)
    press(screen, "Preview")
    expect(screen.get_by_role("button", name="Create all tables")).to_be_visible()
    assert GamingTable.objects.count() == 1
    assert fits(screen)
    press(screen, "Create all tables")
    expect(keys.get_by_text("t3", exact=True)).to_be_visible()
    assert GamingTable.objects.count() == 3
    return key


def hire(move_in: MoveIn) -> None:
    """A manager whom the administrator invites alone, and four to whom that manager agrees."""
    hana, david = move_in.screen("hana"), move_in.screen("david")
    come(david, invite(hana, "david", "Casino manager"))
    log_in(david, "david", "Overview")
    for name, role in {
        "anna": "Casino manager",
        "mere": "Game supervisor",
        "aroha": "Cashier",
        "priya": "Compliance",
    }.items():
        link = invite(hana, name, role)
        waiting = Client().get(urlsplit(link).path)
        assert (waiting.status_code, b"waits for a second person" in waiting.content) == (404, True)
        by_menu(david, "Rules of the house")
        assert fits(david)
        by_passkey(david)
        expect(david.get_by_text("Agreed and carried out.")).to_be_visible()
        guest = move_in.screen(name)
        come(guest, link)
        log_in(guest, name, "Overview")
    assert may(user("aroha"), "pay_claim")
    assert SetUpChange.objects.filter(by="hana and david", subject="aroha").exists()


def choose_pack(move_in: MoveIn) -> None:
    """The administrator reads a pack and proposes it; the manager reads it and agrees."""
    hana, david = move_in.screen("hana"), move_in.screen("david")
    to_casino(hana)
    acting.press(hana.get_by_role("link", name="Jurisdiction pack"))
    fill(hana, pack="new_zealand")
    press(hana, "Compare")
    expect(hana.get_by_text("Prescribed transaction report (cash)")).to_be_visible()
    assert fits(hana)
    press(hana, "Propose this pack")
    expect(hana.get_by_text("nothing changes until somebody else approves it")).to_be_visible()
    by_menu(david, "Rules of the house")
    acting.press(david.get_by_role("link", name="Read it, then decide"))
    assert fits(david)
    by_passkey(david)
    expect(david.get_by_text("Agreed and carried out.")).to_be_visible()
    assert JurisdictionChoice.objects.get().pack == "new_zealand"


def post_terms(move_in: MoveIn) -> None:
    """From a template: one manager proposes, the other agrees."""
    david, anna = move_in.screen("david"), move_in.screen("anna")
    by_menu(david, "Terms", "Posted terms")
    acting.press(david.get_by_role("link", name="A new jackpot"))
    acting.press(david.get_by_role("link", name="Royal flush: one pool, paid by the house"))
    fill(david, **{"prize-0-reset": "1,000.00"})
    assert fits(david)
    press(david, "Propose these terms")
    expect(david.get_by_text("somebody else must approve it")).to_be_visible()
    by_menu(anna, "Overview")
    follow(anna, "Decide")
    expect(anna.get_by_role("button", name="Use your passkey").first).to_be_visible()
    assert fits(anna)
    by_passkey(anna)
    wait_until(lambda: Terms.objects.filter(system__code=move_in.system).exists(), what="terms")


def to_rehearsal(screen: Page) -> None:
    to_casino(screen)
    acting.press(screen.get_by_role("link", name="Rehearsal: from press to paid"))


def rehearse(move_in: MoveIn) -> None:
    """From press to paid without money, by the people who will do it: each step on pages."""
    hana, david, anna = (move_in.screen(name) for name in ("hana", "david", "anna"))
    to_rehearsal(hana)
    press(hana, "Start the rehearsal")
    expect(hana.get_by_text("Next: its terms")).to_be_visible()
    assert fits(hana)
    by_menu(david, "Overview")
    follow(david, "Steps of the rehearsal")
    press(david, "Propose these terms")
    expect(david.get_by_text("somebody else approves the terms")).to_be_visible()
    by_menu(anna, "Overview")
    follow(anna, "Steps of the rehearsal")
    acting.press(anna.get_by_role("link", name="Terms of the rehearsal"))
    expect(anna.get_by_text("REHEARSAL: NO MONEY")).to_be_visible()
    by_passkey(anna)
    twin = JackpotSystem.objects.rehearsals().get()
    wait_until(lambda: Terms.objects.filter(system=twin).exists(), what="terms of the rehearsal")
    to_rehearsal(hana)
    press(hana, "Let the practice unit play")
    expect(hana.get_by_text("Next: verify the claim")).to_be_visible()
    acting.press(hana.get_by_role("link", name="Open the display"))
    expect(hana.get_by_text("REHEARSAL: NO MONEY")).to_be_visible()
    open_claims(twin.pk)
    readings = DisplayReading.objects.filter(table__system=twin)
    wait_until(readings.exists, what="a display of the rehearsal")
    supervisor, cashier = move_in.screen("mere"), move_in.screen("aroha")
    by_menu(supervisor, "Overview")
    expect(supervisor.get_by_text("Harbour Casino rehearses")).to_be_visible()
    follow(supervisor, "Open the rehearsal")
    verify(supervisor, "REHEARSAL Royal Flush", remaining=left_over(twin))
    by_menu(anna, "Overview")
    confirm(anna, by_passkey)
    by_menu(cashier, "Overview")
    follow(cashier, "Open the rehearsal")
    pay(cashier, by_passkey)
    expect(cashier.get_by_text("REHEARSAL: NO MONEY")).to_be_visible()
    assert fits(cashier)
    print_slip(cashier, Payout.objects.get().pk)
    reconcile_one(twin.pk)
    hana.go_back()  # a display has no menu
    to_rehearsal(hana)
    expect(hana.get_by_text("Passed: from press to paid")).to_be_visible()
    assert fits(hana)


def print_slip(screen: Page, payout: int) -> None:
    """As its button does; the answer is a file."""
    form = screen.locator(f"form[action$='/rehearsal/payouts/{payout}/slip/']").first
    token = form.locator("[name=csrfmiddlewaretoken]").input_value()
    address = str(form.evaluate("each => each.action"))
    answer = screen.request.post(address, form={"csrfmiddlewaretoken": token})
    assert answer.headers["content-type"] == "application/pdf"


def left_over(system: JackpotSystem) -> dict[str, str]:
    """What remains in the deck, by suit, behind the hand of the practice unit."""
    hand = hand_of(GamingTable.objects.filter(system=system).order_by("code")[0])
    cards = [*hand.board, *hand.hands[0]["hole"]]
    return {suit: str(13 - sum(card[1] == suit for card in cards)) for suit in "shdc"}


def play(move_in: MoveIn, key: str) -> None:
    """Three rounds at Table 1, and a royal flush: called, and reported."""
    settings = unit_settings({"mac_key": key}, guard_s=0)
    unit = TableUnit(move_in.system, "t1", settings)
    unit.start()
    try:
        assert unit.wait_ready(60)
        posted = [unit.open_session(game="holdem"), *(unit.press() for _ in range(3))]
        called = unit.call_hand([3], "royal")
        posted += [called, unit.report_hand([BOARD], [ROYAL], called_seq=called)]
        for seq in posted:
            assert seq is not None
            assert unit.wait_sequenced(seq, 60) is not None
    finally:
        unit.stop()
    open_claims(JackpotSystem.objects.get(code=move_in.system).pk)  # at which the writer hints


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A console that demands second factors; at an address of digits there are no passkeys."""
    monkeypatch.setenv("SECOND_FACTOR_DEMANDED", "1")
    monkeypatch.setenv("FACTOR_KEY", "11" * 32)
    console: str = request.getfixturevalue("console_url")
    return console.replace("127.0.0.1", "localhost")


def open_display(move_in: MoveIn, open_screen: OpenScreen) -> None:
    """The supervisor copies the link of the table's page to the screen there."""
    display, mere = open_screen("display", 1920, 1080), move_in.screen("mere")
    by_menu(mere, "Tables")
    follow(mere, "Table 1")
    link = mere.get_by_role("link", name="Make this browser the table’s display")
    display.goto(f"{move_in.url}{link.get_attribute('href')}")
    wait_until(DisplayReading.objects.exists, what="a display that says what it shows")


def open_casino(hana: Page, words: str) -> None:
    to_casino(hana)
    press(hana, "Open the casino")
    expect(hana.get_by_text(words)).to_be_visible()


def settle(move_in: MoveIn) -> None:
    """Outside the rehearsal: verified, confirmed, paid, and read in the register."""
    supervisor, manager, cashier = (move_in.screen(name) for name in ("mere", "anna", "aroha"))
    follow(supervisor, "Leave the rehearsal")
    verify(supervisor)
    follow(manager, "Leave the rehearsal")
    confirm(manager, by_passkey)
    follow(cashier, "Leave the rehearsal")
    pay(cashier, by_passkey)
    payout = Payout.objects.get(claim__system__code=move_in.system)
    assert (payout.amount, payout.cashier) == (money(1002), "aroha")
    by_menu(manager, "Payouts", "Payout register")
    expect(manager.get_by_text("REHEARSAL")).to_have_count(0)


def look_round(hana: Page) -> None:
    """Pages of the administrator, by the menu and their links."""
    for section, link in (("People", "Aroha"), ("People", "Who may do what"), ("Audit trail", "")):
        by_menu(hana, section)
        assert fits(hana), section
        if link:
            follow(hana, link)
            assert fits(hana), link


@pytest.mark.usefixtures("displays_run")
@pytest.mark.parametrize("way", ["touch", pytest.param("keyboard", marks=pytest.mark.long)])
def test_a_casino_moves_in(address: str, open_screen: OpenScreen, way: str) -> None:
    """No shell after the code: passkeys, tables, people, terms, a claim and its payment. Addresses
    are those of the first page, of links by mail, and of a display's browser."""
    move_in = MoveIn(address, open_screen, way)
    hana = move_in.screen("hana")
    code = make_code()
    hana.goto(move_in.url)
    expect(hana.get_by_role("heading", name="Set up the console")).to_be_visible()
    assert fits(hana)
    fill(hana, code=code, username="hana", last_name="Reti", new=PASSWORD, again=PASSWORD)
    press(hana, "Become the administrator")
    log_in(hana, "hana", "Set-up")
    assert fits(hana)
    key = make_tables(hana, move_in.system)
    hire(move_in)
    choose_pack(move_in)
    with RunningIntake(), posting():
        post_terms(move_in)
        open_display(move_in, open_screen)
        open_casino(hana, "Still open: Rehearsal")
        rehearse(move_in)
        open_casino(hana, "Harbour Casino is open.")
        play(move_in, key)
        settle(move_in)
    log.info("%s", move_in.effort)
    assert move_in.effort.minutes < 60, move_in.effort  # of what is done, however quickly here
    look_round(hana)
    assert Casino.objects.get().currency == "NZD"
    report = verify_books(url_of(connection.settings_dict["NAME"]), settled=False)
    assert report.ok, report.lines()
