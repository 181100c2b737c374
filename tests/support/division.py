"""Shared by tests: division."""

from typing import Any


def hand(seat: int, hole: str = "", **more: Any) -> dict[str, Any]:
    usual = {"exposed": "yes", "folded": False, "participating": True, "won_pot": False}
    return {"seat": seat, "hole": hole.split(), **usual, **more}
