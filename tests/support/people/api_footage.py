"""A review of footage as the API takes it."""

from typing import Any

REVIEW: dict[str, Any] = {
    "reviewer": "Tane Rua",
    "camera": "12",
    "since": "2026-11-21T10:10:00Z",
    "until": "2026-11-21T10:18:00Z",
    "reference": "DVR-4411",
    "finding": "Hand tabled, pot not pushed",
}
