"""Void, cancelled and missed rounds, with their numbers (19.9, 19.10, 19.19, 20.1)."""

from typing import Any

import pytest

from jackpot.terms.money import MICROS
from tables.protocol import messages
from tests.support.cases.terms.lifecycle import two_tiers
from tests.support.play.books import Floor, royal_terms
from tests.support.proof.verified_books import Witnessed

RESET = 1000 * MICROS
HALF = MICROS // 2


def floor_of(**changes: Any) -> Floor:
    """0.50 a round from the operator; 1% of the pot to the pool, 10% of commission reserved."""
    increments = [
        {"source": "per_round", "amount": HALF},
        {"source": "pot", "basis_points": 100},
        {"source": "commission", "basis_points": 1000, "into": "reserve"},
    ]
    floor = Floor(royal_terms(increments=increments, **changes) | {"funding": "players"})
    floor.open("t3")
    floor.open("t7")
    return floor


def played(floor: Floor, table: str = "t3") -> None:
    """A pot of 200.00 and a commission of 10.00: 2.00 to the pool, 1.00 to the reserve."""
    floor.press(table)
    floor.complete(table, pot=20_000, commission=1_000)


def void(floor: Floor, table: str = "t3", reason: str = "wrong_count", **body: Any) -> Any:
    command_body: dict[str, Any] = {"round": floor.rounds[table], "reason": reason, "note": "seen"}
    return floor.decide("void_round", second=None, table=table, **command_body | body)


def cancel(floor: Floor, table: str = "t3", **body: Any) -> Any:
    command_body: dict[str, Any] = {
        "round": floor.rounds[table],
        "reason": "double_press",
        "note": "seen",
    }
    return floor.decide("cancel_round", second=None, table=table, **command_body | body)


def missed(floor: Floor, table: str = "t3", count: int = 1, **body: Any) -> Any:
    command_body: dict[str, Any] = {"count": count, "evidence": "camera 4"}
    return floor.decide("missed_rounds", second=None, table=table, **command_body | body)


def test_20_1_a_void_round_gives_the_players_their_money_back() -> None:
    floor = floor_of()
    played(floor)
    assert (floor.pool(), floor.books.balances["royal:reserve"]) == (1002_500_000, 1_000_000)
    outcome = void(floor)
    assert outcome == {"round": 1, "taken_back": {"royal": 3_000_000}}
    # The operator's money stays: it covers the redeal.
    assert (floor.pool(), floor.books.balances["royal:reserve"]) == (1000_500_000, 0)
    assert floor.books.balances["pot"] == floor.books.balances["commission"] == 0
    assert "already" in void(floor)["refused"]


def test_what_comes_for_a_void_round_afterwards() -> None:
    floor = floor_of()
    floor.rounds["t3"] = 1
    assert void(floor)["taken_back"] == {}
    # It had not begun: its start covers the redeal, its completion was given back.
    assert floor.say("t3", messages.RoundStarted, round=1) == {"flags": ["void"]}
    assert floor.complete("t3", pot=20_000, commission=1_000) == {"flags": ["void"]}
    assert floor.pool() == RESET + HALF
    assert floor.call("t3")["flags"] == ["void"]
    held = floor.report("t3", "As Ks", "Qs Js Ts 2d 3c")["held"]
    assert held == 1001 * MICROS
    payees = [{"seat": 3, "amount": held}]
    refused = floor.decide("confirm_claim", hit=1, amount=held, payees=payees)["refused"]
    assert "no hand of it wins" in refused
    rejected = floor.decide("reject_claim", hit=1, reason="R08", evidence="camera", affected=True)
    assert rejected["hit"] == 1
    assert floor.pool() == RESET + HALF


def test_a_void_after_a_hit_of_that_round_acts_at_its_own_place() -> None:
    """The hit is settled on what was there; rejecting it gives the pool without the round."""
    floor = floor_of()
    floor.press("t3")
    floor.complete("t3", pot=20_000, commission=1_000)
    first = floor.call("t3")
    assert first["held"] == 1003 * MICROS  # 1,002.50 rounded up
    # The reset took the reserve first: 1.00 of it, the operator gave 999.00.
    assert (floor.pool(), floor.books.balances["royal:reserve"]) == (RESET, 0)
    played(floor, "t7")
    second = floor.call("t7")
    assert second["held"] == 1003 * MICROS
    outcome = void(floor)
    assert (outcome["hit"], outcome["taken_back"]) == (1, {"royal": 3_000_000})
    assert (floor.held(1), floor.held(2)) == (1003 * MICROS, 1003 * MICROS)
    assert floor.pool() == RESET - 3 * MICROS  # nothing in the reserve: the pool gives all
    floor.decide("reject_claim", hit=1, reason="R08", evidence="camera", affected=True)
    # Without the first hit: 1,002.50 + 2.50 stood when the second came, the reserve had 2.00.
    assert floor.held(2) == 1005 * MICROS
    assert floor.pool() == RESET - 3 * MICROS
    floor.decide("reject_claim", hit=2, reason="R08", evidence="camera", affected=True)
    assert (floor.pool(), floor.books.balances["royal:reserve"]) == (1003 * MICROS, 1 * MICROS)


