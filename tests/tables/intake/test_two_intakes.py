"""Two intakes hear the same: all is recorded once, and neither waits for the other for ever."""

import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from tables.models import Stream, TableEvent
from tables.protocol.table_ref import TableRef
from tests.support.databases import FreshDatabase
from tests.support.table_units import make_system, make_table, messages_of, take_in

ROUNDS = 60


def test_the_same_events_through_two_intakes_at_once(fresh_database: FreshDatabase) -> None:
    system = make_system()
    table_refs = [make_table(f"t-{n}", system=system) for n in range(4)]
    together = threading.Barrier(2)

    def intake(order: list[TableRef]) -> None:
        try:
            for seq in range(1, ROUNDS + 1):
                together.wait(120)
                # New streams in every round (boot), met in opposite orders.
                batch = [
                    message
                    for table_ref in order
                    for message in (
                        *messages_of(table_ref, seq),
                        *messages_of(table_ref, 1, boot=seq + 1),
                    )
                ]
                take_in(*batch)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(intake, table_refs), pool.submit(intake, table_refs[::-1])]:
            done.result()
    assert TableEvent.objects.count() == 2 * ROUNDS * len(table_refs)
    assert {s.committed_seq for s in Stream.objects.filter(boot=1)} == {ROUNDS}
