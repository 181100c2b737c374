"""From the last release to this tree without a stop: no dealer and no page notices.

It wants the machine to itself.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from demo.casino.seed_data import PASSWORD
from demo.servers.broker import mosquitto_program
from tests.crash.evidence import handsets
from tests.crash.house import SYSTEMS
from tests.crash.outcome import findings, unrest
from tests.crash.releases import make_update
from tests.crash.rolling import STEPS, RollingHouse
from tests.crash.visitors import Visitors
from tests.support.servers.demo.alive import is_alive

RATE = 600  # events a second that are asked of the dealers
LOAD = 500  # that they must have played on average, on every machine
UNDISTURBED, BETWEEN_STEPS = 1000, 300  # entries
ENOUGH_PAGES = 100
PAGES = ("/claims/", "/dashboard/", "/", "/api/claims/")

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


def test_nobody_notices_an_update(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Every handset has its receipt in time, every page its answer, every event its place."""
    update = make_update(tmp_path)
    history: list[str] = []
    with RollingHouse(update, seed="23", rate=RATE) as house:
        house.open_doors()
        visitors = Visitors(house.balancer, ("david", PASSWORD), PAGES)
        ((key,),) = house.rows("SELECT min(display_key) FROM tables_gamingtable")
        visitors.stream = f"/display/{key}/stream"
        try:
            with visitors:
                house.play()
                house.progress(UNDISTURBED)
                history.append(f"tables: from entry {house.entries()} on")
                house.change_tables()
                house.progress(BETWEEN_STEPS)
                assert house.not_ready() == []
                house.start_ahead()
                for name, step in STEPS.items():
                    history.append(f"{name}: from entry {house.entries()} on")
                    step(house)
                    house.progress(BETWEEN_STEPS)
                assert house.not_ready() == []
                house.wait(lambda: visitors.pages_shown > ENOUGH_PAGES, "pages to be shown")
                streams = visitors.streams_begun
                house.settle()
            assert unrest(house) == []
            assert findings(house) == []
            assert visitors.failures == []
            assert streams > 1  # a display began again at the next web process
            reports = {system: handsets(house.journals, system) for system in SYSTEMS}
            assert [each.not_recorded for each in reports.values()] == [0, 0], reports
        except BaseException as fault:
            fault.add_note("\n".join([update.what, *history]))
            raise
        record_property("update", f"{update.what}; migrate was run {house.migrated_times} times")
        loads = house.loads()
        assert sum(load.rate for load in loads) >= LOAD
        for load in loads:
            record_property("load", load)
        longest = max(each.longest_s for each in reports.values())
        record_property("receipts", f"{longest:.2f} s after the press at most")
        record_property(
            "pages",
            f"{visitors.pages_shown}, none failed, {visitors.slowest_s:.2f} s at most; a display"
            f" heard nothing for {visitors.longest_silence_s:.1f} s at most",
        )
        running = house.pids
    assert not [pid for pid in running if is_alive(pid)]
