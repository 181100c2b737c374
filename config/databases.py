"""The database that every process works on, and a standby of it at which long reads may be done."""

import os
from typing import Any

import environ

from tables.process.secret_files import with_files

env = environ.Env()
# Each may stand in a file, which the variable with _FILE behind its name names.
env.ENVIRON = with_files(os.environ, ("DATABASE_URL", "READ_DATABASE_URL"))


def _with_options(database: dict[str, Any], variable: str) -> dict[str, Any]:
    """The address in this variable, with what every connection of ours is given."""
    if database["ENGINE"] != "django.db.backends.postgresql":
        raise environ.ImproperlyConfigured(
            f"{variable} must name a PostgreSQL database (15 or later)"
        )
    options = database.setdefault("OPTIONS", {})
    # By its estimates the server would compile short statements over long tables: 350 of 370 ms.
    options["options"] = f"-c jit=off {options.get('options', '')}".strip()
    # psycopg's Kerberos libraries ended processes of several threads; who needs them names
    # gssencmode.
    options.setdefault("gssencmode", "disable")
    # Nobody waits for a server that does not answer, or sits on a line that has been cut.
    options.setdefault("connect_timeout", 10)
    options.setdefault("keepalives_idle", 10)
    options.setdefault("keepalives_interval", 5)
    options.setdefault("keepalives_count", 3)
    options.setdefault("tcp_user_timeout", 20_000)  # milliseconds
    return database


DATABASES = {"default": _with_options(env.db("DATABASE_URL"), "DATABASE_URL")}
DATABASES["default"]["CONN_MAX_AGE"] = 60  # a web process has a pool: jackpot/web/server.py
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# A hot standby of that database, by the process's own role, for exports, archives and bundles;
# empty: they read the database itself.
READ_DATABASE: dict[str, Any] = {}
if _url := env("READ_DATABASE_URL", default=""):
    READ_DATABASE = _with_options(environ.Env.db_url_config(_url), "READ_DATABASE_URL")
if READ_DATABASE and READ_DATABASE["USER"] != DATABASES["default"]["USER"]:
    raise environ.ImproperlyConfigured(
        "READ_DATABASE_URL must name the role of DATABASE_URL: a process reads what it may."
    )
# So long they wait for it to have what the database had when they began.
READ_WAIT_S = env.float("READ_WAIT_S", default=30.0)
MIGRATE_LOCK_S = env.float("MIGRATE_LOCK_S", default=2.0)  # that a migration waits for a table

__all__ = ["DATABASES", "MIGRATE_LOCK_S", "READ_DATABASE", "READ_WAIT_S"]
