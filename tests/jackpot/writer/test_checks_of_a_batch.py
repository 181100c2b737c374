"""What the database checks of a batch reads that batch, however long the past is."""

import pytest
from django.db import connection

from jackpot.models import Account, Head, Transfer
from tables.models import JackpotSystem
from tables.protocol.messages import RoundStarted
from tests.support.play.books import royal_terms
from tests.support.play.house import House

pytestmark = pytest.mark.django_db

_FETCHED = """
    SELECT relname, coalesce(idx_tup_fetch, 0) + seq_tup_read FROM pg_stat_xact_user_tables
    WHERE relname IN ('jackpot_transfer', 'jackpot_account')
"""

# Of a table's indexes: a search that begins too early passes rows which nobody counts.
_PAGES = """
    SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(indexrelid)), 0) FROM pg_index
    WHERE indrelid = 'jackpot_transfer'::regclass
"""


def fetched() -> dict[str, int]:
    """Rows read so far in this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_FETCHED)
        return dict(cursor.fetchall())


def press(house: House, rounds: int) -> None:
    """So many presses of the button, which come at once."""
    begin = house.rounds.get("t3", 0) + 1
    numbers = range(begin, begin + rounds)
    house.record("t3", *(house.event("t3", RoundStarted, round=each) for each in numbers))
    house.rounds["t3"] = numbers[-1]


def post(house: House, rounds: int) -> tuple[int, dict[str, int]]:
    """So many rounds as one batch: its transfers, and how many rows were read for it."""
    press(house, rounds)
    transfers, before = Transfer.objects.count(), fetched()
    assert house.poster.step() == rounds
    after = fetched()
    count = Transfer.objects.count() - transfers
    return count, {name: after[name] - before.get(name, 0) for name in after}


def pages_of_an_index(house: House) -> int:
    """Pages of the indexes of transfers that a batch of two rounds reads."""

    def pages() -> int:
        with connection.cursor() as cursor:
            cursor.execute(_PAGES)
            return int(cursor.fetchone()[0])

    press(house, 2)
    before = pages()
    assert house.poster.step() == 2
    return pages() - before


def house_among_many(*, is_counted: bool) -> House:
    """One of sixty systems: with few the planner finds good ways by chance. `is_counted`: whether
    the planner knows how large the tables are."""
    house = House(royal_terms())
    casino = house.system.casino
    others = [
        JackpotSystem.objects.create(casino=casino, code=f"s{number}", name="Other")
        for number in range(60)
    ]
    Head.objects.bulk_create(Head(system=other) for other in others)
    Account.objects.bulk_create(
        Account(system=other, code=f"tier{code}:pool", balance=0)
        for other in others
        for code in range(7)
    )
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        if is_counted:
            cursor.execute("ANALYZE jackpot_head, jackpot_account")
        # As the writer's line: no statistics of an empty table, taken between tests, change a plan.
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("DISCARD PLANS")
    house.open("t3")
    house.post()
    return house


@pytest.mark.parametrize("is_counted", [False, True])
@pytest.mark.parametrize("was_empty", [False, True])
def test_a_batch_is_checked_without_its_past(is_counted: bool, was_empty: bool) -> None:
    if was_empty:  # as autovacuum may find the table before the first round
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE jackpot_head, jackpot_account, jackpot_transfer")
    house = house_among_many(is_counted=is_counted)
    post(house, 300)
    count, read = post(house, 2)
    # Looked at for the balances, counted, and followed along the debits and the credits; then
    # counted by this test.
    counted = Transfer.objects.count() * 2
    assert read["jackpot_transfer"] <= counted + 4 * count


def test_the_search_for_a_batch_begins_at_it() -> None:
    house = house_among_many(is_counted=True)
    post(house, 600)  # the indexes have the levels that they will have
    few = pages_of_an_index(house)
    post(house, 2500)
    # Each index comes to the end of a page now and then, and not at every batch.
    assert min(pages_of_an_index(house) for _ in range(4)) <= few + 1


@pytest.mark.parametrize("is_counted", [False, True])
def test_accounts_are_looked_up_once_a_batch(is_counted: bool) -> None:
    house = house_among_many(is_counted=is_counted)
    _, few = post(house, 20)
    _, many = post(house, 200)
    assert many["jackpot_account"] <= few["jackpot_account"] + 20
