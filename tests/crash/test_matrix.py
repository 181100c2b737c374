"""The crash matrix: everything is killed under load, and nothing is lost or counted twice.

It wants the machine to itself.
"""

from collections.abc import Callable

import pytest

from demo.servers.broker import mosquitto_program
from tests.crash.cases import CASES
from tests.crash.house import CrashHouse
from tests.crash.outcome import findings, unrest
from tests.support.servers.demo.alive import is_alive

UNDISTURBED = 3000  # entries by which the machine is judged
BEFORE = 800  # entries before each case
TAKEOVERS = 3  # at least: cases in which a poster takes over

pytestmark = [
    pytest.mark.long,
    pytest.mark.alone,
    pytest.mark.postgres,
    pytest.mark.broker,
    pytest.mark.skipif(
        mosquitto_program() is None,
        reason="MOSQUITTO NOT TESTED: it is not installed (apt install mosquitto)",
    ),
]


def test_nothing_is_lost_or_counted_twice_whoever_dies(
    record_property: Callable[[str, object], None],
) -> None:
    """One house for all cases, one after the other on one order: one test, one process.

    In each case the dealers must have played at least half of what this machine carried before,
    and after it every journalled event must find its receipt and its place; at the end the
    verifier looks at all of it.
    """
    history: list[str] = []
    with CrashHouse(seed="19") as house:
        try:
            house.play()
            house.progress(UNDISTURBED)
            house.take_measure()
            for name, case in CASES.items():
                history.append(f"{name}: from entry {house.entries()} on")
                house.play()
                house.progress(BEFORE)
                case(house)
                house.settle()
                assert unrest(house) == []
            assert findings(house) == []
            loads = house.loads()
            assert sum(load.rate for load in loads) >= house.least, "\n".join(map(str, loads))
            assert len(house.takeovers_s) >= TAKEOVERS
        except BaseException as fault:
            fault.add_note("\n".join(history))
            raise
        for load in loads:
            record_property("load", load)
        for system, seconds in house.takeovers_s:
            record_property("takeover", f"{system}: nobody wrote for {seconds:.1f} s")
        running = house.pids
        assert len(running) > 10
    assert not [pid for pid in running if is_alive(pid)]
