"""The paper on which a house prints: of most places A4, of the United States Letter."""

from __future__ import annotations

from typing import Literal

from reportlab.lib.pagesizes import A4, LETTER

Paper = Literal["a4", "letter"]
SIZES: dict[Paper, tuple[float, float]] = {"a4": A4, "letter": LETTER}  # points, upright
