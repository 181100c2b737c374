"""Beat sends what is due, and says so only when it really has."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from celery.beat import SchedulingError
from celery.schedules import crontab

from config.beat import Beat
from config.celery import app


@pytest.fixture
def alive(tmp_path: Path, settings: Any) -> Path:
    """Where beat of this test gives its sign."""
    settings.BEAT_ALIVE_FILE = str(tmp_path / "alive")
    return tmp_path / "alive"


def test_what_has_an_interval_is_due_at_once_after_a_start(alive: Path) -> None:
    beat = Beat(app)
    assert {entry.name for entry in beat.schedule.values()} == set(app.conf.beat_schedule)
    timed = {each.name for each in beat.schedule.values() if isinstance(each.schedule, crontab)}
    assert timed == {"closed-days-compared"}
    for entry in beat.schedule.values():
        assert entry.name in timed or entry.is_due().is_due
    entry = next(beat.schedule["reconciliation"])
    assert not entry.is_due().is_due, "and then after its interval"


def test_what_has_a_time_waits_for_it(alive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison is thought of twice an hour: `settlement.tasks` says where it is night."""
    entry = Beat(app).schedule["closed-days-compared"]
    for minutes, is_due in ((0.5, False), (29.5, False), (30.5, True)):
        start = dt.datetime(2026, 10, 30, 14, 0, 15, tzinfo=dt.UTC)
        entry.last_run_at = start
        now = start + dt.timedelta(minutes=minutes)
        monkeypatch.setattr(entry.schedule, "nowfun", lambda now=now: now)
        assert entry.is_due().is_due == is_due, minutes


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
