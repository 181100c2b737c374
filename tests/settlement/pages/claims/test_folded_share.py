"""19.17 speaks of the hand that would qualify: who folded shares in the table share as posted."""

from typing import Any

import pytest

from jackpot.terms.document import to_json
from jackpot.terms.posted_terms import notices, parse
from settlement.claims import services as claims
from tables.protocol import messages
from tests.support.pages.page_staff import page_of, verify
from tests.support.people.cast import PASSWORD, ROYAL, ClaimHouse, action
from tests.support.play.books import royal_terms

pytestmark = pytest.mark.django_db
PLAN = {"winner": 5_000, "table": 5_000}


def house_of(**changes: Any) -> ClaimHouse:
    """Seats 1 to 4 and 6 were dealt in; seat 6 folded, seat 4 takes no part."""
    house = ClaimHouse(royal_terms(plan=PLAN, **changes))
    house.open("t3")
    house.press("t3")
    folded: dict[str, Any] = {
        "hole": [],
        "exposed": "not_requested",
        "folded": True,
        "won_pot": False,
    }
    won: dict[str, Any] = {
        "hole": ROYAL[0].split(),
        "exposed": "yes",
        "folded": False,
        "won_pot": True,
    }
    house.say(
        "t3",
        messages.HandReported,
        round=house.rounds["t3"],
        boards=[ROYAL[1].split()],
        hands=[
            messages.ReportedHand(seat=3, participating=True, **won),
            messages.ReportedHand(seat=4, participating=False, **folded),
            messages.ReportedHand(seat=6, participating=True, **folded),
        ],
        seats_dealt=[1, 2, 3, 4, 6],
        button_seat=2,
    )
    house.post()
    claims.catch_up(house.system)
    return house


@pytest.mark.parametrize(
    ("changes", "seats", "words"),
    [
        ({}, [1, 2, 3, 6], "Seat 6 folded: cannot qualify; shares in the table share as posted."),
        (
            {"folded_share": False},
            [1, 2, 3],
            "Seat 6 folded: cannot qualify; has no part in the table share as posted.",
        ),
    ],
)
def test_who_folded_shares_as_posted(
    settings: Any, changes: dict[str, Any], seats: list[int], words: str
) -> None:
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    house = house_of(**changes)
    page = page_of("mere")
    assert words in page
    assert "Seat 4 folded: cannot qualify; has no part in the table share as posted." in page
    assert "no longer eligible" not in page
    verify(house)
    assert action("mere", "confirm", amount_micros=house.hit(1).held, password=PASSWORD).status_code
    house.post()
    assert sorted(line["seat"] for line in house.hit(1).payees) == seats


def test_it_is_posted_and_the_default_is_not_written() -> None:
    text = " ".join(notices(parse(royal_terms(plan=PLAN)), 2, "NZD"))
    assert "dealt in, in equal parts (also to those who folded)" in text
    out = parse(royal_terms(plan=PLAN, folded_share=False))
    assert "(not to those who folded)" in " ".join(notices(out, 2, "NZD"))
    assert to_json(out)["tiers"][0]["folded_share"] is False
    assert "folded_share" not in to_json(parse(royal_terms(plan=PLAN)))["tiers"][0]
