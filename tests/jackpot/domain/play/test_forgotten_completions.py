"""The completion that was forgotten (19.19 with 19.10), beside the verifier's own fold."""

from typing import Any

import pytest

from jackpot.domain.state.verdicts import verdict_of
from jackpot.terms.money import MICROS
from tables.protocol import messages
from tests.support.play.books import royal_terms
from tests.support.proof.verified_books import Witnessed

RESET = 1000 * MICROS
HALF = MICROS // 2
FIGURES: dict[str, Any] = {"pot": 200 * MICROS, "commission": 10 * MICROS}


def floor_of(**changes: Any) -> Witnessed:
    """0.50 a round from the operator, 1% of the pot, 10% of the commission into the reserve."""
    increments = [
        {"source": "per_round", "amount": HALF},
        {"source": "pot", "basis_points": 100},
        {"source": "commission", "basis_points": 1000, "into": "reserve"},
    ]
    floor = Witnessed(royal_terms(increments=increments, **changes) | {"funding": "players"})
    floor.open("t3")
    floor.open("t7")
    return floor


def credit(floor: Witnessed, number: int = 1, *, completion: bool = True, **body: Any) -> Any:
    command_body: dict[str, Any] = {
        "table": "t3",
        "count": 1,
        "rounds": [number],
        "evidence": "camera 4",
    }
    if completion:
        command_body["completion"] = True
    return floor.decide("missed_rounds", second=None, **command_body | body)


def stands(floor: Witnessed) -> tuple[int, int]:
    return floor.pool(), floor.books.balances["royal:reserve"]


def test_19_19_the_completion_of_a_pressed_round_is_credited_by_its_number() -> None:
    floor = floor_of()
    floor.press("t3")
    outcome = credit(floor, **FIGURES)
    assert outcome == {"rounds": [1], "completion": True, "credited": {"royal": 3 * MICROS}}
    # 0.50 of the press, 2.00 of the pot, 1.00 of the commission; never 0.50 once more.
    assert stands(floor) == (RESET + HALF + 2 * MICROS, MICROS)
    assert "known already" in credit(floor, pot=MICROS)["refused"]
    assert stands(floor) == (RESET + HALF + 2 * MICROS, MICROS)


def test_19_10_the_completion_that_comes_after_all_counts_once() -> None:
    floor = floor_of()
    floor.press("t3")
    credit(floor, **FIGURES)
    before = stands(floor)
    late = floor.complete("t3", pot=20_000, commission=1_000)
    assert late == {"flags": ["adjusted_before"]}
    assert stands(floor) == before
    assert floor.complete("t3", pot=20_000, commission=1_000) == {"flags": ["repeat"]}
    assert stands(floor) == before


def test_a_completion_that_says_something_else_posts_the_difference_and_is_told() -> None:
    floor = floor_of()
    floor.press("t3")
    credit(floor, **FIGURES)
    late = floor.complete("t3", pot=30_000, commission=500)
    assert late["flags"] == ["adjusted_before", "figures_differ"]
    assert late["figures"] == {
        "pot": [200 * MICROS, 300 * MICROS],
        "commission": [10 * MICROS, 5 * MICROS],
    }
    assert stands(floor) == (RESET + HALF + 3 * MICROS, HALF)
    assert floor.books.rounds["t3", 1].differs == floor.books.seq


@pytest.mark.parametrize(
    ("figures", "differs"),
    [
        ({"pot": 20_000, "commission": 1_000, "uncalled": 0}, False),
        ({"pot": 20_000, "commission": 1_000, "uncalled": 1}, True),
        ({"pot": 20_001, "commission": 1_000}, True),
        ({"pot": 20_000, "commission": 999}, True),
        ({"pot": 20_000, "commission": 1_000, "jackpot_drop": 100}, True),  # to be returned
    ],
)
def test_which_difference_is_told(figures: dict[str, int], differs: bool) -> None:
    floor = floor_of()
    floor.press("t3")
    credit(floor, **FIGURES)
    assert ("figures_differ" in floor.complete("t3", **figures)["flags"]) == differs


def test_what_the_unit_does_not_say_stays_as_the_supervisor_said_it() -> None:
    floor = floor_of()
    floor.press("t3")
    credit(floor, **FIGURES)
    before = stands(floor)
    assert floor.complete("t3", commission=1_000) == {"flags": ["adjusted_before"]}
    assert stands(floor) == before
    assert floor.books.rounds["t3", 1].pot == FIGURES["pot"]


def test_figures_that_a_completion_lacks_are_credited_by_its_number_too() -> None:
    floor = floor_of()
    floor.press("t3")
    assert floor.complete("t3", commission=1_000) == {"flags": ["pot_missing"]}
    assert "known already" in credit(floor, commission=MICROS)["refused"]
    assert credit(floor, pot=200 * MICROS)["credited"] == {"royal": 2 * MICROS}
    assert stands(floor) == (RESET + HALF + 2 * MICROS, MICROS)


