"""Where a table is moved to, as the command names it."""

from typing import Any

THERE = {"to_system": "high", "to_table": "h1"}


MOVE: dict[str, Any] = {"table": "t3", **THERE, "receipted": [[1, 4]], "reason": "High limit room"}
