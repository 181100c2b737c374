"""Beat: which tasks are due, and a sign of life each time that it has really sent one.

Celery's own keeps its schedule in a file whose form depends on the library that a Python happens
to have (gdbm, ndbm, neither), and some of them write it only at the end. Nothing here is worth a
file: tasks are due every few seconds or minutes, each may run twice without harm, and after a start
all of them are due at once but those that have a time of the clock.
"""

from pathlib import Path
from typing import Any

from celery.beat import ScheduleEntry, Scheduler
from celery.schedules import crontab
from django.conf import settings

from config.celery_health import beat_sends, beat_turns


class Beat(Scheduler):
    """Named in the settings as CELERY_BEAT_SCHEDULER."""

    def setup_schedule(self) -> None:
        super().setup_schedule()
        for entry in self.schedule.values():
            if not isinstance(entry.schedule, crontab):
                entry.last_run_at -= entry.schedule.run_every

    def tick(self, *arguments: Any, **options: Any) -> Any:
        beat_turns.come()
        return super().tick(*arguments, **options)

    def apply_async(self, entry: ScheduleEntry, *arguments: Any, **options: Any) -> Any:
        result = super().apply_async(entry, *arguments, **options)
        # Only behind it: while the broker is away nothing is sent, and the file grows old.
        Path(settings.BEAT_ALIVE_FILE).touch()
        beat_sends.come()
        return result

    @property
    def info(self) -> str:
        return f"    . sign of life -> {settings.BEAT_ALIVE_FILE}"