def test_the_start_and_then_the_completion_of_a_missed_round() -> None:
    floor = floor_of()
    credit(floor, 5, completion=False)
    assert credit(floor, 5, **FIGURES)["credited"] == {"royal": 3 * MICROS}
    assert stands(floor) == (RESET + HALF + 2 * MICROS, MICROS)
    floor.rounds["t3"] = 5
    late = floor.say("t3", messages.RoundStarted, round=5)
    assert late == {"flags": ["adjusted_before"]}
    assert floor.complete("t3", pot=20_000, commission=1_000) == {"flags": ["adjusted_before"]}
    assert stands(floor) == (RESET + HALF + 2 * MICROS, MICROS)


def test_nothing_was_taken_is_a_completion_too() -> None:
    floor = floor_of()
    floor.press("t3")
    assert credit(floor, pot=0, commission=0)["credited"] == {}
    assert floor.complete("t3", pot=0, commission=0) == {"flags": ["adjusted_before"]}
    assert floor.pool() == RESET + HALF


def test_a_completion_that_was_credited_counts_for_a_void_and_for_a_minimum() -> None:
    floor = floor_of()
    floor.press("t3")
    credit(floor, **FIGURES)
    body: dict[str, Any] = {"table": "t3", "round": 1, "reason": "wrong_count", "note": "seen"}
    outcome = floor.decide("void_round", second=None, **body)
    assert outcome["taken_back"] == {"royal": 3 * MICROS}
    assert stands(floor) == (RESET + HALF, 0)
    assert floor.complete("t3", pot=30_000) == {"flags": ["void"]}
    assert "void" in credit(floor, drop=1)["refused"]


@pytest.mark.parametrize(("pot", "pending"), [(99, []), (100, [()])])
def test_the_pot_of_a_forgotten_completion_decides_a_minimum(pot: int, pending: list[Any]) -> None:
    floor = floor_of(
        qualifying={
            "weakest": {"category": "royal_flush", "ranks": []},
            "games": ["holdem"],
            "pot_min_minor": 10_000,
        }
    )
    floor.press("t3")
    floor.report("t3", "As Ks", "Qs Js Ts 2d 3c")
    (seat,) = verdict_of(floor.books, floor.books.hits[1]).qualifying("royal")
    assert seat.pending == ("royal",)
    credit(floor, pot=pot * MICROS, commission=0)
    verdict = verdict_of(floor.books, floor.books.hits[1])
    assert [seat.pending for seat in verdict.qualifying("royal")] == pending


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"rounds": [9], **FIGURES}, "was not pressed"),
        ({"rounds": []}, "by its number"),
        ({"rounds": [1, 2], "count": 2, **FIGURES}, "by its number"),
        ({}, "Say the pot"),
        ({"players": 4, **FIGURES}, "players"),
        ({"uncalled": MICROS}, "with the pot"),
        ({"table": "t9", **FIGURES}, "No session"),
    ],
)
def test_what_no_forgotten_completion_can_be(body: dict[str, Any], why: str) -> None:
    floor = floor_of()
    floor.press("t3")
    floor.press("t3")
    before, rounds = stands(floor), dict(floor.books.rounds)
    assert why in credit(floor, **body)["refused"]
    assert (stands(floor), floor.books.rounds) == (before, rounds)


def test_a_pressed_round_is_no_missed_one() -> None:
    floor = floor_of()
    floor.press("t3")
    assert "only its completion" in credit(floor, completion=False, **FIGURES)["refused"]
    assert floor.pool() == RESET + HALF


def test_a_round_of_a_suspended_table_has_nothing_to_complete() -> None:
    floor = floor_of()
    body: dict[str, Any] = {"jackpot": "house", "table": "t3", "reason": "dark"}
    floor.decide("suspend", second=None, **body)
    floor.press("t3")
    assert "took no part" in credit(floor, **FIGURES)["refused"]


def test_a_round_whose_figures_feed_a_prize_waits_for_its_completion() -> None:
    floor = floor_of()
    floor.press("t3")
    assert floor.books.rounds["t3", 1].awaits
    plain = Witnessed(royal_terms())
    plain.open("t3")
    plain.press("t3")
    assert not plain.books.rounds["t3", 1].awaits


@pytest.mark.parametrize("name", ["pot", "commission", "drop"])
def test_figures_that_no_round_has_are_refused(name: str) -> None:
    """A unit's are left out and flagged; a supervisor's slip of zeros is refused (20)."""
    floor = floor_of()
    floor.press("t3")
    before = stands(floor)
    most = 10**9 * MICROS // 100
    for completion in (True, False):
        number = 1 if completion else 2
        refused = credit(floor, number, completion=completion, **{name: most + 1})["refused"]
        assert "zeros too many" in refused
    assert stands(floor) == before
    assert "refused" not in credit(floor, pot=most)


def test_the_completion_of_a_cancelled_round_is_not_credited() -> None:
    floor = floor_of()
    floor.press("t3")
    cancelled: dict[str, Any] = {
        "table": "t3",
        "round": 1,
        "reason": "double_press",
        "note": "twice",
    }
    assert "refused" not in floor.decide("cancel_round", second=None, **cancelled)
    before = stands(floor)
    assert "cancelled" in credit(floor, **FIGURES)["refused"]
    assert stands(floor) == before