def test_nothing_to_take_the_round_back_from() -> None:
    floor = floor_of()
    played(floor)
    floor.decide(
        "adjust_pool",
        tier="royal",
        source="operator",
        amount=-1002 * MICROS,
        reason="A09",
        evidence="transfer",
        below_reset="it ends tonight",
    )
    assert (floor.pool(), floor.books.balances["royal:reserve"]) == (500_000, 1_000_000)
    operator = floor.books.balances["operator"]
    void(floor)
    # 3.00 go back: 0.50 and 1.00 were there, the operator gives 1.50.
    assert (floor.pool(), floor.books.balances["royal:reserve"]) == (0, 0)
    assert floor.books.balances["operator"] == operator - 1_500_000
    assert floor.books.balances["pot"] == floor.books.balances["commission"] == 0


def test_a_confirmed_claim_is_not_made_void() -> None:
    floor = floor_of()
    played(floor)
    held = floor.call("t3")["held"]
    floor.report("t3", "As Ks", "Qs Js Ts 2d 3c")
    floor.decide("confirm_claim", hit=1, amount=held, payees=[{"seat": 3, "amount": held}])
    pool = floor.pool()
    assert "confirmed" in void(floor)["refused"]
    assert floor.pool() == pool


def test_a_cancelled_round_gives_the_operator_his_money_back() -> None:
    floor = floor_of()
    floor.press("t3")
    floor.press("t3")
    assert cancel(floor) == {"round": 2, "taken_back": {"royal": HALF}}
    assert floor.pool() == RESET + HALF
    assert "already" in cancel(floor)["refused"]
    assert floor.say("t3", messages.RoundStarted, round=2) == {"flags": ["repeat"]}
    # It was dealt after all: what was taken from the pot counts, and is flagged.
    assert floor.complete("t3", pot=20_000, commission=0)["flags"] == ["cancelled"]
    assert floor.pool() == RESET + HALF + 2 * MICROS
    assert void(floor)["taken_back"] == {"royal": 2_000_000}


@pytest.mark.parametrize("dealt", ["complete", "call"])
def test_a_round_that_was_dealt_is_not_cancelled(dealt: str) -> None:
    floor = floor_of()
    floor.press("t3")
    if dealt == "complete":
        floor.complete("t3", pot=0, commission=0)
    else:
        floor.call("t3")
    assert "dealt" in cancel(floor)["refused"]
    assert "not pressed" in cancel(floor, round=9)["refused"]


def test_19_19_missed_rounds_are_credited_by_the_terms() -> None:
    floor = floor_of()
    outcome = missed(floor, count=3)
    assert outcome == {"rounds": [], "credited": {"royal": 3 * HALF}}
    assert floor.pool() == RESET + 3 * HALF
    outcome = missed(floor, pot=200 * MICROS, commission=10 * MICROS)
    assert outcome["credited"] == {"royal": 3_500_000}
    assert floor.books.balances["royal:reserve"] == MICROS
    assert floor.books.balances["pot"] == -2 * MICROS


def test_what_is_credited_counts_for_the_hit_after_it() -> None:
    floor = floor_of(share=5_000)
    missed(floor, count=10)
    floor.press("t3")
    held = floor.call("t3")["held"]
    assert held == 503 * MICROS  # half of 1,005.50 up to 1,006.00
    missed(floor, count=10)
    assert floor.held(1) == held


def test_what_comes_after_it_was_credited_posts_the_difference() -> None:
    floor = floor_of()
    missed(floor, rounds=[5], pot=100 * MICROS, commission=10 * MICROS)
    assert (floor.pool(), floor.books.balances["royal:reserve"]) == (
        RESET + HALF + MICROS,
        MICROS,
    )
    floor.rounds["t3"] = 5
    late = floor.say("t3", messages.RoundStarted, "late", round=5)
    assert late == {"flags": ["adjusted_before", "late"]}
    late = floor.complete("t3", pot=20_000, commission=500)
    assert late["flags"] == ["adjusted_before", "figures_differ"]
    assert floor.pool() == RESET + HALF + 2 * MICROS  # 1.00 more of the pot
    assert floor.books.balances["royal:reserve"] == HALF  # 0.50 less of the commission
    assert floor.books.balances["commission"] == -HALF
    assert void(floor)["taken_back"] == {"royal": 2_500_000}
    assert floor.pool() == RESET + HALF


def test_a_start_with_other_players_than_it_was_credited_for() -> None:
    increments = [{"source": "per_round", "amount": HALF, "players_min": 4}]
    floor = Floor(royal_terms(increments=increments))
    floor.open("t3")
    assert "nothing is added" in missed(floor, rounds=[1], players=3)["refused"]
    missed(floor, rounds=[1], players=6)
    assert floor.pool() == RESET + HALF
    floor.say("t3", messages.RoundStarted, "late", round=1, seats_dealt=[1, 2])
    assert floor.pool() == RESET


