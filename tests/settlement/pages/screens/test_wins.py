"""What a screen says of a hand: being verified, won with its cards, among the last winners."""

import json

import pytest

from jackpot.display import values as display
from jackpot.screens import wins
from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.pages.screens import paired
from tests.support.people.cast import ALL_YES, ClaimHouse

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def test_from_a_report_to_a_win() -> None:
    house = ClaimHouse()
    screen, _ = paired()
    house.hit_royal()
    display.refresh(house.system.pk)
    ((news,),) = [each["news"] for each in screen.get("/screen/content").json()["systems"]]
    held = house.hit(1).held
    assert (news["kind"], news["prize"]) == ("reported", "Royal Flush")
    assert news["amount"] == held // 10_000  # minor units
    assert "cards" not in news  # nobody has verified them

    claims.catch_up(house.system)
    claim = Claim.objects.get()
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    claims.verify(claim, person("sione"))
    claims.confirm(claim, Reauthenticated(person("mere")), held)
    house.post()
    display.refresh(house.system.pk)
    content = screen.get("/screen/content").json()
    (won,) = content["systems"][0]["news"]
    assert (won["kind"], won["amount"]) == ("win", held // 10_000)
    assert len(won["cards"]) == 5
    assert won["hand"] == "Royal flush"
    (winner,) = content["winners"]
    assert {key: winner[key] for key in ("prize", "amount", "table", "hand")} == {
        key: won[key] for key in ("prize", "amount", "table", "hand")
    }
    text = json.dumps(content)
    assert "seat" not in text  # of nobody in particular
    assert wins.boards(house.system) == []
