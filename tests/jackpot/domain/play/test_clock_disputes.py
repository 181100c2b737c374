"""Hands whose clocks speak for another order than that of recording, in the fold (19.14(b))."""

from typing import Any

import pytest

from jackpot.domain.play.clock_disputes import FEWEST
from jackpot.domain.state.entries import Outcome
from jackpot.hits.columns import HandClock
from jackpot.terms.money import MICROS
from tables.protocol import messages
from tests.support.play.books import ROYAL, Floor, royal_terms
from tests.support.play.high_hands import HOUSE, NINES, Evening, high_terms

ROYAL_HAND, BOARD = "As Ks", "Qs Js Ts 2d 3c"
STRAIGHT_FLUSH = "9s 8s"


class Clocked(Floor):
    """Tables that are open, with a round begun."""

    def __init__(self, *terms: dict[str, Any], tables: tuple[str, ...] = ("t3", "t7")) -> None:
        super().__init__(*(terms or (royal_terms(),)))
        for table in tables:
            self.open(table)
            self.press(table)

    def stops(self, hit: int) -> list[dict[str, Any]]:
        return self.books.hits[hit].stops

    def enter(self, table: str, **fields: Any) -> Outcome:
        """A supervisor enters a hand that was called for the royal flush."""
        usual = {"game": "holdem", "seats": [3], "tier": "royal", "seen": 9, "note": "dark"}
        return self.decide("enter_hand", second=None, table=table, **{**usual, **fields})


def test_both_are_in_question_and_no_amount_changes() -> None:
    floor = Clocked()
    floor.at(100).call("t3")
    outcome = floor.at(97).call("t7")
    assert outcome["in_question"] == [[1, 2]]
    assert outcome["flags"] == ["in_question"]
    seq = floor.books.seq
    assert floor.stops(1) == [{"entry": seq, "kind": "order", "lifted": None, "with": [2]}]
    assert floor.stops(2) == [{"entry": seq, "kind": "order", "lifted": None, "with": [1]}]
    assert [floor.held(1), floor.held(2)] == [1001 * MICROS, 1000 * MICROS]  # as recorded
    for hit in (1, 2):
        payees = [{"seat": 3, "amount": floor.held(hit)}]
        refused = floor.decide("confirm_claim", hit=hit, amount=floor.held(hit), payees=payees)
        assert "The order in question stops this claim" in refused["refused"]
    lifted = floor.decide("settle_order", hit=1, stop=seq, finding="the place stays")
    assert lifted == {"hit": 1, "stop": seq}
    payees = [{"seat": 3, "amount": floor.held(1)}]
    assert "confirmed" in floor.decide("confirm_claim", hit=1, amount=floor.held(1), payees=payees)
    assert [floor.held(1), floor.held(2)] == [1001 * MICROS, 1000 * MICROS]
    assert floor.stops(2)[0]["lifted"] is None  # each has an end of its own


def test_it_is_settled_by_two_people_and_by_no_other_end() -> None:
    floor = Clocked()
    floor.at(100).call("t3")
    floor.at(97).call("t7")
    seq = floor.books.seq
    for kind, second in (("settle_order", None), ("lift_hold", "david"), ("resolve_dispute", "x")):
        body: dict[str, Any] = {"hit": 1, "stop": seq, "finding": "looked into"}
        assert "refused" in floor.decide(kind, second=second, **body)
    assert "refused" in floor.decide("settle_order", hit=1, stop=seq - 1, finding="another")
    assert floor.stops(1)[0]["lifted"] is None


@pytest.mark.parametrize(
    ("first", "then", "is_so"),
    [
        (100.0, 99.8, False),  # within both margins together
        (100.0, 99.799_999, True),
        (100.0, 100.0, False),
        (100.0, 130.0, False),  # the clocks agree with the order
    ],
)
def test_only_beyond_both_margins(first: float, then: float, is_so: bool) -> None:
    floor = Clocked()
    floor.at(first).call("t3")
    assert ("in_question" in floor.at(then).call("t7")) == is_so
    assert bool(floor.stops(1)) == bool(floor.stops(2)) == is_so


@pytest.mark.parametrize("unknown", ["first", "then", "nothing measured"])
def test_a_clock_that_nobody_knows_is_compared_with_nothing(unknown: str) -> None:
    """Too few events around it: its margin is unknown, and not zero."""
    floor = Clocked()
    few = FEWEST - 1
    floor.at(100, 0, few if unknown == "first" else FEWEST).call("t3")
    if unknown == "nothing measured":  # an entry from before there were clocks
        assert "in_question" not in floor.call("t7")
    else:
        floor.at(3, 0, few if unknown == "then" else FEWEST).call("t7")
    assert floor.stops(1) == floor.stops(2) == []


