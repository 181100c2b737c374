"""A deliberately wrong unit: each clause that it breaks is named, and no other."""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from conformance.report import Report
from tests.support.servers.services import Broker
from tests.support.suite.pace import Pace, in_time
from tests.support.units.bench import Bench
from tests.support.units.wrong_units import FAULTS, OF_MANY, WrongUnit

# All at once they are too slow for the times of the protocol, on a slow machine.
AT_ONCE = 8


def test_each_fault_is_named_by_its_clauses(mosquitto: Broker, bench: Bench) -> None:
    def report_of(fault: str) -> Report:
        make = partial(WrongUnit, fault=fault)
        return bench.try_unit(make, records_many=fault in OF_MANY)

    def differs(fault: str) -> bool:
        return reports[fault].ids("does not hold") != FAULTS[fault].split()

    with Pace() as pace, ThreadPoolExecutor(AT_ONCE) as pool:  # they wait more than they work
        reports = dict(zip(FAULTS, pool.map(report_of, FAULTS), strict=True))
    for fault in filter(differs, FAULTS if pace.was_late else ()):  # in time, the first one counts
        reports[fault], was_late = in_time(partial(report_of, fault))
        sys.stdout.write(f"tried again alone: {fault}{', late to the last' * was_late}\n")
    wrong = {
        fault: "\n".join(report.lines()) for fault, report in reports.items() if differs(fault)
    }
    assert not wrong, "\n\n".join(f"{fault}\n{lines}" for fault, lines in wrong.items())
    codes = {fault: report.exit_code for fault, report in reports.items()}
    assert codes == {fault: 1 if clauses else 0 for fault, clauses in FAULTS.items()}
