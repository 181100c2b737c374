"""HAProxy's port for reads leads to the standby, whichever machine that is."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.ha.machines import Machines
from tests.ha.services import missing
from tests.support.suite.waiting import wait_until

pytestmark = [
    pytest.mark.long,
    pytest.mark.alone,
    pytest.mark.postgres,
    pytest.mark.skipif(bool(missing()), reason=f"READS NOT TESTED: {missing()}"),
]


@pytest.fixture
def machines() -> Iterator[Machines]:
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)
        machines = Machines(Path(name), kinds=("etcd", "patroni", "haproxy"))
        try:
            machines.start()
            yield machines
        finally:
            machines.stop()


def is_standby(machines: Machines) -> bool | None:
    """What answers at the port of machine `c`; None where nobody does."""
    try:
        with psycopg.connect(machines.read_url, connect_timeout=5) as connection:
            return bool(connection.execute("SELECT pg_is_in_recovery()").fetchall()[0][0])
    except psycopg.OperationalError:
        return None


def test_reads_end_where_a_standby_is_promoted(machines: Machines) -> None:
    wait_until(lambda: is_standby(machines), 30, "a standby at the port")
    leader = machines.leader()
    with psycopg.connect(machines.read_url) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        reader.execute("SELECT count(*) FROM pg_class")
        machines.kill_server(leader or "")
        wait_until(lambda: machines.leader() not in (None, leader), 30, "the other machine to lead")

        def is_ended() -> bool:
            try:
                reader.execute("SELECT 1")
            except psycopg.OperationalError:
                return True
            return False

        wait_until(is_ended, 30, "HAProxy to end the read")
    # The machine that was the primary comes back as the standby, and is never taken for it before.
    answers: set[bool | None] = set()

    def is_back() -> bool:
        answers.add(answer := is_standby(machines))
        return answer is True

    wait_until(is_back, 60, "a standby at the port again")
    assert False not in answers
