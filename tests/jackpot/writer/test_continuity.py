"""The database refuses an order with a gap and a balance that does not follow, from anybody.

Every forgery is tried as the poster's role, which may write these tables, and as the owner.
"""

import json

import pytest
from django.db import IntegrityError, connection, transaction

from jackpot.models import Account, Gap, Head, Tier, TierStep
from tables.models import GamingTable
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db

# A forged batch behind the head {h}: one entry, one transfer of 5 to the pool, one block.
ENTRY = """
    INSERT INTO jackpot_entry (system_id, seq, at, kind, type, body_hash, outcome)
    SELECT system_id, seq + {gap}, now(), 'fact', 'gap_released', '', '{{}}' FROM jackpot_head
"""
TRANSFER = """
    INSERT INTO jackpot_transfer (system_id, number, entry_seq, debit_id, credit_id, amount,
                                  debit_after, credit_after, reason)
    SELECT h.system_id, h.transfer_number + {gap}, h.seq + 1, d.id, c.id, 5,
           d.balance - {after}, c.balance + {after}, 'contribution'
    FROM jackpot_head h, jackpot_account d, jackpot_account c
    WHERE d.code = 'operator' AND c.code = 'royal:pool'
"""
BALANCES = """
    UPDATE jackpot_account SET balance = balance + CASE code WHEN 'operator' THEN -5 ELSE {to} END,
        moved_through = (SELECT transfer_number + 1 FROM jackpot_head)
    WHERE code IN ('operator', 'royal:pool')
"""
BLOCK = """
    INSERT INTO jackpot_block (system_id, number, first_seq, last_seq, first_transfer,
                               last_transfer, fold_version, rules_version, at, previous, hash)
    SELECT system_id, block_number + 1, seq + 1, seq + 1, transfer_number + 1,
           transfer_number + 1, 1, 1, now(), {previous}, 'forged' FROM jackpot_head
"""
HEAD = """
    UPDATE jackpot_head SET seq = seq + 1, transfer_number = transfer_number + 1,
        block_number = block_number + 1, block_hash = 'forged'
"""
AT_THE_END = "SET CONSTRAINTS ALL IMMEDIATE"

entry = ENTRY.format(gap=1)
transfer = TRANSFER.format(gap=1, after=5)
balances = BALANCES.format(to=5)
block = BLOCK.format(previous="block_hash")
# The same with two transfers of 5.
block_of_two = block.replace("transfer_number + 1, 1, 1", "transfer_number + 2, 1, 1")
head_of_two = HEAD.replace(
    "transfer_number = transfer_number + 1", "transfer_number = transfer_number + 2"
)
ACCOUNT = "INSERT INTO jackpot_account (system_id, code, balance, moved_through)"
# More than the pool holds leaves it and comes back.
LENT = """
    INSERT INTO jackpot_transfer (system_id, number, entry_seq, debit_id, credit_id, amount,
                                  debit_after, credit_after, reason)
    SELECT h.system_id, h.transfer_number + leg.number, h.seq + 1,
           CASE WHEN leg.gives THEN p.id ELSE o.id END,
           CASE WHEN leg.gives THEN o.id ELSE p.id END, p.balance + 1,
           CASE WHEN leg.gives THEN -1 ELSE o.balance END,
           CASE WHEN leg.gives THEN o.balance + p.balance + 1 ELSE p.balance END, 'adjust'
    FROM jackpot_head h, jackpot_account p, jackpot_account o,
         (VALUES (1, true), (2, false)) AS leg (number, gives)
    WHERE o.code = 'operator' AND p.code = 'royal:pool'
"""
STILL = """
    UPDATE jackpot_account SET moved_through = (SELECT transfer_number + 2 FROM jackpot_head)
    WHERE code IN ('operator', 'royal:pool')
"""

