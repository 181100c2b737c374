"""A reported hand, made from its seat and hole cards, for the division of a prize."""

from typing import Any


def hand(seat: int, hole: str = "", **more: Any) -> dict[str, Any]:
    usual = {"exposed": "yes", "folded": False, "participating": True, "won_pot": False}
    return {"seat": seat, "hole": hole.split(), **usual, **more}
