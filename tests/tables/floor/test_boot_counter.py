"""A boot that cannot be its unit's: refused, not held, and counted back by the house."""

import pytest

from tables.floor import boot_counter
from tables.floor.tables_in_test import tables_in_test
from tables.intake.boots.watermark import BOOTS_AHEAD
from tables.models import Alarm, Quarantine, Stream, TableEvent
from tables.protocol.messages import MAX_BOOT, encoder
from tables.protocol.table_ref import TableRef
from tests.support.units.table_units import (
    KEY,
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
    return make_table(key=KEY)


def signed(table_ref: TableRef, *seqs: int, boot: int, **fields: object) -> list:
    return [
        message_of(table_ref, event(table_ref, seq, boot=boot, **fields), key=KEY) for seq in seqs
    ]


def next_boot(table_ref: TableRef) -> int:
    """What a unit without memory is sent."""
    body = encoder.encode({"v": 1, "state": "online", "boot": 0, "connection": 1})
    (receipt,) = take_in(message_of(table_ref, body, kind="presence", key=KEY))
    return receipt.next_boot


def test_one_event_with_the_last_boot_spends_none(table_ref: TableRef) -> None:
    take_in(*signed(table_ref, 1, boot=8))
    (receipt,) = take_in(*signed(table_ref, 1, boot=MAX_BOOT))
    assert outcomes(receipt) == {1: "implausible_boot"}
    assert (receipt.boot, receipt.committed_seq, receipt.next_boot) == (MAX_BOOT, 0, 9)
    row = Quarantine.objects.get()
    assert (row.reason, row.boot, row.seq) == ("implausible_boot", MAX_BOOT, 1)
    assert "more than 10,000 above every boot of this table" in row.explanation
    assert Alarm.objects.filter(kind="quarantine").exists()
    assert next_boot(table_ref) == 9
    assert Stream.objects.count() == 1


@pytest.mark.parametrize("before", [0, 8])
def test_how_far_a_boot_may_be_above_the_newest(table_ref: TableRef, before: int) -> None:
    if before:
        take_in(*signed(table_ref, 1, boot=before))
    highest = before + BOOTS_AHEAD
    below, above = take_in(
        *signed(table_ref, 1, boot=highest), *signed(table_ref, 1, boot=highest + 1)
    )
    assert outcomes(below) == {1: "recorded"}
    assert outcomes(above) == {1: "implausible_boot"}


def test_a_broken_message_with_such_a_boot_spends_none_either(table_ref: TableRef) -> None:
    take_in(*signed(table_ref, 1, boot=8))
    (receipt,) = take_in(*signed(table_ref, 1, boot=MAX_BOOT, surprise=1))
    assert outcomes(receipt) == {1: "implausible_boot"}
    assert next_boot(table_ref) == 9


def test_a_unit_with_a_high_boot_is_taken_once_the_house_says_so(table_ref: TableRef) -> None:
    refused = signed(table_ref, 1, 2, boot=50_000)
    (receipt,) = take_in(*refused)
    assert set(outcomes(receipt).values()) == {"implausible_boot"}
    boot_counter.reset(table_ref.system_id, table_ref.table_id, 50_000)
    (receipt,) = take_in(*signed(table_ref, 3, boot=50_000))
    assert receipt.committed_seq == 0, "what was refused then is not held"
    (receipt,) = take_in(*refused)
    assert outcomes(receipt) == {1: "recorded", 2: "recorded"}
    assert (receipt.committed_seq, receipt.next_boot) == (3, 50_001)


def test_a_boot_that_got_in_is_discarded(table_ref: TableRef) -> None:
    """Step by step, each within reach: then two people count back to 8."""
    take_in(*signed(table_ref, 1, boot=8))
    for boot in range(9_000, 90_001, 9_000):
        take_in(*signed(table_ref, 1, boot=boot))
    last = signed(table_ref, 1, boot=90_000)
    assert next_boot(table_ref) == 90_001
    boot_counter.reset(table_ref.system_id, table_ref.table_id, 8)
    assert next_boot(table_ref) == 9_001, "what is within reach does no harm"
    (receipt,) = take_in(*signed(table_ref, 1, boot=9))
    assert (outcomes(receipt), receipt.next_boot) == ({1: "recorded"}, 9_001)
    (receipt,) = take_in(*last, *signed(table_ref, 2, boot=90_000))
    assert outcomes(receipt) == {1: "duplicate", 2: "implausible_boot"}
    assert "was discarded by two people" in Quarantine.objects.get().explanation
    assert TableEvent.objects.filter(boot=90_000).count() == 1, "nothing recorded goes away"
    (receipt,) = take_in(*signed(table_ref, 1, boot=90_001))
    assert outcomes(receipt) == {1: "implausible_boot"}


def test_a_discarded_boot_has_no_last_word(table_ref: TableRef) -> None:
    take_in(*signed(table_ref, 1, boot=8), *signed(table_ref, 1, boot=9_000, test=True))
    take_in(*signed(table_ref, 1, boot=19_000, test=True))
    assert tables_in_test([table_ref.system_id]) == {table_ref.system_id: [table_ref.table]}
    Stream.objects.filter(boot__gt=8).update(discarded=True)
    assert tables_in_test([table_ref.system_id]) == {}


def test_a_slip_of_the_finger_is_set_right_by_another_reset(table_ref: TableRef) -> None:
    take_in(*signed(table_ref, 1, boot=8))
    boot_counter.reset(table_ref.system_id, table_ref.table_id, 8_000_000)
    assert next_boot(table_ref) == 8_000_001
    boot_counter.reset(table_ref.system_id, table_ref.table_id, 8)
    assert next_boot(table_ref) == 9
    boot_counter.reset(table_ref.system_id, table_ref.table_id, 8_000_000)
    (receipt,) = take_in(*signed(table_ref, 1, boot=8_000_000))
    assert outcomes(receipt) == {1: "recorded"}


def test_other_tables_are_not_touched(table_ref: TableRef) -> None:
    neighbour = make_table("neighbour")
    take_in(*messages_of(neighbour, 1, boot=9_999), *signed(table_ref, 1, boot=9_999))
    boot_counter.reset(table_ref.system_id, table_ref.table_id, 0)
    assert not Stream.objects.filter(discarded=True).exists()
    take_in(*messages_of(neighbour, 1, boot=19_999))
    boot_counter.reset(table_ref.system_id, table_ref.table_id, 0)
    assert not Stream.objects.filter(discarded=True).exists()
