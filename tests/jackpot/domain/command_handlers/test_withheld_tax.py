"""Tax that a payment withholds: lines of its own, remitted later, and back with a reversal."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms

UNIT = MICROS
WON = 10_000 * UNIT
NET, TAX = 7_000 * UNIT, 3_000 * UNIT


def confirmed() -> Floor:
    """A royal flush of table 3 that came to 10,000.00, confirmed for seat 3."""
    floor = Floor(royal_terms(reset=WON - UNIT // 2))  # and 0.50 of the round
    floor.open("t3")
    floor.press("t3")
    floor.report("t3", "As Ks", "Qs Js Ts 2d 3c")
    due = floor.held(1)
    payees = [{"seat": 3, "role": "winner", "amount": due}]
    assert "refused" not in floor.decide("confirm_claim", hit=1, amount=due, payees=payees)
    return floor


def pay(floor: Floor, **parts: int) -> dict[str, Any]:
    return floor.decide("pay", second=None, hit=1, line=1, parts=parts)


def balances(floor: Floor, *names: str) -> list[int]:
    assert sum(floor.books.balances.values()) == 0
    return [floor.books.balances.get(name, 0) // UNIT for name in names]


@pytest.fixture
def floor() -> Floor:
    floor = confirmed()
    outcome = pay(floor, cash=NET, tax=TAX)
    assert outcome == {"hit": 1, "line": 1, "part": 1, "seat": 3, "paid": floor.held(1)}
    return floor


def test_a_payment_moves_net_and_tax_apart(floor: Floor) -> None:
    assert balances(floor, "paid_cash", "withheld_tax", "payable") == [7_000, 3_000, 0]
    (line,) = floor.books.hits[1].payees
    assert line["parts"] == {"chips": 0, "cash": NET, "equivalent": 0, "tax": TAX}
    assert (line["state"], floor.books.hits[1].state) == ("paid", "paid")
    moved = {each.reason: each for each in floor.books.transfers}
    tax = moved["withholding"]
    assert (tax.debit, tax.credit, tax.amount, tax.hit) == ("payable", "withheld_tax", TAX, 1)


def test_without_tax_a_line_says_nothing_of_it() -> None:
    """Lines, bodies and outcomes stay as they were recorded before there was any."""
    floor = confirmed()
    pay(floor, chips=UNIT)
    (line,) = floor.books.hits[1].payees
    assert line["parts"] == {"chips": UNIT, "cash": 0, "equivalent": 0}


def test_no_more_than_is_due_is_paid_and_withheld() -> None:
    floor = confirmed()
    assert "must come to what is due" in pay(floor, cash=NET, tax=TAX + UNIT)["refused"]
    assert "cannot be read" in pay(floor, cash=NET, tax=-TAX)["refused"]
    assert balances(floor, "paid_cash", "withheld_tax", "payable") == [0, 0, 10_000]


def test_what_was_unclaimed_is_withheld_of_as_well() -> None:
    floor = confirmed()
    floor.decide("unclaimed", second=None, hit=1, line=1)
    pay(floor, cash=NET, tax=TAX)
    assert balances(floor, "unclaimed", "withheld_tax", "paid_cash") == [0, 3_000, 7_000]


def test_remitted_and_reversed(floor: Floor) -> None:
    accounts = ("withheld_tax", "remitted_tax")
    remit: dict[str, Any] = {"kind": "remit_tax", "second": None, "reference": "EFTPS 4711"}
    assert floor.decide(**remit, amount=2_000 * UNIT) == {"remitted": 2_000 * UNIT}
    assert balances(floor, *accounts) == [1_000, 2_000]
    assert "is not withheld any more" in floor.decide(**remit, amount=1_001 * UNIT)["refused"]
    assert "cannot be read" in floor.decide(**remit, amount=0)["refused"]
    number = floor.books.seq - 2
    undo: dict[str, Any] = {"kind": "reverse_remittance", "second": None, "reason": "keyed twice"}
    assert "not there before it" in floor.decide(**undo, amount=UNIT, remittance=99)["refused"]
    assert "was not remitted" in floor.decide(**undo, amount=TAX, remittance=number)["refused"]
    outcome = floor.decide(**undo, amount=2_000 * UNIT, remittance=number)
    assert outcome == {"remitted": -2_000 * UNIT}
    assert balances(floor, *accounts) == [3_000, 0]


def reverse(floor: Floor, **recovered: int) -> dict[str, Any]:
    ground = {"reason": "R13", "evidence": "camera 4", "recovered": recovered}
    return floor.decide("reverse_claim", "anna", "tom", hit=1, **ground)


def test_a_reversal_takes_back_what_was_not_remitted(floor: Floor) -> None:
    """6,000.00 recovered in cash, 3,000.00 still withheld: 1,000.00 is the operator's loss."""
    pool, (operator,) = floor.pool(), balances(floor, "operator")
    assert reverse(floor, cash=6_000 * UNIT)["reversed"] == WON
    assert floor.pool() == pool + WON
    assert balances(floor, "paid_cash", "withheld_tax") == [1_000, 0]
    assert balances(floor, "operator") == [operator - 1_000]


