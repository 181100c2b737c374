"""The report of a royal flush as the form of an entered hand sends it."""

from typing import Any

HAND: dict[str, Any] = {"seat": 3, "hole": ["as", "ks"], "exposed": "yes", "folded": False}


HAND |= {"participating": True, "won_pot": True}


REPORT: dict[str, Any] = {
    "boards": [["qs", "js", "10s", "2d", "3c"]],
    "hands": [HAND],
}
