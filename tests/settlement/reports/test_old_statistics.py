"""A long report as CSV where the database's statistics are older than its rows."""

import psycopg
from django.db import connection, transaction

from jackpot.models import Account, Entry, Transfer
from settlement.core.gaming_day import today
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tables.models import Casino
from tests.support.people.cast import ClaimHouse
from tests.support.suite.databases import FreshDatabase

ROWS = 100_000
_PLAYED = """
    INSERT INTO jackpot_entry (system_id, seq, at, kind, type, body_hash, outcome)
    SELECT %(system)s, %(seq)s + n, now(), 'event', 'round_started', '\\x00', '{}'
    FROM generate_series(1, %(rows)s) AS n;
    INSERT INTO jackpot_transfer (system_id, number, entry_seq, debit_id, credit_id, amount,
                                  debit_after, credit_after, reason)
    SELECT %(system)s, %(number)s + n, %(seq)s + n, %(debit)s, %(credit)s, 1234,
           %(debit_after)s - 1234 * n, %(credit_after)s + 1234 * n, 'contribution'
    FROM generate_series(1, %(rows)s) AS n;
"""


def long_house() -> ClaimHouse:
    """A house whose rows may stand beyond its head; its database is thrown away."""
    house = ClaimHouse()
    with connection.cursor() as cursor:
        for table in ("jackpot_entry", "jackpot_transfer"):
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER head_is_owed")
    return house


def play_long(house: ClaimHouse, rows: int) -> None:
    """So many contributions in one go, as the writer would have left them."""
    accounts = {account.code: account for account in Account.objects.all()}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            _PLAYED,
            {
                "system": house.system.pk,
                "seq": Entry.objects.count(),
                "number": Transfer.objects.count(),
                "rows": rows,
                "debit": accounts["operator"].pk,
                "credit": accounts["royal:pool"].pk,
                "debit_after": accounts["operator"].balance,
                "credit_after": accounts["royal:pool"].balance,
            },
        )


def test_old_statistics_do_not_make_it_slow(fresh_database: FreshDatabase) -> None:
    house = long_house()
    with transaction.atomic(), psycopg.connect(fresh_database.url, autocommit=True) as other:
        play_long(house, ROWS)
        other.execute("ANALYZE jackpot_entry, jackpot_transfer")  # sees two rows in many pages
    casino = Casino.objects.get()
    day = today(casino)
    ledger = reports()["ledger"].report(Filters(casino, day, day, {"system": "main"}))
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = '60s'")
    assert b"".join(map(bytes, ledger.csv())).count(b"\n") > ROWS