def test_of_remitted_tax_a_reversal_is_the_operators_loss(floor: Floor) -> None:
    """Of 3,000.00 the authority has 2,500.00: the account gives the 500.00 that are left."""
    floor.decide("remit_tax", second=None, amount=2_500 * UNIT, reference="EFTPS 4711")
    (operator,) = balances(floor, "operator")
    assert reverse(floor, cash=NET)["reversed"] == WON
    assert balances(floor, "withheld_tax", "remitted_tax") == [0, 2_500]
    assert balances(floor, "operator") == [operator - 2_500]


def test_tax_cannot_be_recovered_by_a_figure(floor: Floor) -> None:
    assert "cannot be read" in reverse(floor, cash=NET, tax=TAX)["refused"]


_STEPS = st.one_of(
    st.tuples(st.just("pay"), st.integers(0, 4_000), st.integers(0, 4_000)),
    st.tuples(st.just("remit"), st.integers(1, 4_000), st.just(0)),
    st.tuples(st.just("undo"), st.integers(1, 4_000), st.just(0)),
    st.tuples(st.just("reverse"), st.integers(0, 4_000), st.just(0)),
)


@given(st.lists(_STEPS, max_size=12))
def test_tax_is_withheld_remitted_or_back_in_the_pool(steps: list[tuple[str, int, int]]) -> None:
    """Against a plain count in units: whatever the order, nothing is lost or below zero."""
    floor = confirmed()
    pool, due, tax, withheld, remitted, is_open = floor.pool() // UNIT, 10_000, 0, 0, 0, True
    for kind, first, second in steps:
        amount = first * UNIT
        if kind == "pay":
            outcome = pay(floor, chips=amount, tax=second * UNIT)
            is_due = is_open and 0 < first + second <= due
            assert ("refused" not in outcome) is is_due
            if is_due:
                due, tax, withheld = due - first - second, tax + second, withheld + second
        elif kind == "remit":
            outcome = floor.decide("remit_tax", second=None, amount=amount, reference="x")
            assert ("refused" not in outcome) is (first <= withheld)
            if first <= withheld:
                withheld, remitted = withheld - first, remitted + first
        elif kind == "undo":
            body: dict[str, Any] = {"amount": amount, "remittance": 1, "reason": "x"}
            outcome = floor.decide("reverse_remittance", second=None, **body)
            assert ("refused" not in outcome) is (first <= remitted)
            if first <= remitted:
                withheld, remitted = withheld + first, remitted - first
        else:
            outcome = reverse(floor)
            assert ("refused" not in outcome) is is_open
            if is_open:
                withheld, pool, is_open = withheld - min(tax, withheld), pool + 10_000, False
        assert balances(floor, "withheld_tax", "remitted_tax") == [withheld, remitted]
        assert floor.pool() // UNIT == pool
