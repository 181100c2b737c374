"""Putting the simulated world in the place of the real one.

The product has no switches for this. Its modules get the modelled link in the place of
`tables.mqtt.client.Link` and the simulated time in the place of Python's `time` and of Django's
`timezone.now`; everything else is the product's own code.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from django.test.utils import override_settings
from django.utils import timezone

from simulation.environment.clocks import Clocks, TimeModule
from tables.mqtt import client as mqtt
from tables.mqtt import polled_client
from tables.mqtt.polled_client import PolledClient

_PACKS = Path(__file__).parents[1] / "packs"
_PRODUCT = ("tables", "jackpot", "settlement")


@contextmanager
def patched(clocks: Clocks, make_link: Callable[..., Any]) -> Iterator[None]:
    """While this lasts, the product lives in the simulated world."""
    before: list[tuple[Any, str, Any]] = []

    def put(module: Any, name: str, value: Any) -> None:
        before.append((module, name, getattr(module, name)))
        setattr(module, name, value)

    simulated_time = TimeModule(clocks)
    level = logging.root.manager.disable
    try:
        put(timezone, "now", clocks.now)
        for module in _modules():
            if getattr(module, "time", None) is time:
                put(module, "time", simulated_time)
            if getattr(module, "Link", None) is mqtt.Link and module is not mqtt:
                put(module, "Link", make_link)
            if (
                getattr(module, "PolledClient", None) is PolledClient
                and module is not polled_client
            ):
                put(module, "PolledClient", make_link)
        logging.disable(logging.CRITICAL)  # faults are the daily bread here
        place = {"JURISDICTIONS": {"harbour": "simulated"}, "JURISDICTION_DIR": str(_PACKS)}
        with override_settings(CLAIM_WAIT_S=0.0, PRESSES_NAMED=10**6, **place):
            yield
    finally:
        logging.disable(level)
        for module, name, value in reversed(before):
            setattr(module, name, value)


def _modules() -> list[ModuleType]:
    return [
        module
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] in _PRODUCT and isinstance(module, ModuleType)
    ]
