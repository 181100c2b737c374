"""Who is paid: the lines of a claim as the fold keeps them, and what is still to be handed over.

Pure. A line is the plain JSON of `Hit.payees`; `jackpot.hit_columns.PayeeLine` says what stands in
it.
"""

from __future__ import annotations

from typing import Any, Protocol

from jackpot.hit_columns import METHODS, PAYABLE, TAX, rest_of

__all__ = ["METHODS", "PAYABLE", "TAX", "Line", "held_in", "new_line", "rest", "standing_of"]

Line = dict[str, Any]


class _Claim(Protocol):
    held: int
    confirmed: int
    payees: list[Line]


def new_line(number: int, seat: int, role: str, amount: int) -> Line:
    """A line of which nothing is paid."""
    return {
        "line": number,
        "seat": seat,
        "role": role,
        "amount": amount,
        "parts": dict.fromkeys(METHODS, 0),
        "payments": [],
        "state": "due",
    }


def rest(line: Line) -> int:
    """What is still to be handed over; nothing once the line is forfeited or reversed."""
    return rest_of(line["state"], line["amount"], line["parts"])


def standing_of(hit: _Claim) -> str:
    """A confirmed claim is paid when nothing of it is left to confirm or to hand over."""
    done = hit.held == hit.confirmed and all(rest(line) == 0 for line in hit.payees)
    return "paid" if done else "confirmed"


def held_in(line: Line) -> str:
    """The account that keeps the rest of a line."""
    return "unclaimed" if line["state"] == "unclaimed" else "payable"
