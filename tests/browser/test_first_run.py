"""On a tablet of 768 px: from an empty database to a casino with tables and people, by pages."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from settlement.models import SetUpChange
from settlement.people.permissions import may
from settlement.set_up.first_run import make_code
from tables.models import Casino, GamingTable
from tests.browser.conftest import OpenScreen
from tests.support.cast import PASSWORD
from tests.support.set_up import user
from tests.support.workbench_screen import fits, opened

pytestmark = pytest.mark.browser


def fill(screen: Page, panel: str | None = None, **fields: str) -> None:
    """Type into fields by their names; of the form in that panel."""
    place: Any = screen if panel is None else screen.get_by_role("region", name=panel)
    for name, value in fields.items():
        field = place.locator(f"[name={name}]:not([type=hidden])").last
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def press(screen: Page, name: str) -> None:
    screen.get_by_role("button", name=name, exact=True).click()


def invite(screen: Page, url: str, name: str, role: str) -> str:
    """The link of an invitation, as it is shown once."""
    screen.goto(f"{url}/people/")
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
    screen.goto(f"{url}/people/")
    expect(screen.locator("code.secret")).to_have_count(0)
    return link


def come(screen: Page, link: str) -> None:
    screen.goto(link)
    fill(screen, new=PASSWORD, again=PASSWORD)
    press(screen, "Save password")
    expect(screen.get_by_text("Welcome. Log in with your name")).to_be_visible()


def make_tables(screen: Page) -> None:
    """A casino, a system, one table by hand and two from a file."""
    facts = {"name": "Harbour Casino", "timezone": "Pacific/Auckland", "currency": "nzd"}
    fill(screen, code="harbour", **facts)
    press(screen, "Make the casino")
    fill(screen, "New jackpot system", code="main", name="Main floor")
    press(screen, "Make the system")
    screen.get_by_role("link", name="Tables Main floor").click()
    fill(screen, "New table", code="t1", name="Table 1")
    press(screen, "Make the table")
    expect(screen.get_by_role("region", name="Keys of the units")).to_be_visible()
    rows = b"code,name\nt2,Table 2\nt3,Table 3\n"
    screen.set_input_files("#file", {"name": "t.csv", "mimeType": "text/csv", "buffer": rows})
    press(screen, "Preview")
    assert GamingTable.objects.count() == 1
    assert fits(screen)
    press(screen, "Make all tables")
    keys = screen.get_by_role("region", name="Keys of the units")
    expect(keys.get_by_text("t3", exact=True)).to_be_visible()
    assert GamingTable.objects.count() == 3


def test_a_casino_moves_in(console_url: str, open_screen: OpenScreen) -> None:
    code = make_code()
    screen, guest = (open_screen(name, 768, 1024) for name in ("administrator", "guest"))
    screen.goto(console_url)
    expect(screen.get_by_role("heading", name="Set up the console")).to_be_visible()
    assert fits(screen)
    fill(screen, code=code, username="hana", last_name="Reti", new=PASSWORD, again=PASSWORD)
    press(screen, "Become the administrator")
    expect(screen.get_by_role("heading", name="Log in")).to_be_visible()

    opened(screen, console_url, "hana", "/")
    expect(screen.get_by_role("heading", name="Set-up")).to_be_visible()
    assert fits(screen)
    make_tables(screen)
    come(guest, invite(screen, console_url, "david", "Casino manager"))
    link = invite(screen, console_url, "aroha", "Cashier")
    waiting = Client().get(urlsplit(link).path)
    assert (waiting.status_code, b"waits for a second person" in waiting.content) == (404, True)
    opened(screen, console_url, "david", "/house-rules/")
    fill(screen, "Waiting for a second person", password=PASSWORD)
    press(screen, "Agree")
    expect(screen.get_by_text("Agreed and carried out.")).to_be_visible()
    assert fits(screen)
    come(guest, link)
    assert may(user("aroha"), "pay_claim")

    opened(screen, console_url, "hana", "/set-up/casinos/harbour/")
    press(screen, "Open the casino")
    expect(screen.get_by_text("Still open: People")).to_be_visible()
    for page in ("/people/", "/people/log-in/aroha/", "/people/who-may-what/", "/set-up/changes/"):
        screen.goto(f"{console_url}{page}")
        assert fits(screen), page
    expect(screen.get_by_text("Made: Casino")).to_be_visible()
    assert Casino.objects.get().currency == "NZD"
    assert SetUpChange.objects.filter(by="hana and david", subject="aroha").exists()
