"""Systems with little each share a transaction; one that is in trouble troubles no other."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.db.models import F

from jackpot.models import Block, Entry, Head
from jackpot.storage import writing
from jackpot.writer import batches, commands, poster
from settlement.audit.reconciliation import reconcile
from tables.models import OutboxMessage
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.play.kept_books import open_other_floor, press_other

pytestmark = pytest.mark.django_db


def transactions() -> list[str]:
    """Of the newest block of each system, the transaction that wrote it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT b.xmin::text FROM jackpot_block b JOIN jackpot_head h"
            " ON (h.system_id, h.block_number) = (b.system_id, b.number) ORDER BY b.system_id"
        )
        return [xmin for (xmin,) in cursor.fetchall()]


def two_floors() -> tuple[House, int]:
    house = House(royal_terms())
    other = open_other_floor(house)
    house.open("t3")
    house.post()
    return house, other.pk


def fed(system_id: int) -> int:
    return Entry.objects.filter(system=system_id, type="round_started").count()


def test_systems_with_little_share_a_transaction_and_keep_their_own_blocks() -> None:
    house, other = two_floors()
    house.press("t3")
    press_other(1)
    count = OutboxMessage.objects.count()
    assert house.poster.step() == 2
    of_house, of_other = transactions()
    assert of_house == of_other
    newest = Block.objects.filter(number=F("system__head__block_number"))
    assert set(newest.values_list("system_id", "first_seq", "last_seq")) == {
        (house.system.pk, house.head.seq, house.head.seq),
        (other, 1, 1),
    }
    assert OutboxMessage.objects.count() == count + 2  # a receipt to each unit
    for system in (house.system, house.system.casino.systems.get(pk=other)):
        assert reconcile(system).differences == []


def test_a_long_queue_is_posted_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    house, other = two_floors()
    monkeypatch.setattr(poster, "BATCH", 3)
    for _ in range(3):
        house.press("t3")
    press_other(1)
    house.post()
    assert (fed(house.system.pk), fed(other)) == (3, 1)
    of_house, of_other = transactions()
    assert of_house != of_other


def test_a_fault_of_one_system_halts_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    house, other = two_floors()
    honest = batches.apply

    def faulty(books: Any, entry: Any, version: Any) -> Any:
        if books.system == "other":
            books.move(entry.seq, "operator", "nowhere:pool", 1, "contribution")  # half done
            raise ZeroDivisionError("a bug")
        return honest(books, entry, version)

    with monkeypatch.context() as broken:
        broken.setattr(batches, "apply", faulty)
        house.press("t3")
        press_other(1)
        house.post()
    assert (fed(house.system.pk), fed(other)) == (1, 0)
    halted = Head.objects.get(system=other)
    assert halted.halted_on == "round_started (t1, boot 1, seq 1)"
    assert house.head.halted_at is None
    assert reconcile(house.system).differences == []
    Head.objects.update(halted_at=None, halted_on="", halted_event=None)
    house.post()
    assert fed(other) == 1


def test_what_the_database_refuses_of_one_system_halts_it_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house, other = two_floors()
    honest = writing._entries

    def refused(batches: Sequence[writing.Batch]) -> None:
        if any(batch.system_id == other for batch in batches):
            raise IntegrityError("no")
        honest(batches)

    with monkeypatch.context() as broken:
        broken.setattr(writing, "_entries", refused)
        house.press("t3")
        press_other(1)
        house.post()
    assert (fed(house.system.pk), fed(other)) == (1, 0)
    assert Head.objects.get(system=other).halted_on == "round_started (t1, boot 1, seq 1)"


def test_a_system_that_was_taken_over_leaves_the_others_to_their_writer() -> None:
    """Its epoch is another's: nothing of it is written, and all of the rest."""
    house, other = two_floors()
    house.poster._lease()
    Head.objects.filter(system=other).update(epoch=F("epoch") + 1, writer="another")
    house.press("t3")
    press_other(1)
    house.post()
    assert (fed(house.system.pk), fed(other)) == (1, 0)
    assert other not in house.poster.epochs


def test_an_outage_that_only_one_system_meets_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A page of its own that cannot be read, for instance: together they would fail for ever."""
    house, other = two_floors()
    honest = writing._entries

    def damaged(batches: Sequence[writing.Batch]) -> None:
        if any(batch.system_id == other for batch in batches):
            raise OperationalError("invalid page in block 7")
        honest(batches)

    house.press("t3")
    press_other(1)
    with monkeypatch.context() as broken:
        broken.setattr(writing, "_entries", damaged)
        for _ in range(4):
            with suppress(OperationalError):
                house.poster.step()
        assert (fed(house.system.pk), fed(other)) == (1, 0)
        assert Head.objects.get(system=other).halted_at is None
    house.post()
    assert fed(other) == 1
    house.press("t3")
    press_other(2)
    assert house.poster.step() == 2  # together again


def test_a_system_behind_a_gap_joins_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it holds back would be read again with every batch of the others."""
    monkeypatch.setattr(poster, "IDLE_S", 3600.0)  # for so long nothing is tried again
    house, other = two_floors()
    press_other(3)  # 1 and 2 are missing
    house.post()
    sizes: list[int] = []
    honest = house.poster._commit

    def watch(turns: Any, limit: int) -> Any:
        sizes.append(len(turns))
        return honest(turns, limit)

    house.poster._commit = watch  # type: ignore[method-assign]
    for _ in range(3):
        house.press("t3")
        house.poster.step()
    assert set(sizes) == {1}
    assert fed(house.system.pk) == 3
    assert fed(other) == 0


def test_a_system_with_a_decision_joins_nobody() -> None:
    house, _ = two_floors()
    for each in house.system.casino.systems.order_by("pk"):
        commands.queue(each, "put_terms", {"terms": royal_terms()}, first="mere", second="david")
    before = Entry.objects.count()
    assert house.poster.step() == 1
    assert house.poster.step() == 1
    assert Entry.objects.count() == before + 2
    of_house, of_other = transactions()
    assert of_house != of_other
