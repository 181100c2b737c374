"""What a day keeps of a unit gone mad: bytes, then hashes, then one digest. Intake goes on."""

import datetime as dt
import hashlib

import pytest

from tables.models import Alarm, Quarantine, QuarantineDay
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.table_ref import TableRef
from tests.support.units.table_units import (
    NOON,
    event,
    make_table,
    message_of,
    messages_of,
    outcomes,
    take_in,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def table_ref() -> TableRef:
    return make_table()


def noise(table_ref: TableRef, *numbers: int) -> list[InboundMessage]:
    return [message_of(table_ref, b"noise %04d" % number) for number in numbers]  # ten bytes each


def test_behind_the_bytes_of_a_day_messages_are_kept_as_hashes(
    table_ref: TableRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.intake.quarantine_quota.BYTES_A_DAY", 25)
    take_in(*noise(table_ref, 0, 1), *messages_of(table_ref, 1))
    take_in(*noise(table_ref, 2, 3))
    (receipt,) = take_in(message_of(table_ref, event(table_ref, 2, surprise=1)))
    assert (outcomes(receipt), receipt.committed_seq) == ({2: "unknown_field"}, 2), "it is held"
    rows = list(Quarantine.objects.order_by("id"))
    assert [bytes(row.body) for row in rows] == [b"noise 0000", b"noise 0001", b"", b"", b""]
    assert bytes(rows[2].sha256) == hashlib.sha256(b"noise 0002").digest()
    assert rows[2].size == 10


def test_conflicts_neighbours_and_the_next_day_have_bytes_of_their_own(
    table_ref: TableRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.intake.quarantine_quota.BYTES_A_DAY", 400)
    take_in(*messages_of(table_ref, 1), message_of(table_ref, b"x" * 400))
    take_in(*noise(table_ref, 1))
    assert bytes(Quarantine.objects.latest("id").body) == b""
    for message in (
        message_of(table_ref, event(table_ref, 1, round=2)),
        *noise(make_table("next"), 1),
    ):
        take_in(message)
        assert bytes(Quarantine.objects.latest("id").body) == message.body
    take_in(*noise(table_ref, 2), now=NOON + dt.timedelta(hours=12))
    assert bytes(Quarantine.objects.latest("id").body) == b"noise 0002"


def test_behind_the_rows_of_a_day_messages_are_counted_with_one_digest(
    table_ref: TableRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.intake.quarantine_quota.ROWS_A_DAY", 3)
    take_in(*noise(table_ref, 0, 1, 2, 3))
    broken = message_of(table_ref, event(table_ref, 1, surprise=1))
    (receipt,) = take_in(broken, *messages_of(table_ref, 2), now=NOON + dt.timedelta(minutes=2))
    assert outcomes(receipt) == {2: "recorded"}
    assert receipt.committed_seq == 0, "what is not kept is not held, and comes again"
    assert Quarantine.objects.count() == 3
    digest = bytes(32)
    for body in (b"noise 0003", broken.body):
        digest = hashlib.sha256(digest + hashlib.sha256(body).digest()).digest()
    day = QuarantineDay.objects.get()
    assert (day.rows, day.kept_bytes, day.dropped, bytes(day.digest)) == (3, 30, 2, digest)
    assert Alarm.objects.get(kind="quarantine_limit").count == 2
