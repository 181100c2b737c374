"""The page of a claim as it is opened is at most two screens long and one wide, whatever became of
the claim and whoever worked on it."""

import itertools
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page

from settlement.claims import services as claims
from settlement.claims.decisions import stops
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.claims.asked_for import identify
from tests.support.cases.claims.payees import SixPayees
from tests.support.cases.confirmed_house import person
from tests.support.pages.browser.workbench_screen import opened
from tests.support.people.cast import ALL_YES, REASON, ClaimHouse

pytestmark = pytest.mark.browser

SCREENS = {
    "telephone": (390, 844),
    "tablet": (768, 1024),
    "desk": (1920, 1080),
}  # px: width and height
MOST = 2  # screens
LENGTH = "document.documentElement.scrollHeight / window.innerHeight"
WIDTH = "document.documentElement.scrollWidth"
READERS = ("sione", "mere", "aroha")  # supervisor, casino manager, cashier
LONG_NAME = {"first_name": "Mereana", "last_name": "Featherstone-Haugh"}
CLAIM, CAGE = "/claims/main/1/", "/claims/main/1/cage/"
ALL_BUT_ONE = dict(list(ALL_YES.items())[1:])

Measure = Callable[..., None]


@pytest.fixture
def measure(screen: Page, console_url: str) -> Measure:
    """Opens the claim for whoever may be next; fails on a page that is too long or too wide."""
    User.objects.filter(username="mere").update(
        first_name="Mereana", last_name="Featherstone-Haugh"
    )

    def measured(
        state: str,
        address: str = CLAIM,
        readers: tuple[str, ...] = READERS,
        devices: tuple[str, ...] = tuple(SCREENS),
    ) -> None:
        User.objects.filter(username="mere").update(**LONG_NAME)
        lengths: dict[tuple[str, str], float] = {}
        for name, device in itertools.product(readers, devices):
            width, height = SCREENS[device]
            screen.goto("about:blank")  # the page of whoever was here asks for nothing more
            screen.set_viewport_size({"width": width, "height": height})
            opened(screen, console_url, name, address)
            lengths[name, device] = round(screen.evaluate(LENGTH), 3)
            assert screen.evaluate(WIDTH) <= width, (state, name, device)
        assert max(lengths.values()) <= MOST, (state, lengths)

    return measured


@pytest.mark.parametrize("kind", [ClaimHouse, SixPayees])
def test_a_claim_is_at_most_two_screens_long(kind: type[ClaimHouse], measure: Measure) -> None:
    house = kind()
    if kind is ClaimHouse:
        house.hit_royal()
    claim = Claim.objects.get(number=1)
    measure("new")
    identify()
    measure("identified")
    claims.answer_checklist(claim, person("sione"), ALL_BUT_ONE, {})
    measure("all but one answered")
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    measure("answered")
    claims.verify(claim, person("sione"))
    measure("verified")
    claims.confirm(claim, Reauthenticated(person("mere")), house.hit(1).held)
    house.post()
    measure("confirmed")
    measure("payment", CAGE, ("aroha",))
    for payee in house.hit(1).payees:
        claims.pay(
            claim, Reauthenticated(person("aroha")), payee["line"], {"cash": payee["amount"]}
        )
        house.post()
    measure("paid")


def test_so_is_a_claim_to_which_somebody_objects(measure: Measure) -> None:
    house = SixPayees()
    stops.open_stop(house.claim, person("sione"), "dispute", "Seat 2 says the hand was folded")
    house.post()
    measure("disputed")
    claims.propose_rejection(house.claim, person("sione"), **REASON)
    measure("rejection proposed")
    claims.second_rejection(house.claim, Reauthenticated(person("mere")))
    house.post()
    measure("rejected")
