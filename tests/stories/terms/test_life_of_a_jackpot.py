"""The life of a jackpot in a card room: drafts, displays, what is suspended, limits, its end.

Reset 1,000.00, payable unit 1.00, 0.50 a round from the operator."""

from collections.abc import Callable
from typing import Any

import pytest

from jackpot.display.values import is_suspended
from jackpot.models import Entry
from settlement.approvals import proposals
from settlement.core.errors import BadTerms, Declined, RuleBroken, SamePerson
from settlement.floor.suspensions import suspensions
from settlement.models import Proposal
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools.status import posted_terms
from settlement.terms import drafts, lifecycle
from settlement.terms.readback import readbacks
from tables.protocol import topics
from tests.support.cases.terms.new_terms import put
from tests.support.cases.terms.seasons import QUADS
from tests.support.play.books import royal_terms
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import CardRoom, as_web, money

OpenRoom = Callable[..., CardRoom]


@as_web
def draft(room: CardRoom, terms: dict[str, Any]) -> Proposal:
    return drafts.propose(room.system, room.people["anna"], terms)


@as_web
def agree(room: CardRoom, proposal: Proposal, by: str = "david") -> Any:
    return proposals.agree(proposal, Reauthenticated(room.people[by]))


@as_web
def suspend(room: CardRoom, *, again: bool = False, **what: Any) -> None:
    reason = "It is mended" if again else "The button sticks"
    part = lifecycle.JackpotPart(room.system, "house", **what)
    lifecycle.suspend(part, room.people["mere"], reason=reason, again=again)


@as_web
def propose_closing(room: CardRoom, tier: str = "quads", **to: Any) -> Proposal:
    return lifecycle.propose_closing(
        room.system,
        room.people["anna"],
        lifecycle.TierClosing("house", tier, reason="End of the season", **to),
    )


def two_prizes(**changes: Any) -> dict[str, Any]:
    """Marked as players' money: the operator may not have it back."""
    terms = royal_terms(**changes)
    return terms | {"funding": "players", "tiers": [*terms["tiers"], QUADS]}


def test_a_hand_between_the_draft_and_the_agreement_stops_the_new_terms(
    open_room: OpenRoom,
) -> None:
    room = open_room(royal_terms())
    three = room.unit(3)
    room.play(three, 1)
    waiting = draft(room, royal_terms(reset=money(2000)))
    room.posted(three, three.call_hand([3], "royal"))
    with pytest.raises(Declined, match="Claim 1 on a prize that changes is open"):
        agree(room, waiting)
    assert room.head().terms_number == 1
    room.reject(1, "R11")
    with pytest.raises(RuleBroken, match="already"):
        agree(room, waiting)  # it was decided on: whoever still wants it drafts it again
    agree(room, draft(room, royal_terms(reset=money(2000))))
    entry = Entry.objects.filter(system=room.system, type="put_terms").latest("seq")
    assert entry.outcome == {"terms": 2}
    # The pool stays as it was; the new reset is for the next hit.
    assert room.pool() == money(1000.5)
    room.play(three, 1)
    room.posted(three, three.call_hand([3], "royal"))
    assert (room.hit(2).held, room.pool()) == (money(1001), money(2000))
    room.balanced()


