"""Who is paid: the lines of a claim, and what is still to be handed over. Pure.

A line is one payee's part of one confirmation; a supplement adds lines of its own. As JSON in
`Hit.payees`: `line` (1, 2, ...), `seat`, `role`, `amount` (micros), `parts` (micros handed over
so far, by method), `payments` (their entries) and `state` (one of STATES).
"""

from __future__ import annotations

from typing import Any

METHODS = ("chips", "cash", "equivalent")  # 19.15
STATES = ("due", "part_paid", "paid", "withheld", "unclaimed", "forfeited", "reversed")
PAYABLE = ("due", "part_paid", "unclaimed")  # states in which the cage may pay

Line = dict[str, Any]


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


def held_in(line: Line) -> str:
    """The account that keeps the rest of a line."""
    return "unclaimed" if line["state"] == "unclaimed" else "payable"
