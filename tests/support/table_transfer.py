"""Shared by tests: table transfer."""

from typing import Any

THERE = {"to_system": "high", "to_table": "h1"}


MOVE: dict[str, Any] = {"table": "t3", **THERE, "receipted": [[1, 4]], "reason": "High limit room"}
