"""Checkpoints every few seconds, and their cosignatures. Every task may run twice.

A witness that is slow holds up one task of its own: neither checkpoints nor other witnesses.
"""

from celery import shared_task
from django.conf import settings

from jackpot.labels.order_alarms import OrderAlarm
from jackpot.transparency import checkpoints, folder, notes, witnesses
from tables.alarms import raise_alarm

ALARM = "checkpoints"


@shared_task
def make_checkpoints() -> None:
    """A checkpoint of each system that has new blocks; in the database, and in the folder."""
    for system, blocks, size in checkpoints.sizes():
        try:
            checkpoint = checkpoints.make(system) if blocks > size else None
            folder.write_out(system, checkpoint.size if checkpoint else size)
        except (notes.KeyUnreadable, OSError) as fault:
            says = OrderAlarm.NO_CHECKPOINT % {"system": system.name, "fault": fault}
            raise_alarm(ALARM, system.code, says, system)


@shared_task
def ask_witnesses() -> None:
    """A task for each witness that is to be asked now."""
    try:
        for name in witnesses.due():
            ask_witness.apply_async([name], expires=settings.CHECKPOINT_EVERY_S)
    except notes.KeyUnreadable as fault:
        raise_alarm(witnesses.ALARM, "WITNESSES", str(fault))


@shared_task(time_limit=110)  # then the claim of this worker is over, too
def ask_witness(name: str) -> None:
    """Have one witness cosign what it is to cosign."""
    witnesses.ask(name)
