"""Two jackpots at one table, of one of which a hand wins the highest prize alone."""

from typing import Any

from jackpot.terms.document import to_json
from tables.protocol.messages import SessionClosed
from tests.support.cases.claims.several_prizes import (
    BOARD,
    QUEEN_HIGH,
    ROYAL,
    each_terms,
    money,
    stands,
)
from tests.support.play.books import royal_terms
from tests.support.play.table_transfer import MOVE
from tests.support.proof.verified_books import Witnessed


def floor() -> Witnessed:
    """A straight flush at table 3: its claim in the first jackpot is confirmed, the other open."""
    second: dict[str, Any] = royal_terms(code="other", name="Other") | {"code": "second"}
    (tier,) = second["tiers"]
    tier["qualifying"] = {"weakest": {"category": "straight_flush"}, "games": ["holdem"]}
    floor = Witnessed(each_terms(hand_wins="highest"), second)
    floor.open("t3")
    floor.press("t3")
    floor.report("t3", QUEEN_HIGH, BOARD, seats_dealt=[1, 2, 3])
    assert stands(floor) == {
        1: ("steel", "held", money(205)),
        2: ("other", "held", money(1001)),
    }
    payees = [{"seat": 3, "amount": money(205)}]
    floor.decide("confirm_claim", hit=1, amount=money(205), payees=payees)
    return floor


def test_a_hand_whose_prize_is_confirmed_gets_no_second_one_of_the_jackpot() -> None:
    """The report turns out to be a royal flush: not both of the prizes of the first jackpot."""
    house = floor()
    outcome = house.report("t3", ROYAL, BOARD, seats_dealt=[1, 2, 3])
    assert (outcome["hit"], len(outcome["claims"])) == (1, 2)
    assert stands(house) == {
        1: ("steel", "confirmed", money(205)),
        2: ("other", "held", money(1001)),
    }
    assert house.pool("royal") == money(1000.50)


def test_once_it_is_reversed_the_hand_is_for_the_right_prize() -> None:
    house = floor()
    house.decide("reverse_claim", hit=1, reason="R01", evidence="a royal flush", recovered={})
    house.report("t3", ROYAL, BOARD, seats_dealt=[1, 2, 3])
    assert stands(house)[3] == ("royal", "held", money(1001))


def test_a_table_that_leaves_a_system_whose_jackpots_are_closed() -> None:
    house = Witnessed(royal_terms())
    house.open("t3")
    house.say("t3", SessionClosed)
    closing = {"jackpot": "house", "tier": "royal", "to_account": "operator", "reason": "over"}
    house.decide("close_tier", **closing)
    house.decide("move_table", **MOVE)
    assert to_json(house.books.terms[3])["moved"] == {"t3": "high/h1"}
    assert house.witness.left == {"t3": "high/h1"}
    assert len(house.witness.terms) == 3
    assert "refused" in house.decide("move_table", **MOVE)
