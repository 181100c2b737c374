"""A bad beat from the button to the cage: four kings beat aces full, and the table has its part."""

from collections.abc import Callable
from typing import Any

import pytest

from settlement.claims import services as claims
from settlement.core.errors import HandDoesNotQualify
from settlement.evidence.assessment import examine
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.claims.shares import lines
from tests.support.cases.hands.bad_beats import bad_beat
from tests.support.people.roles import acting_as
from tests.support.play.hands import typed
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
BOARD = ["Ah", "Kh", "Ks", "7d", "7c"]
LOSER: dict[str, Any] = {"seat": 2, "hole": ["As", "Ad"], "won_pot": False}
WINNER: dict[str, Any] = {"seat": 4, "hole": ["Kd", "Kc"]}
DEALT: dict[str, Any] = {"seats_dealt": [1, 2, 3, 4, 5, 6], "button_seat": 5}


def test_loser_winner_and_table_are_paid_line_by_line(open_room: OpenRoom) -> None:
    """1,001.00: 501 for the beaten hand, 250 for the one that beat it, 250 for four others."""
    room = open_room(bad_beat())
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.call_hand([2, 4], "beat"))
    assert room.hit().held == money(1001)
    room.posted(unit, unit.report_hand([BOARD], [LOSER, WINNER], **DEALT))
    assert examine(room.hit()).winners(room.hit()) == {2: "loser", 4: "winner"}
    room.verify()
    room.confirm()
    due = [(2, "loser", 501), (4, "winner", 250)]
    due += [(1, "table", 63), (3, "table", 62), (5, "table", 62), (6, "table", 63)]
    assert sorted(lines(room)) == sorted(due)
    claim, people = room.claim(), room.people
    for line in room.hit().payees:  # each by itself, in any way
        with acting_as("web"):
            claims.pay(
                claim, Reauthenticated(people["lucia"]), line["line"], {"chips": line["amount"]}
            )
    assert room.hit().standing == "closed"
    assert (room.balance("paid_chips"), room.pool("beat")) == (money(1001), money(1000))
    assert room.display()["messages"][0]["text"] == "BAD BEAT WIN, TABLE 3: NZD 1,001.00"
    room.balanced()


def test_a_report_alone_opens_it_and_the_wrong_tier_is_put_right(open_room: OpenRoom) -> None:
    """Called as a royal flush; the report moves it to the bad beat, at the same place. The first
    report forgets the hand that won: nobody was beaten, and nobody can verify."""
    room = open_room(bad_beat())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 1)
    called = room.posted(three, three.call_hand([2], "royal"))
    room.play(seven, 4)
    room.posted(seven, seven.report_hand([BOARD], [LOSER, WINNER], **DEALT))
    assert (room.hit(2).tier.code, room.hit(2).held) == ("beat", money(1003))
    room.posted(three, three.report_hand([BOARD], [LOSER], **DEALT))
    assert room.hit(1).tier.code == "royal"
    with pytest.raises(HandDoesNotQualify):
        room.verify(1)
    with acting_as("web"):
        report = {**typed(LOSER, WINNER, board=BOARD), **DEALT}
        claims.amend(room.claim(1), room.people["tom"], report)
    first = room.hit(1)
    assert (first.tier.code, first.place) == ("beat", called.system_seq)
    assert (first.held, room.hit(2).held) == (money(1001), money(1002))
    assert room.pool("royal") == money(1002.50)
    room.verify(1)
    room.confirm(1)
    room.pay(1)
    room.verify(2)
    room.confirm(2)
    room.pay(2)
    assert room.balance("paid_cash") == money(1001 + 1002)
    room.balanced()


def test_every_beaten_hand_and_a_supplement(open_room: OpenRoom) -> None:
    """Two hands lose. The safe 1,002 is paid; an earlier claim is rejected and 1 more is due."""
    full = {"category": "full_house"}
    qualifying: dict[str, Any] = {
        "kind": "bad_beat",
        "losing": full,
        "beaten_by": {"category": "four_of_a_kind"},
    }
    qualifying |= {"games": ["holdem"], "every_loser": True}
    room = open_room(bad_beat(qualifying=qualifying))
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 1)
    room.posted(three, three.call_hand([2], "beat"))
    room.play(seven, 4)
    other: dict[str, Any] = {"seat": 6, "hole": ["7s", "7h"], "won_pot": False}
    room.posted(seven, seven.report_hand([BOARD], [LOSER, WINNER, other], **DEALT))
    room.verify(2)
    room.confirm(2)
    # 1,002: 250 and 250, 502 for two losers; three others have 83 and one unit more
    due = [(2, "loser", 251), (6, "loser", 251), (4, "winner", 250)]
    due += [(1, "table", 84), (3, "table", 83), (5, "table", 83)]
    assert sorted(lines(room, 2)) == sorted(due)
    room.pay(2)
    room.reject(1, "R01")
    # 1,002.50 is 1,003: 503 for the losers, the odd one to the ace of spades
    assert room.hit(2).held == money(1003)
    room.confirm(2)
    assert lines(room, 2)[6:] == [(2, "loser", 1)]
    room.pay(2)
    assert room.hit(2).standing == "closed"
    room.balanced()
