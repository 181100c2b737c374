"""One hand for several prizes (rule 9): one claim for each, all at the hand's place."""

from typing import Any

import pytest

from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.terms.document import to_json
from jackpot.terms.posted_terms import notices, parse
from tests.support.cases.claims.several_prizes import (
    BOARD,
    NOTHING,
    QUEEN_HIGH,
    ROYAL,
    each_terms,
    floor,
    money,
    stands,
)
from tests.support.play.books import Floor

__all__ = ["floor"]


def amend(floor: Floor, hit: int, hole: str) -> dict[str, Any]:
    hand = {"seat": 3, "hole": hole.split(), "exposed": "yes", "folded": False}
    hand |= {"participating": True, "won_pot": True}
    report = {"boards": [BOARD.split()], "hands": [hand], "seats_dealt": [1, 2, 3]}
    return floor.decide("amend_hand", hit=hit, report=report)


def test_each_prize_of_a_hand_is_held_at_its_place(floor: Floor) -> None:
    assert stands(floor) == {1: ("royal", "held", money(1001)), 2: ("steel", "held", money(220))}
    # Nobody has read the hand of table 3: it may be for the straight flush too.
    payout_bounds = bounds_of(floor.books, floor.books.hits[2])
    assert (payout_bounds.safe, payout_bounds.most, payout_bounds.waits_for) == (
        money(215),
        money(220),
        (1,),
    )
    outcome = floor.report("t3", ROYAL, BOARD)
    assert outcome == {
        "hit": 1,
        "tier": "royal",
        "held": money(1001),
        "claims": [[1, "royal", "held", money(1001)], [3, "steel", "held", money(205)]],
    }
    assert stands(floor) == {
        1: ("royal", "held", money(1001)),
        2: ("steel", "held", money(215)),  # 200.00 reset and three rounds
        3: ("steel", "held", money(205)),
    }
    assert floor.books.hits[3].place == floor.books.hits[1].place
    assert (floor.pool("royal"), floor.pool("steel")) == (money(1001.50), money(200))
    assert sum(floor.books.balances.values()) == 0


def test_the_highest_alone_where_that_is_posted() -> None:
    floor = Floor(each_terms(hand_wins="highest"))
    floor.open("t3")
    floor.press("t3")
    floor.report("t3", ROYAL, BOARD)
    assert stands(floor) == {1: ("royal", "held", money(1001))}
    assert floor.pool("steel") == money(205)


def test_an_amended_report_withdraws_a_claim_and_brings_it_back(floor: Floor) -> None:
    floor.report("t3", ROYAL, BOARD)
    amend(floor, 3, QUEEN_HIGH)
    assert stands(floor) == {
        1: ("royal", "withdrawn", 0),
        2: ("steel", "held", money(215)),
        3: ("steel", "held", money(205)),
    }
    assert floor.pool("royal") == money(1002)  # as if no royal flush had been called
    refused = floor.decide("confirm_claim", hit=1, amount=0, payees=[])
    assert "withdrawn by an amended report" in refused["refused"]
    floor.report("t3", ROYAL, BOARD)  # the dealer corrects it once more
    assert stands(floor)[1] == ("royal", "held", money(1001))
    assert floor.pool("royal") == money(1001.50)


def test_a_claim_moves_to_the_right_prize_before_another_is_opened() -> None:
    floor = Floor(each_terms())
    floor.open("t3")
    floor.press("t3")
    floor.call("t3", "royal")
    floor.report("t3", QUEEN_HIGH, BOARD)
    assert stands(floor) == {1: ("steel", "held", money(205))}
    floor.report("t3", ROYAL, BOARD)
    assert stands(floor) == {1: ("steel", "held", money(205)), 2: ("royal", "held", money(1001))}


def test_a_hand_that_wins_nothing_keeps_its_claims_for_people_to_decide(floor: Floor) -> None:
    floor.report("t3", ROYAL, BOARD)
    before = stands(floor)
    amend(floor, 1, NOTHING)
    assert stands(floor) == before
    assert {floor.books.hits[n].report_entry for n in (1, 3)} == {floor.books.seq}


