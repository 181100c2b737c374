"""Writer and verifier, each by code of its own, take the same commissions, and refuse the same."""

from typing import Any

import pytest

from jackpot.terms.posted_terms import parse
from rules.terms import TermsError
from tests.support.play.books import royal_terms
from verifier.fold.terms.shapes import Refusal
from verifier.fold.terms.terms import read

MOST = 10**16  # micros
VALID: list[Any] = [
    {"form": "percentage", "basis_points": 500},
    {"form": "percentage", "basis_points": 1000, "cap": None, "of_blinds_only": True},
    {"form": "percentage", "basis_points": 750, "cap": 0, "of_blinds_only": False},
    {"form": "percentage", "basis_points": 750, "cap": MOST},
    {"form": "per_hand", "amount": 0},
    {"form": "per_hand", "amount": MOST},
    {"form": "per_time", "amount_per_hour": 0},
    {"form": "per_time", "amount_per_hour": MOST},
    {"form": "none"},
    None,
]
INVALID: list[Any] = [
    {"form": "percentage"},
    {"form": "percentage", "basis_points": 499},
    {"form": "percentage", "basis_points": 1001},
    {"form": "percentage", "basis_points": 750, "cap": -1},
    {"form": "percentage", "basis_points": 750, "cap": MOST + 1},
    {"form": "percentage", "basis_points": 750, "of_blinds_only": 1},
    {"form": "percentage", "basis_points": 750, "amount": 1},
    {"form": "per_hand"},
    {"form": "per_hand", "amount": -1},
    {"form": "per_hand", "amount": MOST + 1},
    {"form": "per_hand", "amount": 1, "cap": 1},
    {"form": "per_time"},
    {"form": "per_time", "amount_per_hour": -1},
    {"form": "per_time", "amount_per_hour": MOST + 1},
    {"form": "per_time", "amount": 1},
    {"form": "none", "amount": 1},
    {"form": "PER_TIME", "amount_per_hour": 1},
    {"form": "per_round", "amount": 1},
    {"amount": 1},
    {},
    [],
    "none",
]


def posted(commission: Any) -> dict[str, Any]:
    return royal_terms() | {"commission": commission}


@pytest.mark.parametrize("commission", VALID, ids=str)
def test_both_take_it(commission: Any) -> None:
    assert parse(posted(commission))
    assert read(posted(commission))


@pytest.mark.parametrize("commission", INVALID, ids=str)
def test_both_refuse_it(commission: Any) -> None:
    with pytest.raises(TermsError):
        parse(posted(commission))
    with pytest.raises(Refusal):
        read(posted(commission))
