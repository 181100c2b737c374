"""What the writer keeps in memory is what the rows say, whatever was played."""

import math
import random
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from jackpot.models import Block, Entry, Head, Writer
from jackpot.storage import loading
from jackpot.storage.loading import Plan, load
from jackpot.terms.money import MICROS
from jackpot.writer import batches, poster
from jackpot.writer.pending import pending_work
from jackpot.writer.poster import Poster
from settlement.audit.reconciliation import reconcile
from tables.models import GamingTable
from tables.protocol import messages
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.play.kept_books import open_other_floor, press_other

pytestmark = pytest.mark.django_db


def play(house: House, chance: random.Random) -> None:
    """One thing that happens on the floor or the console."""
    table = chance.choice(["t3", "t7"])
    match chance.randrange(12):
        case 0:
            house.open(table)
        case 1:
            house.say(table, messages.SessionClosed)
        case 2:
            house.call(table, tier=chance.choice(["royal", None]))
        case 3 if house.rounds.get(table):
            number = chance.randint(1, house.rounds[table])
            house.say(table, messages.RoundCompleted, round=number, pot=chance.randrange(5000))
        case 4 if house.rounds.get(table):
            house.say(table, messages.RoundStarted, round=chance.randint(1, house.rounds[table]))
        case 5:
            reset = chance.randrange(500, 1500) * MICROS
            house.decide("put_terms", terms=royal_terms(reset=reset))
        case 6 if hit := house.system.hits.filter(state="held").order_by("number").first():
            body: dict[str, Any] = {"reason": "R04", "evidence": "cctv", "affected": True}
            house.decide("reject_claim", with_actions=True, hit=hit.number, **body)
        case _:
            house.press(table)


def assert_kept_as_stored(house: House) -> None:
    loaded = house.poster._books[house.system.pk].loaded
    stored = load(Head.objects.get(system=house.system), Plan())
    for name in ("seq", "transfer_number", "hit_number", "terms_number", "balances", "fed"):
        assert getattr(loaded.books, name) == getattr(stored.books, name), name
    assert loaded.books.terms == stored.books.terms
    assert {t: s for t, s in loaded.books.sessions.items() if s} == {
        t: s for t, s in stored.books.sessions.items() if s
    }
    ids = loaded.table_ids
    keys = {(ids[table], number) for table, number in loaded.books.rounds}
    loading.fetch(house.system.pk, stored, Plan(rounds=keys, with_hits=False))
    assert loaded.books.rounds == {key: stored.books.rounds[key] for key in loaded.books.rounds}
    assert (loaded.accounts, loaded.tiers) == (stored.accounts, stored.tiers)
    assert loaded.fed == stored.fed
    assert loaded.newest_rounds == stored.newest_rounds
    assert loaded.at == Block.objects.get(system=house.system, number=house.head.block_number).at
    assert len(loaded.books.rounds) <= loading.ROUNDS_KEPT


