"""Prepared statements meet outages like all others. Found by the seeded simulator."""

import pytest
from django.db import DatabaseError, connection

from tables.outage import is_outage
from tables.prepared import prepared_cursor
from tests.databases import FreshDatabase


@pytest.mark.parametrize("broken", ["connection", "lock"])
def test_an_outage_in_a_prepared_statement_is_an_outage(
    fresh_database: FreshDatabase, broken: str
) -> None:
    """Else the batch would be quarantined and acknowledged, and not be in the inbox."""
    with pytest.raises(DatabaseError) as caught:
        _meet(broken)
    assert is_outage(caught.value)


def _meet(broken: str) -> None:
    with prepared_cursor() as cursor:
        if broken == "connection":
            connection.connection.close()
        cursor.execute("DO $$ BEGIN RAISE lock_not_available; END $$")
