"""Two machines: the primary is lost under load; nothing receipted is lost, nothing counts twice.

It wants the machine to itself. Here runs what is soon over, and does not wait for the way back;
`make ha` runs all of it.
"""

from collections.abc import Callable

import pytest

from demo.servers.broker import mosquitto_program
from tests.crash.outcome import findings, unrest
from tests.ha.cases import CASES, PRIMARY_S
from tests.ha.house import HaHouse
from tests.ha.probes import Acknowledged
from tests.ha.services import missing
from tests.support.servers.demo.alive import is_alive

UNDISTURBED = 1000  # entries
LOAD = 500  # events a second that must have been played on average, on every machine
SOON_OVER = "PostgreSQL of the primary"

pytestmark = [
    pytest.mark.long,
    pytest.mark.alone,
    pytest.mark.postgres,
    pytest.mark.broker,
    pytest.mark.skipif(bool(missing()), reason=f"TWO MACHINES NOT TESTED: {missing()}"),
    pytest.mark.skipif(
        mosquitto_program() is None,
        reason="TWO MACHINES NOT TESTED: Mosquitto is not installed (apt install mosquitto)",
    ),
]


def test_the_other_machine_goes_on(record_property: Callable[[str, object], None]) -> None:
    with HaHouse(seed="19") as house:
        house.play()
        house.progress(UNDISTURBED)
        with Acknowledged(house.postgres.probe_url) as acknowledged:
            pause_s = house.pause_during(SOON_OVER, lambda: CASES[SOON_OVER].lose(house))
            house.settle()
            assert acknowledged.lost() == []
        assert unrest(house) == []
        assert findings(house) == []
        assert pause_s <= PRIMARY_S
        for case, system, seconds in house.pauses_s:
            record_property("takeover", f"{case}: nobody wrote {system} for {seconds:.1f} s")
        loads = house.loads()
        assert sum(load.rate for load in loads) >= LOAD
        for load in loads:
            record_property("load", load)
        running = house.pids
        assert len(running) > 30
    assert not [pid for pid in running if is_alive(pid)]