FORGERIES = {
    "a balance without a transfer": [balances],
    "a balance that moves by another amount": [entry, transfer, BALANCES.format(to=6)],
    "one balance only": [
        *(entry, transfer, balances.replace("IN ('operator', 'royal:pool')", "= 'operator'")),
        *(block, HEAD),
    ],
    "no balance at all": [entry, transfer, block, HEAD],
    "a running balance that does not follow": [
        *(entry, TRANSFER.format(gap=1, after=6), balances, block, HEAD)
    ],
    # Running balances that follow one another, from a balance that never was.
    "a balance that moves twice": [
        *(entry, TRANSFER.format(gap=1, after=10), balances, balances, block, HEAD)
    ],
    "a balance that does not move": [entry, TRANSFER.format(gap=1, after=0), block, HEAD],
    "a balance that says it moved": [
        balances.replace("balance + CASE", "balance + 0 * CASE"),
        *(entry, TRANSFER.format(gap=1, after=0), block, HEAD),
    ],
    "a transfer behind the balances": [
        *(entry, TRANSFER.format(gap=1, after=0), balances, TRANSFER.format(gap=2, after=0)),
        *(block_of_two, head_of_two),
    ],
    "a transfer filled in behind the balances": [
        *(entry, TRANSFER.format(gap=2, after=5)),
        balances.replace("transfer_number + 1", "transfer_number + 2"),
        *(TRANSFER.format(gap=1, after=-5), block_of_two, head_of_two),
    ],
    "an account that says it moved": [
        f"{ACCOUNT} SELECT system_id, 'moved', 0, transfer_number + 1 FROM jackpot_head",
    ],
    "a gap in the entries": [ENTRY.format(gap=2), transfer, balances, block, HEAD],
    "a gap in the transfers": [entry, TRANSFER.format(gap=2, after=5), balances, block, HEAD],
    "no block": [entry, transfer, balances, HEAD],
    "a block that does not follow": [
        *(entry, transfer, balances, BLOCK.format(previous="'elsewhere'"), HEAD)
    ],
    "a head that goes ahead": [HEAD],
    "a head that goes back": ["UPDATE jackpot_head SET seq = seq - 1"],
    "an epoch that goes back": ["UPDATE jackpot_head SET epoch = epoch - 1"],
    "hits that go back": ["UPDATE jackpot_head SET hit_number = hit_number - 1"],
    "terms that go back": ["UPDATE jackpot_head SET terms_number = 0"],
    "a head that opens ahead": [
        """
        INSERT INTO jackpot_head (system_id, seq, transfer_number, hit_number, terms_number,
                                  block_number, block_hash, epoch, writer, halted_on)
        SELECT id, 1000, 50, 0, 0, 77, 'forged', 0, '', '' FROM tables_jackpotsystem
        """
    ],
    "another hash": ["UPDATE jackpot_head SET block_hash = 'forged'"],
    "an entry beyond the head": [entry, AT_THE_END],
    "a transfer beyond the head": [transfer, AT_THE_END],
    "a block beyond the head": [block, AT_THE_END],
    "a pool below zero within a batch": [entry, LENT, STILL, block_of_two, head_of_two],
    **{
        f"{what} numbered {number}": [
            *(statement.format(gap=f"{number} - h.{head}", after=5), AT_THE_END),
        ]
        for what, statement, head in (
            ("an entry", ENTRY.replace("jackpot_head", "jackpot_head h"), "seq"),
            ("a transfer", TRANSFER, "transfer_number"),
        )
        for number in (0, -5)
    },
    "a block numbered 0": [
        block.replace("SELECT system_id, block_number + 1", "SELECT system_id, 0")
    ],
    "an account that opens rich": [
        "INSERT INTO jackpot_account (system_id, code, balance)"
        " SELECT system_id, 'rich', 5 FROM jackpot_head"
    ],
}


def build_house() -> House:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.post()
    with connection.cursor() as cursor:
        cursor.execute(AT_THE_END)  # what is pending is judged; then wait again
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    return house


house = kept_house(build_house)


