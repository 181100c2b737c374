"""New terms in a card room that plays on; a prize that is suspended, resumed and closed."""

from collections.abc import Callable

import pytest

from settlement.approvals import proposals
from settlement.core.errors import BadTerms
from settlement.people.rights.permissions import Reauthenticated
from settlement.terms import drafts, lifecycle
from tests.support.cases.terms.new_terms import put
from tests.support.cases.terms.seasons import QUADS
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def test_rounds_in_play_finish_under_their_own_terms(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 1)
    put(room, royal_terms(share=5000))
    room.posted(three, three.call_hand([3], "royal"))
    assert room.hit(1).held == money(1001)  # 1,000.50 rounded up, the whole of it
    room.play(seven, 1)
    with acting_as("web"), pytest.raises(BadTerms, match="Claim 1 on a prize that changes is open"):
        drafts.propose(room.system, room.people["anna"], royal_terms())
    put(room, royal_terms(), force="The posters at the tables say 100%")
    room.posted(seven, seven.call_hand([3], "royal"))
    assert room.hit(2).held == money(501)  # half of 1,001.00, rounded up
    room.reject(1, "R04")
    room.balanced()


def test_a_prize_is_suspended_resumed_and_closed(open_room: OpenRoom) -> None:
    terms = royal_terms() | {"funding": "players"}
    room = open_room(terms | {"tiers": [*terms["tiers"], QUADS]})
    three = room.unit(3)
    mere = room.people["mere"]
    with acting_as("web"):
        lifecycle.suspend(
            lifecycle.JackpotPart(room.system, "house", tier="royal"),
            mere,
            reason="The displays are dark",
        )
    room.play(three, 2)
    assert room.pool() == money(1000)
    assert [tier["state"] for tier in room.display()["tiers"]] == ["suspended", "open"]
    with acting_as("web"):
        lifecycle.suspend(
            lifecycle.JackpotPart(room.system, "house", tier="royal"),
            mere,
            reason="Mended",
            again=True,
        )
    room.play(three, 2)
    assert room.pool() == money(1001)
    room.posted(three, three.close_session())
    with acting_as("web"):
        proposal = lifecycle.propose_closing(
            room.system,
            room.people["anna"],
            lifecycle.TierClosing("house", "quads", reason="End of the season", to_tier="royal"),
        )
        assert room.pool() == money(1001)  # one person moves nothing
        proposals.agree(proposal, Reauthenticated(room.people["david"]))
    assert room.pool() == money(1001) + QUADS["reset"]
    assert room.balance("quads:pool") == 0
    room.balanced()
