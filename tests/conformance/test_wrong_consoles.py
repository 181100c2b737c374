"""A console that is wrong: each clause that it breaks is named, and no other.

One intake answers all tables; what a table's receipts say is changed on the way, or what it sends
is refused, by its code. What displays are sent is of systems of their own.
"""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from conformance import against_console
from conformance.against_console.trial import Times, try_console
from conformance.line import Broker as At
from conformance.line import Place
from tables.intake import reception
from tables.intake.heartbeat import Heartbeats
from tables.intake.loop import Intake
from tables.mqtt.client import Delivery
from tables.mqtt.polled_client import PolledClient
from tables.protocol.decode import Decoded, Refused, refuse
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.messages import Receipt
from tables.protocol.signature import split
from tables.protocol.table_ref import TableRef
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.units import wrong_consoles
from tests.support.units.lax_broker import lax_broker
from tests.support.units.running_intake import RunningIntake, listener
from tests.support.units.table_units import KEY, make_system, make_table
from tests.support.units.wrong_consoles import (
    CLAUSES,
    DISPLAYS,
    FAULTS,
    QUIET,
    TWO_STAND,
    display_message,
)

TIMES = Times(answer_s=3.0, sequenced_s=0.1, display_s=0.1, quiet_s=0.4)
DISPLAYED_S = 12.0  # in which three values have come, however seldom


@pytest.fixture
def places(
    fresh_database: FreshDatabase, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Place]:
    """A table for each fault, at a console that has all of them."""
    common, places = make_system(), dict[str, Place]()
    for name in CLAUSES:
        system = make_system() if name in {*DISPLAYS, QUIET} else common
        key = "" if name == "no-key" else KEY
        make_table(name, key=key, system=system)
        places[name] = Place(system.code, name, bytes.fromhex(key))
    _change_receipts(monkeypatch)
    _refuse_events(monkeypatch)
    topic = Heartbeats._topic

    def elsewhere(beats: Heartbeats, code: str) -> str:
        return topic(beats, "nowhere" if code == places[QUIET].system else code)

    monkeypatch.setattr(Heartbeats, "_topic", elsewhere)
    return places


def _change_receipts(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, publish = reception._answer, PolledClient.publish

    def change(table_ref: TableRef, receipt: Receipt) -> reception.Answer:
        fault = FAULTS.get(table_ref.table)
        return answer(table_ref, fault[0](receipt) if fault else receipt)

    def publish_so(link: PolledClient, topic: str, payload: bytes, *, retain: bool = False) -> Any:
        is_kept = retain or topic.endswith("/retained/receipts")
        return publish(link, topic, payload, retain=is_kept)

    monkeypatch.setattr(reception, "_answer", change)
    monkeypatch.setattr(PolledClient, "publish", publish_so)


def _refuse_events(monkeypatch: pytest.MonkeyPatch) -> None:
    decode, take_in = reception.decode_event, Intake._take_in

    def refusing(message: InboundMessage, table_ref: TableRef) -> Decoded | Refused:
        if wrong_consoles.is_refused(table_ref.table, message):
            return refuse(message, table_ref, "bad_schema", "It is not liked here.")
        return decode(message, table_ref)

    def noting(intake: Intake, deliveries: Sequence[Delivery]) -> bool:
        wrong_consoles.AT_QOS_0.update(
            split(each.message.body)[0] for each in deliveries if each.qos == 0
        )
        return take_in(intake, deliveries)

    monkeypatch.setattr(reception, "decode_event", refusing)
    monkeypatch.setattr(Intake, "_take_in", noting)


@contextmanager
def displays(places: dict[str, Place]) -> Iterator[None]:
    """What the displays of each system are sent, until the end."""
    stop = threading.Event()

    def send(name: str) -> None:
        display, number = DISPLAYS[name], 0
        while not stop.wait(display.pause_s):
            payload = display_message(display, number)
            link.publish(places[name].display, payload, retain=display.is_retained)
            number += 1

    with listener() as link, ThreadPoolExecutor(len(DISPLAYS)) as pool:
        sending = [pool.submit(send, name) for name in DISPLAYS]
        try:
            yield
        finally:
            stop.set()
    for each in sending:
        each.result()


def test_each_fault_is_named_by_its_clauses(places: dict[str, Place], mosquitto: Broker) -> None:
    def broken_clauses(fault: str) -> list[str]:
        is_numbered = fault.startswith("numbers") or fault == "no-odd-cards"
        times = replace(
            TIMES,
            sequenced_s=TIMES.answer_s if is_numbered else TIMES.sequenced_s,
            display_s=DISPLAYED_S if fault in DISPLAYS else TIMES.display_s,
        )
        broker = lax if fault == TWO_STAND else mosquitto
        at = At(broker.host, broker.port)
        report = try_console(places[fault], at, against_console.SCENES, times=times)
        assert report.exit_code == 1
        return report.ids("does not hold")

    with (
        RunningIntake(),
        displays(places),
        lax_broker(mosquitto) as lax,
        ThreadPoolExecutor(len(CLAUSES)) as pool,
    ):
        wrong = dict(zip(CLAUSES, pool.map(broken_clauses, CLAUSES), strict=True))
    assert wrong == {fault: clauses.split() for fault, clauses in CLAUSES.items()}
