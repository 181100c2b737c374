"""Receipts with the number: sent after posting, and once more to a unit that sent again."""

from typing import Any

import msgspec
import pytest

from tables.models import OutboxMessage, RepeatedEvent, Stream
from tables.protocol import messages
from tables.unit.receipts import ReceiptBook
from tests.support.cases.claims.several_prizes import BOARD, QUEEN_HIGH, ROYAL, each_terms
from tests.support.play.house import House

pytestmark = pytest.mark.django_db

_decode = msgspec.json.Decoder(messages.Receipt).decode


def started(house: House, seq: int, **fields: Any) -> bytes:
    return house.event("t3", messages.RoundStarted, seq=seq, round=seq, **fields)


def reported(house: House, seq: int, hole: str) -> None:
    """The hand of seat 3 in the first round of table 3."""
    hand = messages.ReportedHand(
        seat=3, hole=hole.split(), exposed="yes", folded=False, participating=True, won_pot=True
    )
    house.record(
        "t3",
        house.event(
            "t3", messages.HandReported, seq=seq, round=1, boards=[BOARD.split()], hands=[hand]
        ),
    )


def new_receipts(house: House) -> list[messages.Receipt]:
    """What the poster sent to the units since it was last asked."""
    house.post()
    receipts = [_decode(bytes(row.payload)) for row in OutboxMessage.objects.order_by("id")]
    OutboxMessage.objects.all().delete()
    return receipts


def numbers(receipt: messages.Receipt) -> list[tuple[int, str, int | None]]:
    return [(result.seq, result.outcome, result.system_seq) for result in receipt.results]


def test_a_unit_that_missed_its_number_is_told_again() -> None:
    house = House()
    house.record("t3", *(started(house, seq) for seq in (1, 2, 3)))
    (first,) = new_receipts(house)
    assert numbers(first) == [(seq, "sequenced", seq) for seq in (1, 2, 3)]
    house.record("t3", started(house, 2), started(house, 3))
    (again,) = new_receipts(house)
    assert numbers(again) == [(2, "sequenced", 2), (3, "sequenced", 3)]
    assert (again.committed_seq, again.next_boot) == (3, 2)
    assert new_receipts(house) == []
    assert not RepeatedEvent.objects.exists()


def test_a_duplicate_that_waits_for_its_number_is_told_once() -> None:
    house = House()
    house.record("t3", started(house, 1), started(house, 1))
    (receipt,) = new_receipts(house)
    assert numbers(receipt) == [(1, "sequenced", 1)]
    assert new_receipts(house) == []


def test_the_handset_shows_the_number_after_the_event_was_sent_again() -> None:
    house = House()
    house.record("t3", started(house, 1))
    new_receipts(house)  # and lost on its way
    house.record("t3", started(house, 1))
    book = ReceiptBook()
    book.begin(1)
    for receipt in new_receipts(house):
        book.enter(receipt)
    assert book.handset_text(1) == "RECORDED no. 1"


def test_the_hand_keeps_its_hit_when_it_is_told_again() -> None:
    house = House(tables=("t3",))
    house.open("t3")
    house.press("t3")
    house.call("t3", tier=None)
    first = new_receipts(house)[-1].results[-1]
    house.record("t3", house.event("t3", messages.HandCalled, seq=3, round=1, tier=None, seats=[3]))
    assert new_receipts(house)[-1].results == [first]


def test_a_hand_with_several_claims_is_told_all_their_numbers() -> None:
    house = House(each_terms(), tables=("t3",))
    house.open("t3")
    house.press("t3")
    reported(house, 3, ROYAL)
    first = new_receipts(house)[-1].results[-1]
    assert first.hit == [1, 2]
    reported(house, 4, QUEEN_HIGH)  # the first was a slip: the straight flush alone is won
    assert new_receipts(house)[-1].results[-1].hit == [2]
    reported(house, 3, ROYAL)  # sent once more
    assert new_receipts(house)[-1].results[-1].hit == [2]


def test_the_next_boot_in_a_receipt_is_one_that_the_schema_allows() -> None:
    house = House()
    house.record("t3", started(house, 1))
    Stream.objects.update(boot=messages.MAX_BOOT)
    house.post()
    OutboxMessage.objects.all().delete()
    event = msgspec.json.decode(started(house, 2))
    event["boot"] = messages.MAX_BOOT
    house.record("t3", msgspec.json.encode(event))
    (receipt,) = new_receipts(house)
    assert receipt.next_boot == messages.MAX_BOOT
