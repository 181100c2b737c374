"""Display updates, dark displays, ends of periods. A message is a hint: work is derived from rows.

Every task may run twice.
"""

from celery import shared_task

from jackpot.display import values as display
from jackpot.display.dark_displays import watch_displays
from jackpot.display.period_calls import call_periods
from tables.models import JackpotSystem


# Seven a second: the worker remembers the limit of each until it is over, however soon it is done.
@shared_task(expires=10, time_limit=30)
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


@shared_task
def watch_for_dark() -> None:
    """Call for every table whose display was dark for as long as its terms allow (19.7)."""
    watch_displays()
