"""A floor with its intake: what the tests of devices have in common."""

from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import Any

import pytest

from tables.protocol.table_ref import TableRef
from tables.unit.unit import TableUnit
from tests.support.servers.elsewhere import ELSEWHERE
from tests.support.servers.services import Broker
from tests.support.units.running_intake import intake, listener, new_instance
from tests.support.units.unit_settings import unit_settings

__all__ = ["intake", "lasting_broker", "make_unit"]


@pytest.fixture
def lasting_broker(broker: Broker) -> Broker:
    """A broker that delivers again what its client left unacknowledged.

    amqtt does not: with it only the units' resends make good what a dead intake had in hand.
    """
    own = f"listener/{new_instance()}"
    with listener("$SYS/broker/version", own) as client:  # Mosquitto retains its version
        client.publish(own, b"what is retained comes before this")
        if client.deliveries.get(timeout=60).message.topic == own:
            pytest.skip(ELSEWHERE + "this broker forgets what was not acknowledged")
    return broker


@pytest.fixture
def make_unit() -> Generator[Callable[..., TableUnit]]:
    """Units that are connected and stopped after the test."""
    with ExitStack() as stack:

        def make(table_ref: TableRef, *, ready: bool = True, **options: Any) -> TableUnit:
            begin = {"guard_s": 0, "presence_every_s": 0.2, "mac_key": table_ref.mac_key}
            settings = unit_settings(options, **begin)
            unit = TableUnit(table_ref.system, table_ref.table, settings, **options)
            unit.start()
            stack.callback(unit.stop)
            if ready:
                assert unit.wait_ready(60)
            return unit

        yield make
