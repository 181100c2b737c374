"""Boxes of a list in Chromium: all or none of them, by keyboard, as large as a finger."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from settlement.models import SetUpDecision
from settlement.people.passwords import SealedArgon2PasswordHasher
from settlement.people.staff import invitations
from settlement.people.staff.invitations import Guest
from tables.models import DeviceCredential
from tests.support.pages.browser.workbench_screen import fits, opened
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.people.set_up import user
from tests.support.units.devices import issue, unit_of

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("no_writer")]
_LEAST_PX = 44


def test_invitations_are_ticked_and_approved_by_keyboard(screen: Page, console_url: str) -> None:
    ClaimHouse()
    hasher = SealedArgon2PasswordHasher()  # as the console's own process checks it
    password = hasher.encode(PASSWORD, hasher.salt())
    User.objects.filter(username="david").update(password=password)
    with acting_as("web"):
        for number in range(4):
            guest = Guest(f"guest-{number}", "Rua", f"Ngata {number}", "", "Cashier")
            invitations.invite(user("hana"), guest)
    screen.set_viewport_size({"width": 768, "height": 1024})
    opened(screen, console_url, "david", "/house-rules/invitations/")
    boxes = screen.locator("input[name=proposal]")
    expect(screen.get_by_text("0 of 4 ticked")).to_be_visible()
    for label in screen.locator("label.check").all():
        size = label.bounding_box()
        assert size
        assert min(size["width"], size["height"]) >= _LEAST_PX, size
    screen.get_by_role("button", name="Tick all").focus()
    screen.keyboard.press("Enter")
    expect(screen.get_by_text("4 of 4 ticked")).to_be_visible()
    boxes.first.focus()
    screen.keyboard.press("Space")
    expect(screen.get_by_text("3 of 4 ticked")).to_be_visible()
    screen.get_by_label("Confirm with your password").focus()
    screen.keyboard.type(PASSWORD)
    screen.keyboard.press("Enter")
    expect(screen.get_by_text("Approved: 3 invitations.")).to_be_visible()
    expect(boxes).to_have_count(1)
    assert SetUpDecision.objects.filter(agreed=True).count() == 3
    assert fits(screen)


def test_devices_are_ticked_on_their_page_and_rotated(screen: Page, console_url: str) -> None:
    house = ClaimHouse()
    tables = list(house.system.tables.order_by("code"))
    for table in tables:
        issue(unit_of(table))
    screen.set_viewport_size({"width": 768, "height": 1024})
    opened(screen, console_url, "hana", "/devices/")
    screen.get_by_role("button", name="Tick all").click()
    expect(screen.get_by_text("2 of 2 ticked")).to_be_visible()
    screen.get_by_role("button", name="Tick none").click()
    screen.locator("input[name=tables]").last.check()
    screen.get_by_role("button", name="Rotate").click()
    expect(screen.get_by_role("heading", name="Rotate many credentials")).to_be_visible()
    expect(screen.get_by_text("1 of 2 ticked")).to_be_visible()
    screen.get_by_role("button", name="Rotate credentials").click()
    expect(screen.get_by_text("1 of 1 issued")).to_be_visible()
    expect(screen.locator("[data-card]")).to_have_count(1)
    assert DeviceCredential.objects.filter(replaces__isnull=False).count() == 1
    assert fits(screen)
