"""Who is paid: the lines of a claim, and what is still to be handed over. Pure.

A line is one payee's part of one confirmation; a supplement adds lines of its own. As JSON in
`Hit.payees`: `line` (1, 2, ...), `seat`, `role`, `amount` (micros), `parts` (micros handed over
so far, by method), `payments` (their entries) and `state` (one of STATES).
"""

from __future__ import annotations

from typing import Any, Protocol

METHODS = ("chips", "cash", "equivalent")  # 19.15
STATES = ("due", "part_paid", "paid", "withheld", "unclaimed", "forfeited", "reversed")
PAYABLE = ("due", "part_paid", "unclaimed")  # states in which the cage may pay

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


def paid(line: Line) -> int:
    """What was handed over so far, in micros."""
    return sum(line["parts"].values())


def rest(line: Line) -> int:
    """What is still to be handed over; nothing once the line is forfeited or reversed."""
    if line["state"] in ("forfeited", "reversed"):
        return 0
    return int(line["amount"]) - paid(line)


def standing_of(hit: _Claim) -> str:
    """A confirmed claim is paid when nothing of it is left to confirm or to hand over."""
    done = hit.held == hit.confirmed and all(rest(line) == 0 for line in hit.payees)
    return "paid" if done else "confirmed"


def held_in(line: Line) -> str:
    """The account that keeps the rest of a line."""
    return "unclaimed" if line["state"] == "unclaimed" else "payable"