def carry_out(statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.mark.parametrize("role", ["poster", None])
@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_is_refused(house: House, forgery: str, role: str | None) -> None:
    before = (Head.objects.values().get(), list(Account.objects.order_by("id").values()))
    with (
        acting_as(role),
        pytest.raises(IntegrityError, match=r"continuity|_from_one"),
        transaction.atomic(),
    ):
        carry_out(FORGERIES[forgery])
    assert (Head.objects.values().get(), list(Account.objects.order_by("id").values())) == before


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ("jackpot_terms", {"number": 0}),
        ("jackpot_terms", {"effective_seq": 0}),
        ("jackpot_hit", {"number": -1}),
        ("jackpot_hit", {"place": 0}),
        ("jackpot_hit", {"acts_at": 0}),
        ("jackpot_command", {"number": 0}),
        ("jackpot_commandqueue", {"taken": 100}),
        ("jackpot_block", {"last_seq": 0}),
        ("jackpot_block", {"number": -1, "first_transfer": 0}),
        ("jackpot_transfer", {"entry_seq": 0}),
        ("jackpot_cursor", {"through": -1}),
        ("jackpot_gap", {"from_seq": 0}),
        ("jackpot_gap", {"to_seq": 1}),
        ("jackpot_tierstep", {"place": 0}),
    ],
)
def test_numbers_begin_at_one(house: House, table: str, wrong: dict[str, int]) -> None:
    """A row as it stands, but for this."""
    house.call("t3")
    house.post()
    (tier,) = Tier.objects.all()
    TierStep.objects.create(
        tier=tier, place=3, kind="limit", fed_pool=0, fed_reserve=0, fed_overflow=0
    )
    Gap.objects.create(
        system=house.system,
        table=GamingTable.objects.get(code="t3"),
        boot=1,
        from_seq=2,
        to_seq=3,
        entry_seq=4,
    )
    copy = f"""
        INSERT INTO {table} SELECT (jsonb_populate_record(kept, '{json.dumps(wrong)}')).*
        FROM (SELECT kept FROM {table} kept LIMIT 1) AS one
    """
    with (
        pytest.raises(IntegrityError, match=r"_from_one|_from_zero|queue_order"),
        transaction.atomic(),
    ):
        carry_out([copy])


def test_what_is_whole_is_taken(house: House) -> None:
    """The same rows without a fault: so each forgery above is refused for its one fault."""
    with acting_as("poster"):
        carry_out([entry, transfer, balances, block, HEAD, AT_THE_END])
    assert Head.objects.get().seq == house.head.seq


def test_temporary_tables_stand_for_nothing(house: House) -> None:
    """A session's own tables are found before those of the same name, but not by a guard."""
    shadows = [
        f"CREATE TEMPORARY TABLE {name} (LIKE public.{name})"
        for name in ("jackpot_entry", "jackpot_transfer", "jackpot_block")
    ]
    with pytest.raises(IntegrityError, match="continuity"), transaction.atomic():
        carry_out([*shadows, entry, TRANSFER.format(gap=1, after=0), block, HEAD])


def test_a_head_stays_with_its_system(house: House) -> None:
    with pytest.raises(IntegrityError, match="continuity"), transaction.atomic():
        carry_out(["UPDATE jackpot_head SET system_id = system_id + 1"])


@pytest.mark.parametrize("code", ["royal:pool", "royal:reserve", "royal:overflow", "royal:held"])
def test_no_pool_goes_below_zero(house: House, code: str) -> None:
    short = [
        entry,
        f"""
        INSERT INTO jackpot_transfer (system_id, number, entry_seq, debit_id, credit_id, amount,
                                      debit_after, credit_after, reason)
        SELECT h.system_id, h.transfer_number + 1, h.seq + 1, d.id, c.id, d.balance + 1, -1,
               c.balance + d.balance + 1, 'hold'
        FROM jackpot_head h, jackpot_account d, jackpot_account c
        WHERE d.code = '{code}' AND c.code = 'operator'
        """,
        f"UPDATE jackpot_account SET balance = -1 WHERE code = '{code}'",
    ]
    for role in ("poster", None):
        with (
            acting_as(role),
            pytest.raises(IntegrityError, match="only_sources_below_zero"),
            transaction.atomic(),
        ):
            carry_out(short)