def test_a_report_later_changes_neither_the_clock_nor_the_question() -> None:
    floor = Clocked()
    floor.at(100).call("t3")
    floor.at(101).call("t7")
    assert "in_question" not in floor.at(50).report("t7", ROYAL_HAND, BOARD)
    assert floor.books.hits[2].clock == HandClock(101 * 10**6, 100_000)


def test_a_late_hand_of_the_same_table_too() -> None:
    """A gap was released: what comes late for it has its place behind the later round's hand."""
    floor = Clocked()
    floor.at(100).call("t3")
    floor.press("t3")
    late = floor.at(90).say("t3", messages.HandCalled, "late", round=2, tier="royal", seats=[3])
    assert late["in_question"] == [[1, 2]]
    assert late["flags"] == ["late", "in_question"]


def test_what_is_settled_and_what_was_rejected_is_not_asked_again() -> None:
    floor = Clocked(tables=("t3", "t7", "t8", "t9"))
    for table in ("t3", "t7"):
        floor.at(100).call(table)
    floor.decide("reject_claim", hit=1, reason="R04", evidence="", affected=True)
    assert floor.at(90).call("t8")["in_question"] == [[2, 3]]  # the first does not stand
    seq = floor.books.seq
    for hit in (2, 3):
        floor.decide("settle_order", hit=hit, stop=seq, finding="looked into")
    floor.report("t8", "9s 8s", BOARD)  # not for this prize, by this report
    floor.report("t8", ROYAL_HAND, BOARD)
    assert [len(floor.stops(hit)) for hit in (1, 2, 3)] == [0, 1, 1]


def test_a_hand_that_was_confirmed_is_the_last_that_counts() -> None:
    """Claims 1 and 2 are decided: only the last of them lies before the open one."""
    floor = Clocked(tables=("t3", "t7", "t8"))
    for hit, table in enumerate(("t3", "t7"), 1):
        floor.at(100).call(table)
        payees = [{"seat": 3, "amount": floor.held(hit)}]
        floor.decide("confirm_claim", hit=hit, amount=floor.held(hit), payees=payees)
    assert floor.at(90).call("t8")["in_question"] == [[2, 3]]
    refused = floor.decide("pay", second=None, hit=2, line=1, parts={"cash": floor.held(2)})
    assert "The order in question" in refused["refused"]
    paid = floor.decide("pay", second=None, hit=1, line=1, parts={"cash": floor.held(1)})
    assert paid["paid"] == floor.held(1)


def test_several_at_once_are_one_stop_each() -> None:
    floor = Clocked(tables=("t3", "t7", "t8"))
    floor.at(100).call("t3")
    floor.at(101).call("t7")
    outcome = floor.at(50).call("t8")
    assert outcome["in_question"] == [[1, 3], [2, 3]]
    assert floor.stops(3) == [
        {"entry": floor.books.seq, "kind": "order", "lifted": None, "with": [1, 2]}
    ]


def two_prizes(**of_the_second: Any) -> dict[str, Any]:
    """A royal flush and a straight flush, each won."""
    terms = royal_terms()
    (royal,) = terms["tiers"]
    weakest = {"category": "straight_flush", "ranks": ["9"]}
    flush = {
        **royal,
        "code": "flush",
        "name": "Straight Flush",
        "rank": 2,
        "qualifying": {**ROYAL, "weakest": weakest, "games": ["holdem"]},
        **of_the_second,
    }
    return {**terms, "tiers": [royal, flush], "hand_wins": "each"}


def test_each_prize_of_a_hand_for_itself() -> None:
    """Table 3's hand wins both prizes, table 7's only the lower one."""
    floor = Clocked(two_prizes())
    floor.at(100).report("t3", ROYAL_HAND, BOARD)
    outcome = floor.at(90).report("t7", STRAIGHT_FLUSH, BOARD)
    assert [floor.books.hits[n].tier for n in (1, 2, 3)] == ["royal", "flush", "flush"]
    assert outcome["in_question"] == [[2, 3]]
    assert floor.stops(1) == []
    # Amended to a royal flush it is in question there as well, at the hand's own place.
    outcome = floor.report("t7", ROYAL_HAND, BOARD)
    assert outcome["in_question"] == [[1, 4]]


def test_two_fixed_prizes_are_the_same_in_either_order() -> None:
    floor = Clocked(royal_terms(prize=500 * MICROS))
    floor.at(100).call("t3")
    assert "in_question" not in floor.at(90).call("t7")


def test_a_hand_that_was_entered_has_no_clock_until_its_unit_speaks() -> None:
    floor = Clocked()
    floor.enter("t3", round=1)
    assert "in_question" not in floor.at(90).call("t7")
    paired = floor.at(95).say("t3", messages.HandCalled, round=1, tier="royal", seats=[3])
    assert paired["in_question"] == [[1, 2]]
    assert paired["flags"] == ["paired", "in_question"]
    assert floor.books.hits[1].clock == HandClock(95 * 10**6, 100_000)
    # Whatever it says after its first word tells nothing more of when that was.
    floor.at(10).report("t3", ROYAL_HAND, BOARD)
    assert floor.books.hits[1].clock == HandClock(95 * 10**6, 100_000)


