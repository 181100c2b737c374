"""The page of a claim as it is opened is at most two screens long, whatever became of the claim."""

import pytest
from playwright.sync_api import Page

from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.permissions import Reauthenticated
from tests.support.asked_for import identify
from tests.support.cast import ALL_YES, ClaimHouse
from tests.support.confirmed import person
from tests.support.payees import SixPayees
from tests.support.workbench_screen import opened

pytestmark = pytest.mark.browser

WIDTH, HEIGHT = 1920, 1080  # px of a full-HD screen
# Looser than two: of a bad beat that six players share each has a line and options of its own.
MOST_OF_SIX = 2.5
LENGTH = "document.documentElement.scrollHeight"
CLAIM, CAGE = "/claims/main/1/", "/claims/main/1/cage/"


@pytest.mark.parametrize(("kind", "most"), [(ClaimHouse, 2), (SixPayees, MOST_OF_SIX)])
def test_a_claim_is_at_most_two_screens_long(
    kind: type[ClaimHouse], most: float, screen: Page, console_url: str
) -> None:
    lengths: dict[tuple[str, str], float] = {}

    def measure(
        state: str, address: str = CLAIM, readers: tuple[str, ...] = ("sione", "mere", "aroha")
    ) -> None:
        for name in readers:
            screen.goto("about:blank")  # the page of whoever was here asks for nothing more
            opened(screen, console_url, name, address)
            lengths[state, name] = round(screen.evaluate(LENGTH) / HEIGHT, 2)

    screen.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    house = kind()
    if kind is ClaimHouse:
        house.hit_royal()
    claim = Claim.objects.get(number=1)
    measure("new")
    identify()
    measure("identified")
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
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
    assert {each: long for each, long in lengths.items() if long > most} == {}, lengths
