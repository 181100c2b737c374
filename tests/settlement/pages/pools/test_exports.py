"""A long export through ASGI: whole, in small pieces, and never all of it in memory."""

import asyncio
import csv
import io
import tracemalloc
from typing import Any

import psycopg
from asgiref.testing import ApplicationCommunicator
from django.contrib.auth.models import AnonymousUser
from django.core.asgi import get_asgi_application
from django.db import connection, transaction
from django.test import RequestFactory

from jackpot.models import Account, Entry, Transfer
from settlement.pages.shared.exports import CHUNK, IN_MEMORY, as_csv
from settlement.pools.history import PoolHistory
from tests.support.pages.page_staff import logged_in
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


async def download(address: str, cookie: str) -> tuple[dict[str, str], list[bytes]]:
    """The headers and pieces of an answer as the server would send them."""
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "path": address,
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"cookie", f"sessionid={cookie}".encode())],
    }
    browser = ApplicationCommunicator(get_asgi_application(), scope)
    await browser.send_input({"type": "http.request", "body": b"", "more_body": False})
    begin = await browser.receive_output(120)
    assert begin["status"] == 200
    pieces = []
    while True:
        part = await browser.receive_output(120)
        pieces.append(part.get("body", b""))
        if not part.get("more_body"):
            await browser.wait()
            headers = {name.decode().lower(): value.decode() for name, value in begin["headers"]}
            return headers, pieces


def test_a_hundred_thousand_rows_are_streamed(fresh_database: FreshDatabase) -> None:
    house = long_house()
    play_long(house, ROWS)
    cookie = logged_in("ines").cookies["sessionid"].value
    headers, pieces = asyncio.run(download("/pools/main/royal/history.csv", cookie))
    assert headers["content-type"] == "text/csv; charset=utf-8"
    assert headers["content-disposition"] == 'attachment; filename="pool-main-royal-all.csv"'
    assert max(map(len, pieces)) <= CHUNK
    body = b"".join(pieces)
    assert int(headers["content-length"]) == len(body)
    rows = list(csv.reader(io.StringIO(body.decode("utf-8-sig"))))
    assert rows[0][:4] == ["entry", "transfer", "time", "time_utc"]
    assert len(rows) == ROWS + 2  # the headings, and the opening
    assert rows[1][-1] == "1123.40"  # 1,000.00 and 100,000 times 0.001234
    numbers = [int(row[1]) for row in rows[1:]]
    assert numbers == list(range(ROWS + 1, 0, -1))


def test_its_memory_stays_flat(fresh_database: FreshDatabase) -> None:
    house = long_house()
    play_long(house, ROWS)
    history = PoolHistory(house.system.tiers.select_related("system__casino").get())

    async def size_of(response: Any) -> int:
        return sum([len(piece) async for piece in response])

    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    tracemalloc.start()
    response = as_csv(request, history.report())
    size = asyncio.run(size_of(response))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    response.close()
    assert size > 8 * IN_MEMORY
    assert most < 3 * IN_MEMORY


def test_old_statistics_do_not_make_it_slow(fresh_database: FreshDatabase) -> None:
    house = long_house()
    with transaction.atomic(), psycopg.connect(fresh_database.url, autocommit=True) as other:
        play_long(house, ROWS)
        other.execute("ANALYZE jackpot_entry, jackpot_transfer")  # sees two rows in many pages
    history = PoolHistory(house.system.tiers.select_related("system__casino").get())
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = '60s'")
    assert sum(map(len, history.report().csv())) > 8 * IN_MEMORY
