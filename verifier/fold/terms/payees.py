"""Who is to be paid of a claim: one line for each payee of each confirmation."""

from __future__ import annotations

from dataclasses import dataclass, field

METHODS = ("chips", "cash", "equivalent")  # 19.15
TAX = "tax"  # what a payment withholds; a line says so only where there was any
ROLES = ("loser", "winner", "table")  # in the order of payment


@dataclass(slots=True)
class Line:
    """A payee's part of one confirmation; `parts`: what was paid of it, in which entries."""

    line: int
    seat: int
    role: str
    amount: int
    parts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(METHODS, 0))
    payments: list[int] = field(default_factory=list)
    state: str = "due"

    @property
    def rest(self) -> int:
        """What is still to be handed over."""
        is_closed = self.state in ("forfeited", "reversed")
        return 0 if is_closed else self.amount - sum(self.parts.values())

    @property
    def account(self) -> str:
        """Where the rest is kept."""
        return "unclaimed" if self.state == "unclaimed" else "payable"
