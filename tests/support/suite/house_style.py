"""The project's root."""

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
