"""A rejection that was wrong is reversed: the hand acts again at its own place (rules 1, 4 to 6).

The worked example: A is rejected by a slip, so that B comes to 10,026.00; then that is put right.
"""

from typing import Any

import pytest

from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.domain.state.entries import Outcome
from tables.protocol.messages import SessionClosed
from tests.support.cases.hands.worked_example import cents, to_entry_172
from tests.support.play.books import Floor

BOARD = "Qs Js Ts 2d 3c"
SAFE, WHOLE, REST = cents(1025), cents(10_026), cents(9001)


def reject(floor: Floor, hit: int) -> Outcome:
    return floor.decide("reject_claim", hit=hit, reason="R04", evidence="cctv 12", affected=True)


def confirm(floor: Floor, hit: int, amount: int) -> Outcome:
    return floor.decide(
        "confirm_claim", hit=hit, amount=amount, payees=[{"seat": 3, "amount": amount}]
    )


def pay(floor: Floor, hit: int, line: int, amount: int) -> Outcome:
    return floor.decide("pay", hit=hit, line=line, parts={"cash": amount})


def reverse(floor: Floor, hit: int, **fields: Any) -> Outcome:
    newest, _ = floor.books.hits[hit].newest_report
    body: dict[str, Any] = {"hit": hit, "report_entry": newest}
    body |= {"reason": "typed as folded", "evidence": "cctv 12"}
    return floor.decide("reverse_rejection", **body | fields)


def holds(floor: Floor) -> None:
    balances, hits = floor.books.balances, floor.books.hits.values()
    assert sum(balances.values()) == 0
    held = sum(hit.held - hit.confirmed for hit in hits)
    assert balances["royal:held"] == held
    assert all(hit.confirmed <= hit.held for hit in hits)


def operator_of(floor: Floor, reason: str) -> int:
    """What the operator gave to the pool for that reason."""
    return sum(
        each.amount * (1 if each.debit == "operator" else -1)
        for each in floor.books.transfers
        if each.reason == reason
    )


def test_nothing_of_b_is_confirmed() -> None:
    floor = to_entry_172()
    before = dict(floor.books.balances)
    reject(floor, 1)
    assert floor.held(2) == WHOLE
    outcome = reverse(floor, 1)
    assert (outcome["hit"], outcome["tier"], outcome["held"]) == (1, "royal", cents(10_001))
    assert floor.books.hits[1].state == "held"
    assert floor.held(2) == SAFE
    assert floor.books.balances == before  # as if it had never been rejected
    assert bounds_of(floor.books, floor.books.hits[2]).most == WHOLE
    holds(floor)


def test_the_safe_amount_of_b_is_paid() -> None:
    floor = to_entry_172()
    confirm(floor, 2, SAFE)
    pay(floor, 2, 1, SAFE)
    before = dict(floor.books.balances)
    reject(floor, 1)
    assert (floor.held(2), floor.books.hits[2].state) == (WHOLE, "confirmed")  # 9,001.00 are due
    reverse(floor, 1)
    assert (floor.held(1), floor.held(2)) == (cents(10_001), SAFE)
    assert floor.books.hits[2].state == "paid"  # no supplement is due any more
    assert floor.books.balances == before
    holds(floor)


def test_the_whole_of_b_is_paid_and_stays_so() -> None:
    floor = to_entry_172()
    reject(floor, 1)
    confirm(floor, 2, WHOLE)
    pay(floor, 2, 1, WHOLE)
    before = dict(floor.books.balances)
    reverse(floor, 1)
    assert (floor.held(1), floor.held(2)) == (cents(10_001), WHOLE)
    assert (floor.books.hits[2].state, floor.books.hits[2].confirmed) == ("paid", WHOLE)
    assert floor.pool() == cents(1010)
    # The reset that was returned is given again, and the operator covers what B was paid too much.
    assert before["operator"] - floor.books.balances["operator"] == cents(1000) + REST
    assert operator_of(floor, "cover") == REST
    assert floor.books.balances["rounding"] == before["rounding"]
    payout_bounds = bounds_of(floor.books, floor.books.hits[2])
    assert (payout_bounds.safe, payout_bounds.most, payout_bounds.due) == (WHOLE, WHOLE, 0)
    confirm(floor, 1, cents(10_001))
    pay(floor, 1, 1, cents(10_001))
    assert floor.books.balances["paid_cash"] == cents(20_027)
    assert floor.pool() == cents(1010)
    holds(floor)


def test_rejected_once_more_the_operator_has_it_back() -> None:
    floor = to_entry_172()
    reject(floor, 1)
    confirm(floor, 2, WHOLE)
    before = dict(floor.books.balances)
    reverse(floor, 1)
    reject(floor, 1)
    assert floor.books.balances == before
    assert operator_of(floor, "cover") == 0
    holds(floor)


def test_play_goes_on_and_later_hands_are_not_touched() -> None:
    floor = to_entry_172()
    reject(floor, 1)
    confirm(floor, 2, WHOLE)
    floor.press("t3")
    floor.call("t3")
    third = floor.held(3)
    reverse(floor, 1)
    assert floor.held(3) == third
    holds(floor)


