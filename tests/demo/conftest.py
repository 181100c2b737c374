"""Where a demo of the tests keeps its files, and people whose passwords are hashed quickly."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.servers.postgres import PrivatePostgres
from tests.support.suite.quick_settings import quick_passwords

__all__ = ["quick_passwords"]


@pytest.fixture
def var() -> Iterator[Path]:
    """A place for the demo's files that servers of another account may pass through."""
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as directory:
        Path(directory).chmod(0o711)
        yield Path(directory) / "var"
        if (Path(directory) / "var" / "postgres").exists():
            PrivatePostgres(Path(directory) / "var" / "postgres").remove()
