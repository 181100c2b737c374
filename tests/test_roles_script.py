"""`deploy/roles.sh` on a server of its own: roles, their limits, what the owner's guards may."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from demo.servers import postgres_binaries
from demo.servers.ports import LOOPBACK
from demo.servers.postgres import PrivatePostgres
from settlement.database_roles import grants, server_functions
from settlement.database_roles import limits as role_limits

PROJECT = Path(__file__).resolve().parent.parent
REFUSED = (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction)
# Functions of the server that a guard calls, and its owner may not.
NOT_THE_OWNERS = r"""
    SELECT DISTINCT f.oid::regprocedure::text FROM pg_proc f, pg_proc guard
    WHERE f.pronamespace = 'pg_catalog'::regnamespace AND f.proname ~ %s
      AND guard.pronamespace = 'public'::regnamespace
      AND guard.prosrc ~ ('\m' || f.proname || '\(')
      AND NOT has_function_privilege(f.oid, 'EXECUTE')
"""
RAISED = (
    "INSERT INTO tables_alarm (kind, subject, message, raised_at, last_at, count, cleared_by,"
    " cleared_note) VALUES ('x', %s, 'x', now(), now(), 1, '', '')"
)


WATCHED = """
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()
from settlement.database_roles import passwords as role_passwords
from tables.models import Alarm
role_passwords.watch()
print(*Alarm.objects.filter(kind="role_password").values_list("subject", flat=True))
"""


def limits_are_in_force(connection: psycopg.Connection) -> None:
    """Of connections and times, as the product has them."""
    cursor = connection.cursor()
    limits = {role: role_limits.held(cursor, grants.PREFIX + role) for role in grants.ROLES}
    assert limits == {
        role: (each.connections, each.settings) for role, each in role_limits.LIMITS.items()
    }
    cursor.execute(
        "SELECT count(*) FROM pg_db_role_setting WHERE setrole <> 0 AND setdatabase <> 0"
    )
    assert cursor.fetchone() == (0,)


def run_script(server: PrivatePostgres, psql: Path) -> None:
    """`deploy/roles.sh` by the server's administrator, with passwords that name the role."""
    administrator = urlsplit(server.url)
    environment = {
        "PATH": f"{psql.parent}:{os.environ['PATH']}",
        "PGHOST": LOOPBACK,
        "PGPORT": str(administrator.port),
        "PGUSER": str(administrator.username),
        "PGPASSWORD": str(administrator.password),
        **{f"JACKPOT_{role.upper()}_PASSWORD": f"secret-{role}" for role in grants.ROLES},
        "JACKPOT_OWNER_PASSWORD": "secret-owner",
        "JACKPOT_BACKUP_PASSWORD": "secret-backup",
    }
    subprocess.run([PROJECT / "deploy" / "roles.sh"], env=environment, check=True)


def every_role_works(address: Callable[[str], str]) -> None:
    """Each reads, raises an alarm where it may, and empties nothing."""
    for role in grants.ROLES:
        with psycopg.connect(address(role)) as connection:
            row = connection.execute("SELECT count(*) FROM tables_casino").fetchone()
            assert row == (0,)
        if role != "reporting":  # guards that act as the owner may do what they must
            with psycopg.connect(address(role)) as connection:
                connection.execute(RAISED, ["x" * len(role)])
        with (
            psycopg.connect(address(role)) as connection,
            pytest.raises(REFUSED),
        ):
            connection.execute("TRUNCATE jackpot_transfer")
    _copies_files_and_reads_nothing(address("backup"))


def _copies_files_and_reads_nothing(url: str) -> None:
    """Who makes base backups speaks as a standby does, and opens no database of the console."""
    with psycopg.connect(url, replication="true", autocommit=True) as connection:
        assert connection.execute("IDENTIFY_SYSTEM").fetchone()
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(url)


@pytest.mark.long
@pytest.mark.postgres
def test_the_script_makes_the_roles_and_the_owner_migrates() -> None:
    """On a server of its own: roles belong to a whole server."""
    psql = postgres_binaries.find(None).postgres.parent / "psql"
    if not psql.exists():
        pytest.skip("not for this machine: no psql beside the PostgreSQL that was found")
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as directory:
        Path(directory).chmod(0o711)
        with PrivatePostgres(Path(directory) / "pg", durable=False) as server:
            connect = server.url_of("postgres")
            with psycopg.connect(connect, autocommit=True) as connection:
                connection.execute("DROP DATABASE jackpot")
                for _ in range(2):  # a second time it puts right what was changed
                    run_script(server, psql)
                    limits_are_in_force(connection)
                    connection.execute("ALTER ROLE jackpot_web CONNECTION LIMIT -1")
                    connection.execute("ALTER ROLE jackpot_web SET statement_timeout = 0")
                    for place in ("", "IN DATABASE jackpot"):
                        connection.execute(f"ALTER ROLE jackpot_web {place} SET work_mem = '1MB'")

            def address(role: str) -> str:
                place = f"{LOOPBACK}:{urlsplit(server.url).port}/jackpot"
                return f"postgresql://jackpot_{role}:secret-{role}@{place}"

            for command in ("migrate", "grant_roles", "grant_roles"):
                process = subprocess.run(
                    [sys.executable, "manage.py", command],
                    env={**os.environ, "DATABASE_URL": address("owner")},
                    cwd=PROJECT,
                    check=False,
                    capture_output=True,
                    text=True,
                )
                assert process.returncode == 0, process.stderr
            assert "jackpot_web has not the limits" in process.stderr
            assert "Large objects" not in process.stderr
            assert "password" not in process.stderr
            with psycopg.connect(address("owner")) as owner:
                assert owner.execute(NOT_THE_OWNERS, [server_functions.RESTRICTED]).fetchall() == []
            with psycopg.connect(address("web")) as connection:
                connection.execute("ALTER ROLE CURRENT_USER PASSWORD 'secret-web'")
            watched = subprocess.run(
                [sys.executable, "-c", WATCHED],
                env={**os.environ, "DATABASE_URL": address("worker")},
                cwd=PROJECT,
                check=True,
                capture_output=True,
                text=True,
            )
            assert watched.stdout.split() == ["jackpot_web"]
            assert "jackpot_poster" not in process.stderr
            every_role_works(address)
