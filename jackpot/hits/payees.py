"""Who is paid: the lines of a claim as the fold keeps them, and what is still to be handed over.

Pure. A line is the plain JSON of `Hit.payees`; `jackpot.hits.columns.PayeeLine` says what stands in
it.
"""

from __future__ import annotations

from typing import Any, Protocol

from jackpot.hits.states import OVER, HitState, PayeeState

METHODS = ("chips", "cash", "equivalent")  # in which a payment is handed over (19.15)
TAX = "tax"  # the part of a payment that is withheld for the tax authority

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
        "state": PayeeState.DUE.value,
    }


def rest_of(state: str, amount: int, parts: dict[str, int]) -> int:
    """What is still to be handed over; nothing once the line is forfeited or reversed."""
    return 0 if state in OVER else amount - sum(parts.values())


def rest(line: Line) -> int:
    """What is still to be handed over of a line."""
    return rest_of(line["state"], line["amount"], line["parts"])


def standing_of(hit: _Claim) -> HitState:
    """A confirmed claim is paid when nothing of it is left to confirm or to hand over."""
    is_done = hit.held == hit.confirmed and all(rest(line) == 0 for line in hit.payees)
    return HitState.PAID if is_done else HitState.CONFIRMED


def held_in(line: Line) -> str:
    """The account that keeps the rest of a line."""
    return "unclaimed" if line["state"] == PayeeState.UNCLAIMED else "payable"
