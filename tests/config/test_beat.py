"""Beat sends what is due, and says so only when it really has."""

from pathlib import Path
from typing import Any

import pytest
from celery.beat import SchedulingError

from config.beat import Beat
from config.celery import app


@pytest.fixture
def alive(tmp_path: Path, settings: Any) -> Path:
    """Where beat of this test gives its sign."""
    settings.BEAT_ALIVE_FILE = str(tmp_path / "alive")
    return tmp_path / "alive"


def test_everything_is_due_at_once_after_a_start(alive: Path) -> None:
    beat = Beat(app)
    assert {entry.name for entry in beat.schedule.values()} == set(app.conf.beat_schedule)
    assert all(entry.is_due().is_due for entry in beat.schedule.values())
    entry = next(beat.schedule["reconciliation"])
    assert not entry.is_due().is_due, "and then after its interval"


def test_what_was_sent_is_seen(alive: Path) -> None:
    beat = Beat(app)
    assert not alive.exists()
    beat.apply_async(beat.schedule["claims"])
    assert alive.exists()


def test_what_could_not_be_sent_is_not_seen(alive: Path) -> None:
    beat = Beat(app)
    beat.app = _Unreachable()
    with pytest.raises(SchedulingError):
        beat.apply_async(beat.schedule["claims"])
    assert not alive.exists()


class _Unreachable:
    """An application that finds no task and no broker."""

    tasks: dict[str, Any] = {}  # noqa: RUF012

    def send_task(self, *_: Any, **__: Any) -> None:
        raise ConnectionError("nobody there")
