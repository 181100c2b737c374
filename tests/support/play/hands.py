"""A royal flush and its board as a unit reports them, typed and sent."""

from typing import Any

BOARD = ["Qs", "Js", "Ts", "2d", "3c"]


ROYAL = {"seat": 3, "hole": ["As", "Ks"]}


def typed(*hands: dict[str, Any], board: list[str] = BOARD) -> dict[str, Any]:
    """What a supervisor enters on the console."""
    usual = {"exposed": "yes", "folded": False, "participating": True, "won_pot": True}
    return {"boards": [board], "hands": [{**usual, **hand} for hand in hands]}
