"""A console whose receipts are wrong: each clause that they break is named, and no other.

One intake answers all tables; what a table's receipts say is changed on the way, by its code.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from conformance import against_console
from conformance.against_console.trial import Times, try_console
from conformance.line import Broker as At
from conformance.line import Place
from tables.intake import reception
from tables.models import JackpotSystem
from tables.protocol.messages import Receipt
from tables.protocol.table_ref import TableRef
from tests.conftest import Broker
from tests.support.databases import FreshDatabase
from tests.support.running_intake import RunningIntake
from tests.support.table_units import KEY, make_system, make_table

TIMES = Times(answer_s=3.0, sequenced_s=0.1, display_s=0.1, quiet_s=0.4)
Change = Callable[[Receipt], Receipt]


def _outcomes(before: str, after: str) -> Change:
    def change(receipt: Receipt) -> Receipt:
        results = [
            replace(each, outcome=after) if each.outcome == before else each
            for each in receipt.results
        ]
        return replace(receipt, results=results)

    return change


def _reason(reason: str | None) -> Change:
    def change(receipt: Receipt) -> Receipt:
        results = [
            replace(each, reason=reason) if each.reason else each for each in receipt.results
        ]
        return replace(receipt, results=results)

    return change


FAULTS: dict[str, tuple[Change, str]] = {
    "right": (lambda receipt: receipt, "B-02"),  # nothing bars the tests' own broker
    "asks-for-nothing": (lambda each: replace(each, resend_from=None), "C-27 C-36 B-02"),
    "always-asks": (lambda each: replace(each, resend_from=each.committed_seq + 1), "C-36 B-02"),
    "one-too-far": (
        lambda each: replace(each, committed_seq=each.committed_seq + 1),
        "C-28 C-31 C-32 C-33 C-36 B-02",
    ),
    "duplicates-new": (_outcomes("duplicate", "recorded"), "C-18 C-19 C-39 B-02"),
    "boot-stands": (lambda each: replace(each, next_boot=1), "C-30 C-49 B-02"),
    "no-reasons": (
        _reason(None),
        "C-10 C-19 C-20 C-41 C-44 C-45 C-46 C-47 C-48 C-49 B-02",
    ),
    "one-reason": (_reason("bad_schema"), "C-10 C-19 C-45 C-46 C-47 C-48 C-49 B-02"),
}


@pytest.fixture
def system(
    fresh_database: FreshDatabase, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> JackpotSystem:
    system = make_system()
    for name in FAULTS:
        make_table(name, key=KEY, system=system)
    answer = reception._answer

    def change(table_ref: TableRef, receipt: Receipt) -> reception.Answer:
        return answer(table_ref, FAULTS[table_ref.table][0](receipt))

    monkeypatch.setattr(reception, "_answer", change)
    return system


def test_each_fault_of_receipts_is_named_by_its_clauses(
    system: JackpotSystem, mosquitto: Broker
) -> None:
    at = At(mosquitto.host, mosquitto.port)

    def named(fault: str) -> list[str]:
        place = Place(system.code, fault, bytes.fromhex(KEY))
        report = try_console(place, at, against_console.SCENES, times=TIMES)
        assert report.exit_code == 1
        return report.ids("does not hold")

    with RunningIntake(), ThreadPoolExecutor(len(FAULTS)) as pool:
        wrong = dict(zip(FAULTS, pool.map(named, FAULTS), strict=True))
    assert wrong == {fault: clauses.split() for fault, (_, clauses) in FAULTS.items()}
