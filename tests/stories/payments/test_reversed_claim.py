"""A paid claim is reversed by two people, and what came back is played for again."""

from collections.abc import Callable
from typing import Any

import pytest

from settlement.claims.decisions import reversals
from settlement.core.errors import SamePerson
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.hands.worked_example import BOARD
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def test_paid_and_reversed(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 2)
    room.posted(three, three.call_hand([3], "royal"))
    hand = {"seat": 3, "hole": ["As", "Ks"]}
    room.posted(three, three.report_hand([BOARD], [hand], round_number=three.round))
    room.verify()
    room.confirm(by="david")
    room.pay()
    paid, pool = room.hit().held, room.pool()
    assert room.display()["messages"][0]["kind"] == "win"
    with acting_as("web"):
        body: dict[str, Any] = {
            "reason": "R13",
            "evidence": "Camera 4",
            "recovered": {"cash": money(600)},
        }
        with pytest.raises(SamePerson, match="David Okafor confirmed or paid"):
            reversals.propose(room.claim(), room.people["david"], **body)
        proposal = reversals.propose(room.claim(), room.people["tom"], **body)
        assert room.hit().state == "paid"
        with pytest.raises(SamePerson, match="David Okafor confirmed or paid"):
            reversals.agree(proposal, Reauthenticated(room.people["david"]))
        reversals.agree(proposal, Reauthenticated(room.people["anna"]))
    assert room.hit().state == "reversed"
    assert room.pool() == pool + paid
    assert room.balance("paid_cash") == paid - money(600)
    assert room.display()["messages"] == []  # nobody won it any more
    room.posted(seven, seven.press())
    room.posted(seven, seven.call_hand([3], "royal"))
    assert room.hit(2).held >= pool + paid
    room.balanced()