def test_a_corrected_report_after_the_decision_is_kept_and_taken() -> None:
    floor = to_entry_172()
    floor.rounds["t3"] = floor.books.hits[1].round
    floor.report("t3", "As Ks", BOARD, folded=True)
    reject(floor, 1)
    outcome = floor.report("t3", "As Ks", BOARD)
    assert outcome == {"flags": ["after_decision"], "hit": 1}
    hit = floor.books.hits[1]
    assert hit.corrected is not None
    assert hit.corrected["entry"] == floor.books.seq
    assert hit.corrected["report"]["hands"][0]["folded"] is False
    assert hit.report is not None
    assert hit.report["hands"][0]["folded"] is True  # what it was decided on
    assert "corrected since" in reverse(floor, 1, report_entry=hit.report_entry)["refused"]
    corrected = hit.corrected["entry"]
    reverse(floor, 1)
    assert hit.newest_report == (corrected, hit.report)
    assert hit.report["hands"][0]["folded"] is False
    assert confirm(floor, 1, cents(10_001))["confirmed"] == cents(10_001)


def test_a_hand_that_was_for_no_prize_acts_at_its_place_too() -> None:
    """Reported without a call, as folded: nobody held anything until it was put right."""
    floor = to_entry_172()
    reject(floor, 1)
    reject(floor, 2)
    floor.press("t3")
    floor.report("t3", "As Ks", BOARD, folded=True)
    assert (floor.books.hits[3].tier, floor.held(3)) == (None, 0)
    place, pool = floor.books.seq, floor.pool()
    floor.press("t7")
    floor.call("t7")
    reject(floor, 3)
    whole = floor.held(4)
    confirm(floor, 4, whole)
    floor.report("t3", "As Ks", BOARD)
    outcome = reverse(floor, 3)
    hit = floor.books.hits[3]
    assert (hit.tier, hit.acts_at) == ("royal", place)
    assert outcome["held"] == -(-pool // cents(1)) * cents(1)
    assert floor.held(4) == whole
    assert operator_of(floor, "cover") == whole - cents(1001)  # one round came between the two
    holds(floor)


def test_who_may_and_when() -> None:
    floor = to_entry_172()
    assert "is not rejected" in reverse(floor, 1)["refused"]
    reject(floor, 1)
    assert (
        "two different people"
        in floor.decide(
            "reverse_rejection",
            first="mere",
            second="mere",
            hit=1,
            report_entry=None,
            reason="typed as folded",
            evidence="cctv 12",
        )["refused"]
    )
    assert "cannot be read" in reverse(floor, 1, evidence="")["refused"]
    assert "refused" not in reverse(floor, 1)
    assert "is not rejected" in reverse(floor, 1)["refused"]


def test_a_prize_that_was_closed() -> None:
    floor = to_entry_172()
    reject(floor, 1)
    reject(floor, 2)
    for table in ("t3", "t7"):
        floor.say(table, SessionClosed)
    floor.decide("close_tier", jackpot="house", tier="royal", to_account="operator", reason="end")
    assert "was closed" in reverse(floor, 1)["refused"]


@pytest.mark.parametrize("amount", [cents(5), -cents(5)])
def test_a_reversed_claim_keeps_what_it_was_reversed_with(amount: int) -> None:
    """B was reversed since: what it held is in the pool, and stays there."""
    floor = to_entry_172()
    reject(floor, 1)
    confirm(floor, 2, WHOLE)
    floor.decide("reverse_claim", hit=2, reason="R13", evidence="cctv 12")
    pool = floor.pool()
    floor.decide(
        "adjust_pool",
        tier="royal",
        source="operator",
        amount=amount,
        reason="A04",
        evidence="count",
    )
    reverse(floor, 1)
    assert floor.pool() == pool + amount
    assert (floor.held(1), floor.held(2)) == (cents(10_001), WHOLE)
    assert operator_of(floor, "cover") == REST
    holds(floor)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"hit": 1}, "Only a confirmed or paid claim is reversed; an open one is rejected."),
        ({"reason": "R15"}, "Choose one of the closed reasons R01 to R14."),
        (
            {"reason": "R10", "irregularity": "wrong_cards"},
            "Choose one of the misdeals of 20.1 for R08, or of the dead hands for R10.",
        ),
        ({}, "Hit 1 came before this one and is open: decide it first."),
    ],
)
def test_a_claim_is_reversed_for_a_closed_reason_behind_no_open_one(
    body: dict[str, Any], why: str
) -> None:
    """B is confirmed for its safe amount while A is open."""
    floor = to_entry_172()
    confirm(floor, 2, SAFE)
    before = dict(floor.books.balances)
    usual: dict[str, Any] = {"hit": 2, "reason": "R13", "evidence": "cctv 12"}
    assert floor.decide("reverse_claim", **usual | body)["refused"] == why
    assert floor.books.balances == before