def test_each_claim_is_decided_and_paid_on_its_own(floor: Floor) -> None:
    floor.report("t3", ROYAL, BOARD)
    floor.decide("reject_claim", hit=3, reason="R12", evidence="camera 4", affected=True)
    assert stands(floor) == {
        1: ("royal", "held", money(1001)),
        2: ("steel", "held", money(220)),
        3: ("steel", "rejected", 0),
    }
    payees = [{"seat": 3, "amount": money(1001)}]
    confirmed = floor.decide("confirm_claim", hit=1, amount=money(1001), payees=payees)
    assert confirmed == {"hit": 1, "tier": "royal", "confirmed": money(1001)}
    assert floor.decide("pay", hit=1, line=1, parts={"cash": money(1001)})["paid"] == money(1001)
    # All of the hand is decided: no report opens the rejected prize once more.
    assert floor.report("t3", ROYAL, BOARD)["flags"] == ["after_decision"]
    refused = floor.decide("void_round", table="t3", round=1, reason="wrong_count", note="late")
    assert "is confirmed" in refused["refused"]
    assert sum(floor.books.balances.values()) == 0


def test_what_was_decided_keeps_its_report_and_its_prize(floor: Floor) -> None:
    first = floor.report("t3", ROYAL, BOARD) and floor.books.seq
    payees = [{"seat": 3, "amount": money(1001)}]
    floor.decide("confirm_claim", hit=1, amount=money(1001), payees=payees)
    amend(floor, 3, QUEEN_HIGH)
    assert stands(floor)[1] == ("royal", "confirmed", money(1001))
    assert stands(floor)[3] == ("steel", "held", money(205))
    assert [floor.books.hits[n].report_entry for n in (1, 3)] == [first, floor.books.seq]


def test_a_prize_that_a_later_claim_was_confirmed_for_is_taken_from_where_it_stands() -> None:
    """Decision 0006 for a claim that a report opens: what was confirmed is never lowered."""
    floor = Floor(each_terms())
    floor.open("t3")
    floor.open("t7")
    floor.press("t3")
    floor.report("t3", QUEEN_HIGH, BOARD)  # claim 1: straight flush, 205.00
    floor.press("t7")
    floor.report("t7", ROYAL, BOARD)  # claims 2: royal, 3: straight flush
    assert stands(floor)[2] == ("royal", "held", money(1001))
    payees = [{"seat": 3, "amount": money(1001)}]
    floor.decide("confirm_claim", hit=2, amount=money(1001), payees=payees)
    floor.report("t3", ROYAL, BOARD)  # now claim 1's hand is for the royal flush too
    assert stands(floor)[4] == ("royal", "held", money(1000))
    hit = floor.books.hits[4]
    assert (hit.place, hit.acts_at) == (floor.books.hits[1].place, floor.books.seq)


def test_terms_say_what_a_hand_wins_and_old_documents_stay_as_they_are() -> None:
    each, highest = parse(each_terms()), parse(each_terms(hand_wins="highest"))
    assert to_json(each)["hand_wins"] == "each"
    assert "hand_wins" not in to_json(highest)
    assert "wins each of them." in notices(each, 2, "NZD")[-1]
    assert "wins the highest only." in notices(highest, 2, "NZD")[-1]


def test_a_minimum_pot_is_judged_when_the_round_is_completed() -> None:
    """Rule 10: the claim waits for it; below it the hand is for what it wins without."""
    terms = each_terms()
    terms["tiers"][0]["qualifying"] = {
        **terms["tiers"][0]["qualifying"],
        "pot_min_minor": 2000,
    }
    floor = Floor({**terms, "hand_wins": "highest"})
    floor.open("t3")
    floor.press("t3")
    floor.report("t3", ROYAL, BOARD)
    assert stands(floor) == {1: ("royal", "held", money(1001))}
    payees = [{"seat": 3, "amount": money(1001)}]
    refused = floor.decide("confirm_claim", hit=1, amount=money(1001), payees=payees)
    assert "refused" in refused  # nobody is paid before the pot is known
    outcome = floor.complete("t3", pot=1999)
    assert outcome == {"hit": 1, "tier": "steel", "held": money(205)}
    assert (floor.pool("royal"), floor.pool("steel")) == (money(1000.50), money(200))
    assert floor.decide(
        "confirm_claim",
        hit=1,
        amount=money(205),
        payees=[{"seat": 3, "amount": money(205)}],
    ) == {"hit": 1, "tier": "steel", "confirmed": money(205)}


