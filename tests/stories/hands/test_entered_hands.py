"""A hand on the console while its table is cut off, and what the unit says when it is back (19.20).

The unit of table 3 is switched off and on again with its journal: what it wrote down meanwhile is
written here as it would send it.
"""

from collections.abc import Callable
from typing import Any

import pytest

from settlement.claims import services as claims
from settlement.core.errors import SamePerson, SecondNeeded, WrongState
from settlement.floor import entered_hands
from settlement.models import Ruling
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable, UnitPresence
from tables.unit.unit import TableUnit
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.cases.hands.worked_example import BOARD
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
HAND = {"seat": 3, "hole": ["As", "Ks"]}
TYPED = {**HAND, "exposed": "yes", "folded": False, "participating": True, "won_pot": True}
REPORT = {"boards": [BOARD], "hands": [TYPED]}


def enter(room: CardRoom, by: str = "tom", *, online: bool = False, **fields: Any) -> int:
    """The supervisor enters the hand of seat 3 at table 3; the number of its claim.

    The broker has announced the unit's end, unless it is `online`.
    """
    if not online:
        UnitPresence.objects.filter(table=room.tables[3]).update(online=False)
    table = GamingTable.objects.select_related("system__casino").get(pk=room.tables[3].pk)
    body = {"game": "holdem", "seats": [3], "tier": "royal", "note": "The unit is dark"}
    with acting_as("web"):
        newest, second = entered_hands.newest_claim(table), fields.pop("second", None)
        hand = entered_hands.EnteredHand(**body | fields)
        answer = entered_hands.enter(table, room.people[by], hand, newest=newest, second=second)
    number: int = answer.outcome["hit"]
    return number


def test_the_units_late_events_are_paired_and_move_nothing(open_room: OpenRoom) -> None:
    """Table 3 is cut off in round 3; its hand is entered, and comes before that of table 7."""
    room = open_room(royal_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 3)
    enter(room, round=three.round, report=REPORT)
    assert (room.hit(1).held, room.pool()) == (money(1002), money(1000))  # 1,001.50 rounded up
    room.play(seven, 1)
    room.posted(seven, seven.call_hand([3], "royal"))
    assert room.hit(2).held == money(1001)

    room.posted(three, three.call_hand([3], "royal"))  # the unit is back with its journal
    room.posted(three, three.report_hand([BOARD], [HAND], round_number=three.round))
    assert room.hit(1).pairing["who"] == "tom"
    assert (room.hit(1).held, room.hit(2).held) == (money(1002), money(1001))
    assert room.head().hit_number == 2

    with pytest.raises(SamePerson):
        room.verify(1, by="tom")  # he entered it
    room.verify(1)
    room.confirm(1)
    room.pay(1)
    assert room.hit(1).state == "paid"
    room.balanced()


def test_what_differs_is_settled_by_an_amendment(open_room: OpenRoom) -> None:
    """The dealer's journal has the nine of spades; the camera shows the king."""
    room = open_room(royal_terms())
    three = room.unit(3)
    room.play(three, 2)
    enter(room, round=three.round, report=REPORT)
    room.verify(1)
    other = {"seat": 3, "hole": ["As", "9s"]}
    room.posted(three, three.report_hand([BOARD], [other], round_number=three.round))
    assert (room.hit(1).held, room.hit(1).tier.code) == (money(1001), "royal")
    with pytest.raises(WrongState, match="differs"):
        room.confirm(1)
    with acting_as("web"):
        claims.amend(room.claim(1), room.people["tom"], REPORT)
    room.verify(1)
    room.confirm(1)
    assert room.hit(1).confirmed == money(1001)
    room.balanced()


