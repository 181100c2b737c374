"""Shared by tests: dark displays."""

from typing import Any

from tests.support.books import royal_terms


def patient_terms(minutes: int | None = 5, **changes: Any) -> dict[str, Any]:
    return royal_terms(**changes) | {"dark_minutes": minutes}
