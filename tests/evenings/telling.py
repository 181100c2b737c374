"""pytest -p tests.evenings.telling: each test that has a database of its own leaves its orders."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from django.db import connection

from tests.evenings.rows import orders


@pytest.fixture(autouse=True)
def recorded_orders(request: pytest.FixtureRequest) -> Generator[None]:
    """At the end of the test, when everything in its database stands still."""
    ours = request.node.get_closest_marker("django_db") or "db" in request.fixturenames
    database = "db" if ours else "fresh_database"
    if database not in (*request.fixturenames, "db" if ours else ""):
        yield
        return
    request.getfixturevalue(database)
    yield
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
    name = request.node.nodeid.rpartition("/")[2]
    with (Path(os.environ["ORDERS_TO"]) / f"{os.getpid()}.jsonl").open("a") as file:
        file.writelines(line + "\n" for line in orders(name))