@pytest.mark.parametrize("seed", range(3))
def test_kept_books_are_the_stored_ones_and_fold_to_the_same_hashes(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(loading, "ROUNDS_KEPT", 5)
    house = House(royal_terms())
    house.open("t3")
    for _ in range(25):
        for _ in range(chance.randint(1, 4)):
            play(house, chance)
        monkeypatch.setattr(poster, "BATCH", chance.choice([1, 2, 7, 1000]))
        house.post()
        assert_kept_as_stored(house)
        if chance.random() < 0.1:
            Head.objects.update(lease_until=None)
            house.poster = Poster()  # another writer takes over
    assert reconcile(house.system).differences == []


def test_books_are_not_kept_from_a_batch_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(royal_terms())
    house.open("t3")
    house.post()
    house.press("t3")
    with monkeypatch.context() as broken:
        broken.setattr(batches, "announce", lambda *_: 1 / 0)
        assert house.poster.step() == 0
    Head.objects.update(halted_at=None, halted_on="")
    house.post()
    assert_kept_as_stored(house)
    assert house.balance("royal:pool") == 1000 * MICROS + MICROS // 2


def test_what_another_writer_wrote_is_read_again() -> None:
    house = House(royal_terms())
    house.open("t3")
    house.post()
    first = house.poster
    Head.objects.update(lease_until=None)
    house.poster = Poster()
    house.press("t3")
    house.post()
    Head.objects.update(lease_until=None)
    first._renew_at = None
    house.poster = first
    house.press("t3")
    house.post()
    assert_kept_as_stored(house)
    assert reconcile(house.system).differences == []


def test_a_new_table_is_met_by_kept_books() -> None:
    house = House(royal_terms())
    house.open("t3")
    house.post()
    GamingTable.objects.create(system=house.system, code="t9", name="Table 9")
    house.open("t9")
    house.press("t9")
    house.post()
    assert house.balance("royal:pool") == 1000 * MICROS + MICROS // 2


def test_a_long_queue_delays_another_system_by_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poster, "BATCH", 3)
    busy = House(royal_terms())
    for _ in range(20):
        busy.press("t3")
    busy.poster.step()
    calm = open_other_floor(busy)
    press_other(1)
    assert busy.poster.step() == 1
    assert Entry.objects.filter(system=calm).count() == 1


@pytest.mark.parametrize(("serves_s", "looks"), [(3600.0, 1), (0.0, 2)])
def test_a_look_serves_several_systems_for_a_moment(
    monkeypatch: pytest.MonkeyPatch, serves_s: float, looks: int
) -> None:
    house = House(royal_terms())
    other = open_other_floor(house)
    house.post()
    house.press("t3")
    press_other(1)
    counted: list[int] = []
    monkeypatch.setattr(poster, "LOOK_S", serves_s)
    monkeypatch.setattr(poster, "BATCH", 1)  # each by itself

    def count(system_ids: Any) -> Any:
        counted.append(1)
        return pending_work(system_ids)

    monkeypatch.setattr(poster, "pending_work", count)
    before = Entry.objects.count()
    house.poster.step()
    press_other(2)  # after the first look
    house.poster.step()
    assert len(counted) == looks
    house.post()
    assert Entry.objects.count() == before + 3
    assert Entry.objects.filter(system=other, type="round_started").count() == 2


def test_a_look_is_of_no_use_to_a_writer_that_was_relieved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(poster, "LOOK_S", 3600.0)
    monkeypatch.setattr(poster, "BATCH", 1)  # each by itself
    house = House(royal_terms())
    other = open_other_floor(house)
    house.post()
    house.press("t3")
    press_other(1)
    before = Entry.objects.count()
    assert house.poster.step() == 1  # the other system is left of this look
    left = [turn.system_id for turn in house.poster._turns]
    house.poster._renew_at = math.inf  # it hangs, and the other counts it no more
    Writer.objects.all().delete()
    Head.objects.update(lease_until=None)
    newer = Poster("newer")
    while newer.step():
        pass
    house.press("t3")
    press_other(2)
    assert house.poster.step() == 0
    assert left
    assert Entry.objects.count() == before + 2
    while newer.step():
        pass
    assert Entry.objects.count() == before + 4
    assert reconcile(other).differences == []


def test_the_newest_rounds_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "ROUNDS_KEPT", 3)
    house = House(royal_terms())
    for _ in range(5):
        house.press("t3")
        house.post()
    loaded = house.poster._books[house.system.pk].loaded
    assert [number for _, number in loaded.books.rounds] == [3, 4, 5]
    assert loaded.stored_rounds == set(loaded.books.rounds)


@pytest.mark.parametrize(
    "statement",
    ["DELETE FROM jackpot_account", "UPDATE jackpot_account SET code = 'x'"],
)
def test_an_account_that_transfers_name_stays(statement: str) -> None:
    House(royal_terms())
    with connection.cursor() as cursor, transaction.atomic():
        with pytest.raises(DatabaseError, match="append-only"):
            cursor.execute(statement)
        transaction.set_rollback(True)