def test_a_hand_that_waits_for_a_person_takes_its_clock_with_it() -> None:
    """Nobody knew the round; the unit's hand is the entered one, or one of its own."""
    for is_same in (True, False):
        floor = Clocked()
        floor.enter("t3")
        floor.at(90).call("t7")
        call_outcome = floor.at(80).call("t3")
        assert "perhaps_entered" in call_outcome["flags"]
        assert "in_question" not in call_outcome
        if is_same:
            body: dict[str, Any] = {"hit": 1, "table": "t3", "round": 1, "note": "camera 4"}
            outcome = floor.decide("name_round", second=None, **body)
            # It was recorded at the table before table 7's: the clock agrees with the order.
            assert "in_question" not in outcome
            assert floor.books.hits[1].clock == floor.books.hits[3].clock
        else:
            outcome = floor.decide("separate_hand", second=None, hit=3, note="camera 4")
            assert outcome["in_question"] == [[2, 3]]
            assert floor.stops(1) == []


def test_where_a_pair_is_undone_the_clock_goes_with_the_units_hand() -> None:
    floor = Clocked()
    floor.enter("t3")
    floor.at(90).call("t7")
    floor.at(80).call("t3")
    floor.decide("name_round", second=None, hit=1, table="t3", round=1, note="camera 4")
    outcome = floor.decide("unpair_hand", second=None, hit=1, note="camera 12")
    assert outcome["in_question"] == [[2, 3]]
    assert floor.books.hits[1].clock is None
    assert floor.stops(1) == []


def test_a_hand_with_an_unknown_prize_is_asked_when_it_has_one() -> None:
    floor = Clocked()
    floor.at(100).call("t3", tier=None)
    assert "in_question" not in floor.at(90).call("t7")
    assert floor.report("t3", ROYAL_HAND, BOARD)["in_question"] == [[1, 2]]


def test_an_entry_that_brings_two_hands_together_by_a_command_says_so() -> None:
    floor = Clocked()
    floor.at(100).report("t3", "As Xs", BOARD)  # nobody can say its prize
    floor.at(90).call("t7")
    report = {
        "boards": [BOARD.split()],
        "hands": [
            {
                "seat": 3,
                "hole": ROYAL_HAND.split(),
                "exposed": "yes",
                "folded": False,
                "participating": True,
                "won_pot": True,
            }
        ],
    }
    outcome = floor.decide("amend_hand", hit=1, report=report)
    assert outcome["in_question"] == [[1, 2]]
    assert outcome["flags"] == ["in_question"]


def high_hands(ties: str) -> Evening:
    """Two equal hands of a period, of which the second was the first by the clocks."""
    evening = Evening(high_terms(requirements={"ties": ties}))
    for table, seconds in (("t3", 100), ("t7", 90)):
        evening.press(table)
        evening.at(seconds).report(table, *HOUSE)
    return evening


def test_equal_high_hands_of_which_the_first_has_it_all() -> None:
    evening = high_hands("first")
    assert all(not hit.stops for hit in evening.books.hits.values())  # the period still runs
    outcome = evening.end()
    assert outcome["in_question"] == [[1, 2]]
    assert outcome["flags"] == ["in_question"]
    assert evening.stands() == [(1, "held", 101), (2, "held", 0)]  # as recorded
    assert "The order in question" in evening.confirm(1)["refused"]
    for hit in (1, 2):
        stop = evening.books.hits[hit].stops[0]["entry"]
        evening.decide("settle_order", hit=hit, stop=stop, finding="the place stays")
    evening.confirm(1)
    assert evening.stands() == [(1, "confirmed", 101), (2, "outranked", 0)]


def test_equal_high_hands_that_share_or_are_not_equal_are_not_in_question() -> None:
    evening = high_hands("shared")
    assert "in_question" not in evening.end()
    evening = high_hands("first")
    evening.press("t7")
    evening.at(80).report("t7", *NINES)  # another hand, and a better one
    assert evening.end()["in_question"] == [[1, 2]]
    assert evening.stands()[2] == (3, "held", 102)
    assert evening.books.hits[3].stops == []


def test_the_period_of_a_high_hand_is_that_of_the_order() -> None:
    """By its clock the late hand is of the period before: posted is where it is recorded."""
    evening = Evening(high_terms(requirements={"ties": "first"}))
    evening.press("t3")
    evening.at(100).report("t3", *HOUSE)
    evening.end()
    evening.press("t7")
    evening.at(90).report("t7", *HOUSE)
    assert "in_question" not in evening.end()
