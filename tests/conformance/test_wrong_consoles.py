"""A console whose receipts are wrong: each clause that they break is named, and no other.

One intake answers all tables; what a table's receipts say is changed on the way, by its code.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from conformance import against_console
from conformance.against_console.trial import Times, try_console
from conformance.line import Broker as At
from conformance.line import Place
from tables.intake import reception
from tables.models import JackpotSystem
from tables.mqtt.polled_client import PolledClient
from tables.protocol.messages import Receipt
from tables.protocol.table_ref import TableRef
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.units.running_intake import RunningIntake
from tests.support.units.table_units import KEY, make_system, make_table
from tests.support.units.wrong_consoles import FAULTS

TIMES = Times(answer_s=3.0, sequenced_s=0.1, display_s=0.1, quiet_s=0.4)


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
    publish = PolledClient.publish

    def publish_so(link: PolledClient, topic: str, payload: bytes, *, retain: bool = False) -> Any:
        is_kept = retain or topic.endswith("/retained/receipts")
        return publish(link, topic, payload, retain=is_kept)

    monkeypatch.setattr(PolledClient, "publish", publish_so)
    return system


def test_each_fault_of_receipts_is_named_by_its_clauses(
    system: JackpotSystem, mosquitto: Broker
) -> None:
    at = At(mosquitto.host, mosquitto.port)

    def broken_clauses(fault: str) -> list[str]:
        place = Place(system.code, fault, bytes.fromhex(KEY))
        sequenced_s = TIMES.answer_s if fault.startswith("numbers") else TIMES.sequenced_s
        times = replace(TIMES, sequenced_s=sequenced_s)
        report = try_console(place, at, against_console.SCENES, times=times)
        assert report.exit_code == 1
        return report.ids("does not hold")

    with RunningIntake(), ThreadPoolExecutor(len(FAULTS)) as pool:
        wrong = dict(zip(FAULTS, pool.map(broken_clauses, FAULTS), strict=True))
    assert wrong == {fault: clauses.split() for fault, (_, clauses) in FAULTS.items()}
