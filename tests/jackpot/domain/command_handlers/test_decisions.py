"""Decisions that cannot take effect are refused with a sentence, and never halt a system."""

from typing import Any

import pytest

from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"tiers": []}, "at least one tier"),
        ({"tiers": None}, "cannot be read"),
        ({"code": "other"}, "has a tier royal too"),
        ({"games": ["omaha"]}, "names the game holdem"),
    ],
)
def test_terms_that_do_not_fit_are_refused(change: dict[str, Any], refusal: str) -> None:
    floor = Floor(royal_terms())
    outcome = floor.decide("put_terms", terms={**royal_terms(), **change})
    assert refusal in outcome["refused"]
    assert floor.pool() == 1000 * MICROS


def test_new_terms_strand_no_pool() -> None:
    floor = Floor(royal_terms())
    outcome = floor.decide("put_terms", terms=royal_terms(code="steel", name="Steel Wheel"))
    assert "The tier royal has a pool" in outcome["refused"]


@pytest.mark.parametrize(("tables", "refused"), [(["t3", "t7"], True), (["t9"], False)])
def test_chips_drop_for_one_jackpot_at_a_table(tables: list[str], refused: bool) -> None:
    drop = {"increments": [{"source": "drop", "basis_points": 10_000}]}
    steps = {"drop_steps": [{"pot_from": MICROS, "take": MICROS}], "funding": "players"}
    floor = Floor({**royal_terms(**drop), **steps, "tables": ["t3"]})
    second = {**royal_terms(code="steel", **drop), **steps, "code": "second", "tables": tables}
    outcome = floor.decide("put_terms", terms=second)
    assert ("chips are dropped for one" in outcome.get("refused", "")) is refused


def test_terms_of_a_round_are_those_at_its_first_entry() -> None:
    floor = Floor(royal_terms(increments=[{"source": "per_round", "amount": MICROS}]))
    floor.open("t3")
    floor.open("t7")
    floor.press("t3")
    floor.decide("put_terms", terms=royal_terms(reset=2000 * MICROS))
    floor.call("t3")
    assert floor.pool() == 1000 * MICROS  # the reset of the terms in which the round began
    floor.press("t7")
    assert floor.pool() == 1000 * MICROS + MICROS // 2
    floor.call("t7")
    assert floor.pool() == 2000 * MICROS


def test_a_figure_that_no_pot_can_come_to_is_flagged_and_moves_nothing() -> None:
    pot = {"source": "pot", "basis_points": 100}
    floor = Floor({**royal_terms(increments=[pot]), "funding": "players"})
    floor.open("t3")
    floor.press("t3")
    outcome = floor.complete("t3", pot=10**9 + 1)
    assert outcome == {"flags": ["pot_implausible", "pot_missing"]}
    floor.press("t3")
    floor.complete("t3", pot=10**9)
    assert floor.pool() == 101_000 * MICROS


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("confirm_claim", {"report_entry": None, "amount": 1, "payees": []}),
        (
            "reject_claim",
            {"report_entry": None, "reason": "R01", "evidence": "", "affected": False},
        ),
        ("amend_hand", {"report": {"boards": [], "hands": []}}),
        ("pay", {"line": 1, "parts": {}}),
    ],
)
def test_a_hit_that_is_not_there(kind: str, body: dict[str, Any]) -> None:
    outcome = Floor(royal_terms()).decide(kind, hit=7, **body)
    assert "hit 7" in outcome["refused"] or "confirmed claim" in outcome["refused"]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("put_terms", {}),
        ("amend_hand", {"hit": 1, "report": {}}),
        ("reject_claim", {"hit": "one", "report_entry": None}),
        ("confirm_claim", {"hit": 1, "report_entry": None, "amount": 1, "payees": [{"seat": 1}]}),
        ("pay", {"hit": 1, "seat": 1, "parts": {"cash": -1}}),
        ("pay", {"hit": 1, "seat": 1, "parts": {"gold": 1}}),
        ("abolish", {}),
    ],
)
def test_a_command_that_cannot_be_read_is_refused(kind: str, body: dict[str, Any]) -> None:
    outcome = Floor(royal_terms()).decide(kind, **body)
    assert "cannot be read" in outcome["refused"] or "no decision called" in outcome["refused"]


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"code": "x" * 40}, "cannot be read"),
        ({"code": "a:b"}, "cannot be read"),
        ({"name": ""}, "cannot be read"),
        ({"rank": 0}, "cannot be read"),
        ({"reset": 10**17}, "cannot be read"),
    ],
)
def test_tiers_that_the_database_could_not_hold_are_refused(
    change: dict[str, Any], refusal: str
) -> None:
    outcome = Floor().decide("put_terms", terms=royal_terms(**change))
    assert refusal in outcome["refused"]


def test_a_jackpot_is_for_games_with_a_flop() -> None:
    outcome = Floor().decide("put_terms", terms={**royal_terms(), "games": ["holdem", "draw"]})
    assert "19.7(a)" in outcome["refused"]


def test_a_decided_claim_is_decided_once() -> None:
    floor = Floor(royal_terms())
    floor.open("t3")
    floor.press("t3")
    floor.call("t3")
    floor.decide("reject_claim", hit=1, reason="R04", evidence="", affected=True)
    again = floor.decide("reject_claim", hit=1, reason="R04", evidence="", affected=True)
    assert again["refused"] == "This claim has been rejected already: nothing was changed."
    assert floor.pool() == 1000 * MICROS + MICROS // 2