def test_a_hand_without_a_start_is_credited_its_start_only() -> None:
    floor = floor_of()
    floor.rounds["t3"] = 4
    floor.complete("t3", pot=20_000, commission=0)
    assert "give no figures" in missed(floor, rounds=[4], pot=1)["refused"]
    assert missed(floor, rounds=[4])["credited"] == {"royal": HALF}
    assert "credited" in missed(floor, rounds=[4])["refused"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"rounds": [1]}, "was pressed"),
        ({"rounds": [7, 7], "count": 2}, "once"),
        ({"rounds": [7], "count": 2}, "as many"),
        ({"count": 2, "pot": 1}, "one round"),
        ({"count": 0}, "cannot be read"),
        ({"count": 101}, "cannot be read"),
        ({"table": "t9"}, "open its session"),
        ({"table": "t9", "rounds": [7]}, "No session"),
    ],
)
def test_what_no_missed_round_can_be(body: dict[str, Any], why: str) -> None:
    floor = floor_of()
    floor.press("t3")
    pool, rounds = floor.pool(), dict(floor.books.rounds)
    assert why in missed(floor, **body)["refused"]
    assert (floor.pool(), floor.books.rounds) == (pool, rounds)


def test_a_limit_sends_what_is_above_to_the_overflow() -> None:
    floor = floor_of(limit=RESET + MICROS)
    missed(floor, count=10)
    assert (floor.pool(), floor.books.balances["royal:overflow"]) == (RESET + MICROS, 4 * MICROS)


@pytest.mark.parametrize(
    ("to", "account", "after"),
    [
        # 1,001.50 and 51.00 together, less 1.00 of each
        ({"to_tier": "royal"}, "royal:pool", 1_050_500_000),
        ({"to_account": "adjustments"}, "adjustments", 50 * MICROS),
    ],
)
def test_what_a_closed_tier_was_given_comes_from_where_its_pools_went(
    to: dict[str, str], account: str, after: int
) -> None:
    floor = Floor(two_tiers())
    floor.open("t3")
    floor.press("t3")
    floor.complete("t3", pot=10_000)  # 1.00 to each
    floor.say("t3", messages.SessionClosed)
    closed = floor.decide("close_tier", jackpot="house", tier="grand", reason="season", **to)
    assert closed["before"] == [51 * MICROS, 0, 0]
    assert void(floor)["taken_back"] == {"royal": MICROS, "grand": MICROS}
    assert floor.books.balances[account] == after
    assert floor.books.balances["pot"] == 0
    assert sum(floor.books.balances.values()) == 0
    assert floor.books.balances["grand:pool"] == 0


def test_what_a_closed_tiers_reserve_was_given_comes_from_the_reserve_that_it_went_to() -> None:
    """1,000.50 and 50.00 in the pools, 1.00 in each reserve, which that round had put there."""
    terms = two_tiers()
    for tier in terms["tiers"]:
        others = [part for part in tier["increments"] if part["source"] != "pot"]
        tier["increments"] = [*others, {"source": "pot", "basis_points": 100, "into": "reserve"}]
    floor = Witnessed(terms)
    floor.open("t3")
    floor.press("t3")
    floor.complete("t3", pot=10_000)
    floor.say("t3", messages.SessionClosed)
    floor.decide("close_tier", jackpot="house", tier="grand", to_tier="royal", reason="season")
    balances, of_witness = floor.books.balances, floor.witness.balances
    assert (balances["royal:pool"], balances["royal:reserve"]) == (1050_500_000, 2 * MICROS)
    assert void(floor)["taken_back"] == {"royal": MICROS, "grand": MICROS}
    for held in (balances, of_witness):
        assert (held["royal:pool"], held["royal:reserve"], held["pot"]) == (1050_500_000, 0, 0)


def test_a_late_start_of_a_closed_tiers_missed_round_settles_where_its_pools_went() -> None:
    """Two players were credited as none; the difference follows the pools."""
    per_round = {"source": "per_round", "amount": HALF, "players_min": 2}
    terms = two_tiers()
    terms["tiers"][1] = terms["tiers"][1] | {"increments": [per_round]}
    floor = Floor(terms)
    floor.open("t3")
    missed(floor, rounds=[1], players=2)
    assert floor.pool("grand") == 50 * MICROS + HALF
    floor.say("t3", messages.SessionClosed)
    floor.decide("close_tier", jackpot="house", tier="grand", to_tier="royal", reason="season")
    before = floor.pool()
    assert before == 1051 * MICROS  # 1,000.50 and 50.50
    floor.press("t3", seats_dealt=[3])  # one player after all: grand's part was too much
    assert floor.pool() == before - HALF
    assert sum(floor.books.balances.values()) == 0