@pytest.mark.parametrize(("pot", "claims"), [(2000, {1: "held"}), (1999, {1: "withdrawn"})])
def test_each_with_a_minimum_pot(pot: int, claims: dict[int, str]) -> None:
    terms = each_terms()
    terms["tiers"][0]["qualifying"] = {**terms["tiers"][0]["qualifying"], "pot_min_minor": 2000}
    floor = Floor(terms)
    floor.open("t3")
    floor.press("t3")
    floor.report("t3", ROYAL, BOARD)
    floor.complete("t3", pot=pot)
    assert {n: floor.books.hits[n].state for n in claims} == claims
    assert stands(floor)[2] == ("steel", "held", money(205))


def two_jackpots() -> Floor:
    """A royal flush in the house jackpot; a straight flush, and lower quads, in another."""
    both = each_terms(hand_wins="highest")
    house = {**both, "tiers": both["tiers"][:1]}
    steel = {**both["tiers"][1], "rank": 1}
    quads = {**steel, "code": "quads", "name": "Quads", "rank": 2}
    quads["qualifying"] = {"weakest": {"category": "four_of_a_kind"}, "games": ["holdem"]}
    floor = Floor(house, {**both, "code": "second", "name": "Second", "tiers": [steel, quads]})
    floor.open("t3")
    floor.open("t7")
    return floor


def test_a_hand_wins_the_highest_prize_of_each_jackpot_of_its_table() -> None:
    floor = two_jackpots()
    floor.press("t3")
    assert [floor.pool(tier) for tier in ("royal", "steel", "quads")] == [
        money(1000.50),
        money(205),
        money(205),
    ]
    floor.report("t3", ROYAL, BOARD)
    assert stands(floor) == {1: ("royal", "held", money(1001)), 2: ("steel", "held", money(205))}
    floor.report("t3", QUEEN_HIGH, BOARD)
    assert stands(floor) == {1: ("royal", "withdrawn", 0), 2: ("steel", "held", money(205))}


def test_a_call_for_one_jackpot_may_turn_out_to_be_for_the_other_too() -> None:
    floor = two_jackpots()
    floor.press("t3")
    floor.call("t3", "royal")
    floor.press("t7")
    floor.call("t7", "steel")
    payout_bounds = bounds_of(floor.books, floor.books.hits[2])
    assert (payout_bounds.safe, payout_bounds.most, payout_bounds.waits_for) == (
        money(205),
        money(210),
        (1,),
    )
    floor.report("t3", ROYAL, BOARD)
    assert stands(floor)[2] == ("steel", "held", money(205))


def with_a_minimum() -> Floor:
    """A royal flush of a round whose button nobody pressed; its prize asks for a pot of 20.00."""
    terms = each_terms(hand_wins="highest")
    royal = terms["tiers"][0]
    royal["qualifying"] = {**royal["qualifying"], "pot_min_minor": 2000}
    floor = Floor(terms)
    floor.open("t3")
    floor.rounds["t3"] = 1
    assert floor.report("t3", ROYAL, BOARD)["flags"] == ["no_start"]
    return floor


def test_the_pot_that_a_supervisor_gives_for_a_missed_round_judges_its_hand() -> None:
    floor = with_a_minimum()
    body: dict[str, Any] = {"count": 1, "rounds": [1], "players": 6, "evidence": "camera 4"}
    outcome = floor.decide("missed_rounds", table="t3", pot=money(19.99), **body)
    assert outcome["judged"] == [{"hit": 1, "tier": "steel", "held": money(200)}]
    # The round's own completion comes after all, and says otherwise: it counts.
    assert floor.complete("t3", pot=2000)["tier"] == "royal"
    assert stands(floor) == {1: ("royal", "held", money(1000))}


def test_a_void_round_leaves_its_claim_for_people_to_reject() -> None:
    floor = with_a_minimum()
    floor.decide("void_round", table="t3", round=1, reason="wrong_count", note="seat 4")
    before = stands(floor)
    outcome = floor.complete("t3", pot=1999)  # it comes late, and judges nothing any more
    assert "hit" not in outcome
    assert stands(floor) == before == {1: ("royal", "held", money(1000))}