def test_a_hand_whose_round_nobody_knew_is_paired_by_a_person(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    three = room.unit(3)
    room.play(three, 2)
    enter(room)
    before = room.pool()
    _says_its_hand(room, three)
    assert (room.hit(2).held, room.hit(2).tier, room.pool()) == (0, None, before)
    hit_numbers = [message["hit"] for message in room.display()["messages"]]
    assert hit_numbers == [1]  # players read of one hand
    with acting_as("web"):
        entered_hands.name_round(room.claim(1), room.people["mere"], three.round, "Camera 4, 14:02")
        with pytest.raises(WrongState, match="known"):
            entered_hands.name_round(room.claim(1), room.people["mere"], 9, "Camera 4")
    assert (room.hit(2).standing, room.hit(1).report is not None) == ("paired", True)
    assert (room.hit(1).held, room.pool()) == (money(1001), before)
    room.verify(1, by="mere")
    room.confirm(1)
    room.balanced()


def test_two_hands_are_kept_apart_by_a_person(open_room: OpenRoom) -> None:
    """The hand that the unit wrote down is another one: it has its own place and its own prize."""
    room = open_room(royal_terms())
    three, seven = room.unit(3), room.unit(7)
    room.play(three, 2)
    enter(room)
    _says_its_hand(room, three)
    room.play(seven, 2)
    room.posted(seven, seven.call_hand([5], "royal"))
    assert room.hit(3).held == money(1001)
    with acting_as("web"):
        mere = room.people["mere"]
        entered_hands.separate(room.claim(2), mere, "Camera 4: the dealer called two hands")
        entered_hands.name_round(room.claim(1), mere, None, "The battery was flat")
    # What was there at the places of each: 1,001.00, then the reset, then two rounds on top.
    assert [room.hit(n).held for n in (1, 2, 3)] == [money(1001), money(1000), money(1001)]
    room.posted(three, three.report_hand([BOARD], [HAND], round_number=three.round))
    room.verify(2)
    room.confirm(2)
    room.balanced()


def test_rulings_say_who_entered_it_and_why(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    three = room.unit(3)
    room.play(three, 1)
    enter(room)
    ruling = Ruling.objects.get(kind=Ruling.Kind.ENTER)
    assert (ruling.person.username, ruling.note, ruling.round) == ("tom", "The unit is dark", None)


def _says_its_hand(room: CardRoom, unit: TableUnit) -> None:
    room.posted(unit, unit.call_hand([3], "royal"))
    room.posted(unit, unit.report_hand([BOARD], [HAND], round_number=unit.round))


def test_a_hand_of_two_prizes_is_proved_too(open_room: OpenRoom) -> None:
    """Entered with a wrong round: the unit's hand of that round is another one, with two prizes."""
    room = open_room(each_terms())
    three = room.unit(3)
    room.play(three, 2)
    enter(room, round=three.round, report=REPORT)
    other = {"seat": 5, "hole": ["As", "Ks"]}
    room.posted(three, three.report_hand([BOARD], [other], round_number=three.round))
    assert (room.hit(3).standing, room.hit(3).held) == ("reported", 0)
    with acting_as("web"):
        entered_hands.separate(room.claim(3), room.people["mere"], "Two hands: camera 4")
        entered_hands.name_round(room.claim(1), room.people["mere"], three.round + 1, "One later")
    assert {room.hit(number).tier.code for number in (3, 4)} == {"royal", "steel"}
    room.balanced()


def test_dead_keys_of_a_unit_that_is_online_take_a_second_person(open_room: OpenRoom) -> None:
    """The handset of table 3 does not answer; its unit is heard. Alone nobody takes a place."""
    room = open_room(royal_terms())
    three = room.unit(3)
    room.play(three, 3)
    with pytest.raises(SecondNeeded):
        enter(room, online=True, round=three.round, report=REPORT)
    assert room.head().hit_number == 0
    second = Reauthenticated(room.people["david"])
    enter(room, online=True, second=second, round=three.round, report=REPORT)
    assert room.hit(1).held == money(1002)
    room.posted(three, three.call_hand([3], "royal"))  # the keys work again: it is the same hand
    assert room.head().hit_number == 1
    room.verify(1)
    room.confirm(1, by="anna")
    room.pay(1)
    room.balanced()
