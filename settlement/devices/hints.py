"""Telling the worker that accounts changed; it finds out by itself, only later."""

from __future__ import annotations

import logging

from celery import current_app

log = logging.getLogger(__name__)
TASK = "settlement.tasks.write_broker_accounts"


def write_accounts() -> None:
    """A message is a hint: one that cannot be sent is only logged."""
    try:
        current_app.send_task(TASK)
    except Exception:
        log.warning("The worker could not be notified of a change of accounts", exc_info=True)
