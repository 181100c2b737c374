"""Display updates and ends of periods. A message is a hint: the work is derived from rows.

Every task may run twice.
"""

from celery import shared_task

from jackpot import display
from jackpot.period_calls import call_periods
from tables.models import JackpotSystem


@shared_task(expires=10)
def refresh_display(system_id: int) -> None:
    """Send what changed on one system."""
    display.refresh(system_id)


@shared_task
def refresh_displays() -> None:
    """Every system: what a lost hint missed, and a sign of life where nothing changed."""
    for system_id in JackpotSystem.objects.values_list("id", flat=True):
        display.refresh(system_id)


@shared_task
def end_periods() -> None:
    """Call for every period of a high hand that is over; the writer closes it in the order."""
    call_periods()
