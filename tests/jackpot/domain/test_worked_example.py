"""Order decides money: the worked example, entry by entry, both ways."""

from tests.support.cases.hands.worked_example import cents, to_entry_172


def test_worked_example_to_entry_172() -> None:
    floor = to_entry_172()
    assert (floor.held(1), floor.held(2)) == (cents(10_001), cents(1025))
    assert floor.books.balances["rounding"] == -cents(0.63)
    assert sum(floor.books.balances.values()) == 0


def test_worked_example_173_rejection_of_a_acts_at_its_place() -> None:
    floor = to_entry_172()
    operator = floor.books.balances["operator"]
    floor.decide("reject_claim", hit=1, reason="R04", evidence="cctv 12", affected=True)
    assert floor.pool() == cents(1010)
    assert (floor.held(1), floor.held(2)) == (0, cents(10_026))
    assert floor.books.balances["royal:held"] == cents(10_026)
    assert floor.books.balances["operator"] - operator == cents(1000)  # one reset returned
    assert floor.books.balances["rounding"] == -cents(0.63)  # A's came back, B's was added
    outcome = floor.decide(
        "confirm_claim", hit=2, amount=cents(10_026), payees=[{"seat": 3, "amount": cents(10_026)}]
    )
    assert outcome["confirmed"] == cents(10_026)
    floor.decide("pay", hit=2, line=1, parts={"cash": cents(10_026)})
    assert floor.books.balances["paid_cash"] == cents(10_026)
    assert floor.pool() == cents(1010)


def test_the_other_way_b_rejected_first() -> None:
    floor = to_entry_172()
    floor.decide("reject_claim", hit=2, reason="R04", evidence="cctv 12", affected=True)
    assert floor.pool() == cents(1035)  # 1,025 stayed, the reset of B went back, 20 rounds
    assert floor.held(1) == cents(10_001)
    floor.decide("reject_claim", hit=1, reason="R04", evidence="cctv 13", affected=True)
    assert floor.pool() == cents(10_035.37)
    assert floor.books.balances["rounding"] == 0
    assert floor.books.balances["royal:held"] == 0


def test_b_is_paid_its_safe_amount_while_a_is_open_then_the_supplement() -> None:
    floor = to_entry_172()
    safe, rest = cents(1025), cents(9001)
    outcome = floor.decide(
        "confirm_claim", hit=2, amount=safe, payees=[{"seat": 3, "amount": safe}]
    )
    assert outcome["confirmed"] == safe
    floor.decide("pay", hit=2, line=1, parts={"cash": safe})
    assert floor.books.hits[2].state == "paid"
    floor.decide("reject_claim", hit=1, reason="R04", evidence="cctv 12", affected=True)
    assert (floor.held(2), floor.books.hits[2].state) == (cents(10_026), "confirmed")
    assert floor.books.balances["royal:held"] == rest
    floor.decide("confirm_claim", hit=2, amount=rest, payees=[{"seat": 3, "amount": rest}])
    floor.decide("pay", hit=2, line=2, parts={"chips": rest})
    assert floor.books.hits[2].state == "paid"
    assert floor.books.balances["royal:held"] == floor.books.balances["payable"] == 0
    assert floor.books.balances["paid_cash"] + floor.books.balances["paid_chips"] == cents(10_026)
    assert floor.pool() == cents(1010)


def test_more_than_the_safe_amount_is_not_confirmed_while_a_is_open() -> None:
    floor = to_entry_172()
    floor.decide("reject_claim", hit=1, reason="R04", evidence="cctv 12", affected=True)
    other = to_entry_172()
    whole = floor.held(2)
    outcome = other.decide(
        "confirm_claim", hit=2, amount=whole, payees=[{"seat": 3, "amount": whole}]
    )
    assert "amount changed" in outcome["refused"]
