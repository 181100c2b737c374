"""Checkpoints every few seconds while blocks come. Every task may run twice."""

from celery import shared_task

from jackpot.transparency import checkpoints, folder, notes
from tables.alarms import raise_alarm
from tables.models import JackpotSystem

ALARM = "checkpoints"


@shared_task
def make_checkpoints() -> None:
    """A checkpoint of each system that has new blocks; in the database, and in the folder."""
    for system in JackpotSystem.objects.all():
        try:
            checkpoints.make(system)
            folder.write_out(system)
        except (notes.KeyUnreadable, OSError) as fault:
            raise_alarm(ALARM, system.code, f"No checkpoint of {system.name}: {fault}", system)
