"""The way of a press to the display, as a collector of traces has it: of real processes."""

import signal
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from demo.servers.ports import LOOPBACK
from jackpot.models import Entry
from tables.models import TableEvent
from tables.telemetry.spans import trace_id
from tables.unit import unit as unit_module
from tests.support.houses.traced_floor import TracedFloor
from tests.support.servers.outside.trace_collector import Collected, Collector, collecting
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.slow

PARENT_AND_PROCESS = {
    "press": (None, "jackpot-intake"),
    "record": ("press", "jackpot-intake"),
    "receipt": ("record", "jackpot-intake"),
    "sequence": ("record", "jackpot-poster"),
    "number": ("sequence", "jackpot-intake"),
    "display": ("sequence", "jackpot-worker"),
    "value": ("display", "jackpot-intake"),
    "stream": ("display", "jackpot-web"),
    "reading": ("display", "jackpot-intake"),
}
ATTRIBUTES = {
    *("jackpot.system", "jackpot.table", "jackpot.boot", "jackpot.seq", "jackpot.type"),
    *("jackpot.events", "jackpot.entries", "jackpot.entry", "jackpot.block", "jackpot.shown"),
    *("jackpot.display", "jackpot.request_id"),
    *("http.request.method", "http.route", "http.response.status_code"),
}


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as collector:
        yield collector


@pytest.fixture
def hanging() -> Iterator[str]:
    """A collector that takes connections and never answers."""
    with socket.create_server((LOOPBACK, 0)) as server:
        yield f"http://{LOOPBACK}:{server.getsockname()[1]}/v1/traces"


def test_one_trace_leads_from_the_press_to_the_display(
    fresh_database: FreshDatabase,
    broker: Broker,
    tmp_path: Path,
    collector: Collector,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unit_module, "READING_EVERY_S", 0.2)
    floor = TracedFloor(fresh_database, tmp_path, TRACES_URL=collector.url, TRACES_SHARE="1")
    with floor.running() as (unit, browser):
        event, number = floor.press(unit, browser)
        trace = f"{trace_id(event):032x}"
        wait_until(
            lambda: len(collector.of(trace)) == len(PARENT_AND_PROCESS),
            what="all spans of the trace",
        )
    spans = collector.of(trace)
    names = {each.id: each.name for each in spans.values()}
    assert {
        name: (names.get(each.parent), each.process) for name, each in spans.items()
    } == PARENT_AND_PROCESS
    happen_in_order(spans)
    rows_say_the_same(spans, TableEvent.objects.get(boot=event.boot, seq=event.seq), number)
    assert {name for each in collector.spans for name in each.attributes} == ATTRIBUTES
    (request,) = [each for each in collector.spans if each.name.endswith("/stream")]
    assert request.attributes["http.response.status_code"] == 200
    assert len(str(request.attributes["jackpot.request_id"])) == 32
    assert floor.key not in repr(collector.spans)


def happen_in_order(spans: Mapping[str, Collected]) -> None:
    """A child may end before its parent's process looks at the clock, and never before it began."""
    assert all(each.began_s <= each.ended_s for each in spans.values())
    chain = [spans[name].began_s for name in ("press", "record", "sequence", "display")]
    assert chain == sorted(chain)
    for name, (parent, _) in PARENT_AND_PROCESS.items():
        assert parent is None or spans[parent].began_s <= spans[name].ended_s
    assert spans["record"].began_s == spans["press"].ended_s
    assert spans["receipt"].began_s == spans["record"].ended_s


def rows_say_the_same(spans: Mapping[str, Collected], event: TableEvent, number: int) -> None:
    entry = Entry.objects.get(event=event)
    press, sequence = spans["press"], spans["sequence"]
    assert press.began_s == pytest.approx(event.recorded_at.timestamp(), abs=1e-3)
    assert press.ended_s == pytest.approx(event.received_at.timestamp(), abs=1e-3)
    assert sequence.began_s == pytest.approx(entry.at.timestamp(), abs=1e-3)
    assert sequence.attributes["jackpot.entry"] == entry.seq == number


def test_without_a_collector_nothing_of_the_library_is_read(
    fresh_database: FreshDatabase, broker: Broker, tmp_path: Path
) -> None:
    """By what each process, and whatever it forked, says that it imports."""
    floor = TracedFloor(fresh_database, tmp_path, PYTHONPROFILEIMPORTTIME="1")
    with floor.running() as (unit, browser):
        floor.press(unit, browser)
    for name in floor.commands:
        assert "tables.telemetry.traces" in floor.log(name)
        assert "opentelemetry" not in floor.log(name)


def test_a_collector_that_hangs_holds_up_nothing(
    fresh_database: FreshDatabase, broker: Broker, tmp_path: Path, hanging: str
) -> None:
    floor = TracedFloor(fresh_database, tmp_path, TRACES_URL=hanging, TRACES_SHARE="1")
    with floor.running() as (unit, browser):
        for _ in range(20):
            floor.press(unit, browser)
        failed = 'jackpot_trace_spans_total{outcome="failed"}'
        for name in ("intake", "poster", "worker"):
            where = floor.where[name]
            wait_until(lambda where=where: failed in where.text("/metrics")[1])  # type: ignore[misc]
    assert -signal.SIGKILL not in floor.exit_codes.values(), floor.exit_codes
    assert "takes no spans; they are lost meanwhile" in floor.log("intake")
    assert "Traceback" not in "".join(map(floor.log, floor.commands))