def test_a_display_that_has_not_read_the_new_terms_back_is_named(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    unit = room.unit(3, display="d-3")

    def readings() -> dict[str, tuple[int | None, bool]]:
        newest = posted_terms([room.system])[room.system.pk, "house"][-1]
        rows = readbacks(room.system, newest.terms, newest.number)
        return {row.table.code: (row.number, row.is_current) for row in rows}

    def reads_back(terms: int) -> None:
        def has_read() -> bool:
            reading = unit.panel.reading(unit._clock()) if unit.panel else None
            if reading is not None:
                unit.link.publish(topics.readings(unit.system, unit.table), reading)
            return readings()["t3"][0] == terms

        wait_until(has_read, what="the display's word")

    room.display()
    reads_back(1)
    assert readings() == {"t3": (1, True), "t7": (None, False)}
    put(room, royal_terms(share=5000))
    assert readings()["t3"] == (1, False)
    room.display()
    reads_back(2)
    assert readings() == {"t3": (2, True), "t7": (None, False)}
    room.balanced()


def test_a_table_and_then_the_whole_jackpot_are_suspended_and_resumed(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 1)
    suspend(room, table="t3")
    assert is_suspended(room.tables[3])
    (row,) = suspensions([room.system])
    assert (row.table.code, row.by, row.why) == ("t3", "Mere Tane", "The button sticks")
    room.play(three, 3)
    room.play(seven, 1)
    assert room.pool() == money(1001)
    # No hand is void: it keeps its place and holds its prize, and two people decide (R03).
    room.posted(three, three.call_hand([3], "royal"))
    assert room.hit(1).held == money(1001)
    assert Entry.objects.get(system=room.system, seq=room.hit(1).place).outcome["flags"] == [
        "suspended"
    ]
    room.reject(1, "R03")
    suspend(room, table="t3", again=True)
    suspend(room)  # all its prizes
    assert [tier["state"] for tier in room.display()["tiers"]] == ["suspended"]
    room.play(three, 2)
    room.play(seven, 2)
    assert room.pool() == money(1001)
    with pytest.raises(Declined, match="stands so already"):
        suspend(room)
    suspend(room, again=True)
    assert [tier["state"] for tier in room.display()["tiers"]] == ["open"]
    room.play(three, 1)
    assert room.pool() == money(1001.5)
    room.balanced()


def test_a_limit_is_posted_later_and_taken_away_again(open_room: OpenRoom) -> None:
    """A limit stops contributions, and never cuts a pool."""
    room = open_room(royal_terms())
    three = room.unit(3)
    room.play(three, 6)
    assert room.pool() == money(1003)
    put(room, royal_terms(limit=money(1002)))
    room.play(three, 4)
    assert (room.pool(), room.balance("royal:overflow")) == (money(1003), money(2))
    put(room, royal_terms())
    room.play(three, 2)
    assert (room.pool(), room.balance("royal:overflow")) == (money(1004), money(2))
    room.posted(three, three.call_hand([3], "royal"))
    # The new pool begins with the overflow, the operator gives the rest.
    assert (room.hit(1).held, room.pool()) == (money(1004), money(1000))
    assert room.balance("royal:overflow") == 0
    assert room.balance("operator") == -money(1000 + 6 + 998)
    room.balanced()


def test_the_last_prize_of_a_jackpot_is_closed_by_two_people(open_room: OpenRoom) -> None:
    room = open_room(two_prizes())
    three = room.unit(3)
    room.play(three, 2)
    with pytest.raises(BadTerms, match="Table t3 is open"):
        propose_closing(room, to_tier="royal")
    room.posted(three, three.call_hand([3], "quads"))
    room.posted(three, three.close_session())
    with pytest.raises(BadTerms, match="A claim that may be for Quads is open"):
        propose_closing(room, to_tier="royal")
    room.reject(1, "R11")
    with pytest.raises(BadTerms, match="does not go to the operator"):
        propose_closing(room, to_account="operator")
    closing = propose_closing(room, to_tier="royal")
    with pytest.raises(SamePerson):
        agree(room, closing, "anna")
    agree(room, closing)
    assert room.pool() == money(1001) + QUADS["reset"]
    agree(room, propose_closing(room, "royal", to_account="adjustments"))
    remainder = money(1001) + QUADS["reset"]
    assert (room.pool(), room.balance("adjustments")) == (0, remainder)
    assert room.display()["tiers"] == []
    room.posted(three, three.open_session(game="holdem"))
    room.play(three, 2)
    assert (room.pool(), room.balance("adjustments")) == (0, remainder)
    with pytest.raises(BadTerms, match="was closed: choose another code"):
        draft(room, two_prizes())
    room.balanced()
