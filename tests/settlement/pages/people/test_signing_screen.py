"""An act signed in Chromium: a passkey is added, signs as the first of the house, and approves."""

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from playwright.sync_api import Page, expect

from settlement.models import Action, Signature, SignaturePolicy
from settlement.people.passwords import SealedArgon2PasswordHasher
from tests.support.pages.browser.virtual_passkey import gives_name_and_password, plug_in
from tests.support.pages.page_staff import verify
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.second_manager import limit
from tests.support.suite.waiting import wait_until
from verifier.check import look

pytestmark = pytest.mark.browser


@pytest.fixture
def house(console_url: str) -> ClaimHouse:
    """A verified claim above the second manager's amount; Mere has a password."""
    house = ClaimHouse()
    limit("1,000")
    SignaturePolicy.objects.create(
        casino=house.system.casino, acts="large", first="hana", second="david", at=timezone.now()
    )
    house.hit_royal()
    verify(house)
    hasher = SealedArgon2PasswordHasher()
    password = hasher.encode(PASSWORD, hasher.salt())
    User.objects.filter(username="mere").update(password=password)
    return house


@pytest.mark.usefixtures("no_writer", "house")
def test_a_manager_signs_what_she_approves(screen: Page, console_url: str) -> None:
    here = console_url.replace("127.0.0.1", "localhost")  # an address of digits has no passkeys
    plug_in(screen)
    gives_name_and_password(screen, here)
    screen.goto(f"{here}/account/passkey/")
    screen.get_by_label("Name of the device").fill("Tablet")
    screen.get_by_label("Confirm with your password").fill(PASSWORD)
    screen.get_by_role("button", name="Create passkey").click()
    expect(screen.get_by_role("heading", name="Recovery codes")).to_be_visible()

    screen.goto(f"{here}/signing-keys/")
    expect(screen.get_by_text("Nobody in the house has one yet.")).to_be_visible()
    screen.get_by_role("button", name="Use it to sign").click()
    screen.get_by_role("button", name="Sign and send").click()
    expect(screen.get_by_text("it is the first of the house")).to_be_visible()

    screen.goto(f"{here}/claims/main/1/")
    expect(screen.get_by_text("You sign it with your passkey on the next page.")).to_be_visible()
    screen.get_by_role("button", name="Approve 1,001.00").click()
    expect(screen.get_by_role("heading", name="Sign with your passkey")).to_be_visible()
    assert not Action.objects.filter(kind="approve").exists()
    screen.get_by_role("button", name="Sign and send").click()
    approvals = Signature.objects.filter(source="settlement_action")
    wait_until(approvals.exists, what="the signature")
    expect(screen.get_by_text("Nothing is paid before another manager confirms it")).to_be_visible()
    assert approvals.get().row == Action.objects.get(kind="approve").pk
    with transaction.atomic():
        report = look(connection.connection, settled=False)
    assert report.ok, report.findings  # who owns this database is asked by no guard
