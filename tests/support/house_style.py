"""Shared by tests: house style."""

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
