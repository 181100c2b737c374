"""What a broken or hostile device can send: kept with its reason, answered, and survived.

Each story goes through the real broker to a running intake. After each, a good event is
recorded as if nothing had happened.
"""

from collections.abc import Callable, Generator

import pytest

from tables.models import Alarm, Quarantine, TableEvent
from tables.mqtt.client import Link
from tables.protocol import topics
from tables.protocol.signature import signed
from tables.protocol.table_ref import TableRef
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import RunningIntake, new_instance
from tests.support.units.table_units import (
    KEY,
    event,
    make_system,
    make_table,
    outcomes,
    read_receipt,
)

Say = Callable[[bytes], None]

GOOD = 900  # the seq of the good event that follows each bad one


class Device:
    """A unit that says whatever it is asked to, on its own topic."""

    def __init__(self, table_ref: TableRef) -> None:
        self.table_ref = table_ref
        self._link = Link(
            f"device-{new_instance()}", [topics.receipts(table_ref.system, table_ref.table)]
        )
        self._link.start()
        assert self._link.wait_connected(60)

    def say(self, payload: bytes, *, topic: str | None = None) -> None:
        publication = self._link.publish(
            topic or topics.events(self.table_ref.system, self.table_ref.table), payload
        )
        assert publication
        assert publication.wait(60)

    def hear(self, seq: int) -> str:
        """The outcome of an event, or the reason of its quarantine, as the receipts tell it."""
        while True:
            delivery = self._link.deliveries.get(timeout=60)
            self._link.ack(delivery)
            outcomes_by_seq = outcomes(read_receipt(delivery.message.body))
            if seq in outcomes_by_seq:
                return outcomes_by_seq[seq]

    def stop(self) -> None:
        self._link.stop()


@pytest.fixture
def device(intake: RunningIntake) -> Generator[Device]:
    new_device = Device(make_table("t-3", key=KEY))
    yield new_device
    new_device.stop()


def good_event_is_recorded(device: Device) -> None:
    device.say(signed(event(device.table_ref, GOOD), device.table_ref.mac_key))
    assert device.hear(GOOD) == "recorded"


def quarantined() -> Quarantine:
    wait_until(Quarantine.objects.exists, what="a row in quarantine")
    return Quarantine.objects.earliest("id")


def test_bytes_that_are_no_text(device: Device) -> None:
    noise = bytes(range(256))
    device.say(signed(noise, KEY))
    good_event_is_recorded(device)
    message = quarantined()
    assert (message.reason, message.seq) == ("undecodable", None)
    assert bytes(message.body) == signed(noise, KEY)
    assert message.table_id == device.table_ref.table_id


def test_a_field_of_the_wrong_type(device: Device) -> None:
    device.say(signed(event(device.table_ref, 4, round="four"), KEY))
    assert device.hear(4) == "bad_schema"
    good_event_is_recorded(device)
    assert quarantined().explanation == "Expected int, got str, in round."


def test_a_field_that_nobody_knows(device: Device) -> None:
    device.say(signed(event(device.table_ref, 4, colour="red"), KEY))
    assert device.hear(4) == "unknown_field"
    good_event_is_recorded(device)
    assert quarantined().reason == "unknown_field"


def test_a_message_too_long(device: Device) -> None:
    device.say(signed(event(device.table_ref, 4, note="x" * 20_000), KEY))
    assert device.hear(4) == "oversize"
    device.say(b"y" * 200_000)
    good_event_is_recorded(device)
    longest = Quarantine.objects.order_by("size").last()
    assert longest
    assert (longest.reason, longest.size, len(longest.body)) == ("oversize", 200_000, 64 * 1024)


@pytest.mark.parametrize(
    ("field", "reason", "explanation"),
    [
        ("note", "bad_schema", "Text of the wrong form: control characters"),
        ("no\x00te", "unknown_field", "Object contains unknown field no\ufffdte."),
    ],
)
def test_nul_characters(device: Device, field: str, reason: str, explanation: str) -> None:
    fields = {"type": "rounds_missed", "count": 1, field: "a\x00b"}
    device.say(signed(event(device.table_ref, 4, **fields), KEY))  # type: ignore[arg-type]
    assert device.hear(4) == reason
    good_event_is_recorded(device)
    assert quarantined().explanation.startswith(explanation)


def test_a_table_that_nobody_entered(device: Device) -> None:
    stranger = Device(
        TableRef(device.table_ref.system_id, device.table_ref.system, 1, 0, "no-such-table", "")
    )
    try:
        stranger.say(event(stranger.table_ref, 1))
        assert stranger.hear(1) == "unknown_table"
    finally:
        stranger.stop()
    good_event_is_recorded(device)
    message = quarantined()
    assert (message.reason, message.table_id) == ("unknown_table", None)
    assert message.topic == topics.events(device.table_ref.system, "no-such-table")


def test_an_event_on_the_topic_of_another_table(device: Device) -> None:
    neighbour = make_table("t-4", system=make_system())
    device.say(signed(event(neighbour, 4), KEY))
    assert device.hear(4) == "wrong_topic"
    good_event_is_recorded(device)
    assert not TableEvent.objects.filter(table_id=neighbour.table_id).exists()
    assert quarantined().table_id == device.table_ref.table_id


@pytest.mark.parametrize("key", ["", "ab" * 16])
def test_a_mac_that_is_missing_or_wrong(device: Device, key: str) -> None:
    device.say(signed(event(device.table_ref, 4), key))
    assert device.hear(4) == "wrong_mac"
    good_event_is_recorded(device)
    assert quarantined().reason == "wrong_mac"


def test_an_event_again_with_other_content(device: Device) -> None:
    first = event(device.table_ref, 4, round=4)
    device.say(signed(first, KEY))
    assert device.hear(4) == "recorded"
    device.say(signed(event(device.table_ref, 4, round=5), KEY))
    assert device.hear(4) == "conflict"
    good_event_is_recorded(device)
    assert bytes(TableEvent.objects.get(seq=4).body) == first
    assert quarantined().reason == "conflict"
    alarm = Alarm.objects.get(kind="identity_conflict")
    assert alarm.subject == f"{device.table_ref.system}/{device.table_ref.table}"


def test_topics_that_are_not_of_the_protocol(device: Device) -> None:
    for topic in ("jackpot/v1/Not A Code/t-3/events", "jackpot/v1//t-3/events"):
        device.say(event(device.table_ref, 4), topic=topic)
    good_event_is_recorded(device)
    assert {message.reason for message in Quarantine.objects.all()} == {"bad_topic"}


def test_a_flood_of_noise_neither_fills_the_disk_nor_stops_the_intake(
    device: Device,
) -> None:
    for number in range(700):
        device.say(b"noise %d" % number)
    good_event_is_recorded(device)
    assert Quarantine.objects.count() < 700
    assert Alarm.objects.get(kind="quarantine_limit").count > 0
