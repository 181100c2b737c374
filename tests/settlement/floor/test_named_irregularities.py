"""A misdeal or a dead hand as the reason of a rejection: which one it was, from closed lists."""

from typing import Any

import pytest
from django.db import connection

from jackpot.models import Command
from rules.dead_hands import DEAD_HANDS, MISDEALS
from settlement.claims import services as claims
from settlement.core.errors import BadReason
from settlement.models import Action, Claim
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import page_of, reply
from tests.support.people.cast import ClaimHouse, action
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house
from verifier.check import look
from verifier.fold.entries.commands import IRREGULARITIES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
PAGE = "/claims/main/1/"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    return house


house = kept_house(build_house)


def propose(reason: str, irregularity: str | None) -> None:
    fields: dict[str, Any] = {"evidence": "Camera 4", "affected": True}
    with acting_as("web"):
        claims.propose_rejection(
            Claim.objects.get(), person("sione"), reason=reason, irregularity=irregularity, **fields
        )


@pytest.mark.parametrize(
    ("reason", "irregularity"),
    [
        ("R08", None),
        ("R10", None),
        ("R08", "joker"),
        ("R10", "defective_deck"),
        ("R10", "unlucky"),
        ("R04", "joker"),
    ],
)
def test_another_one_or_none_is_not_taken(
    house: ClaimHouse, reason: str, irregularity: str | None
) -> None:
    with pytest.raises(BadReason, match="choose the misdeal"):
        propose(reason, irregularity)


def test_it_stands_in_the_order_and_on_the_page(house: ClaimHouse) -> None:
    form = {"reason": "R10", "irregularity": "not_discarded", "evidence": "x", "affected": "yes"}
    assert "20.33: did not discard in time" in page_of("sione", f"{PAGE}reject/")
    page = reply("sione", f"{PAGE}reject/", **form)
    assert "The hand was dead: did not discard in time" in page
    with acting_as("web"):
        claims.second_rejection(Claim.objects.get(), Reauthenticated(person("mere")))
    house.post()
    assert house.hit(1).state == "rejected"
    assert Command.objects.get(kind="reject_claim").body["irregularity"] == "not_discarded"
    assert "20.33" in page_of("mere", PAGE)
    assert look(connection.connection, settled=False).ok


@pytest.mark.parametrize(
    ("reason", "irregularity", "is_taken"),
    [("R08", "joker", False), ("R04", "joker", False), ("R10", "joker", True), ("R10", None, True)],
)
def test_the_order_judges_it_and_takes_those_of_before(
    house: ClaimHouse, reason: str, irregularity: str | None, is_taken: bool
) -> None:
    """Console and verifier alike; orders from before name none."""
    body: dict[str, Any] = {"hit": 1, "reason": reason, "evidence": "x", "affected": True}
    body |= {"irregularity": irregularity} if irregularity else {}
    outcome = house.decide("reject_claim", with_actions=True, **body)
    assert ("refused" not in outcome.outcome) == is_taken
    assert look(connection.connection, settled=False).ok


def test_the_verifier_has_the_same_lists() -> None:
    assert {code: set(group) for code, group in IRREGULARITIES.items()} == {
        "R08": set(MISDEALS),
        "R10": set(DEAD_HANDS),
    }


def test_the_api_names_it(house: ClaimHouse) -> None:
    fields: dict[str, Any] = {"reason": "R08", "evidence": "x", "affected": True}
    assert action("sione", "propose-rejection", **fields).status_code == 422
    assert (
        action("sione", "propose-rejection", **fields, irregularity="bad_luck").status_code == 422
    )
    assert (
        action("sione", "propose-rejection", **fields, irregularity="exposed_holes").status_code
        < 300
    )
    assert Action.objects.get().body["irregularity"] == "exposed_holes"
