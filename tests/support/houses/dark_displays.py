"""Terms that suspend a table after its display has been dark for some minutes."""

from typing import Any

from tests.support.play.books import royal_terms


def patient_terms(minutes: int | None = 5, **changes: Any) -> dict[str, Any]:
    return royal_terms(**changes) | {"dark_minutes": minutes}
