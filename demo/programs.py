"""The processes of the demo, as command lines."""

import sys
from collections.abc import Mapping
from pathlib import Path

from demo.casino.seed_data import SIMULATED_TABLES, simulated_drop
from demo.servers.installation import PROJECT, Installation
from demo.servers.processes import Program


def manage(*arguments: str) -> list[str | Path]:
    """A management command of the console."""
    return [sys.executable, PROJECT / "manage.py", *arguments]


# Under which role of the database each works; beat and tables only ask who is there.
ROLES = {
    "intake": "intake",
    "poster": "poster",
    "worker": "worker",
    "beat": "worker",
    "web": "web",
    "tables": "intake",
}


def programs(
    installation: Installation,
    host: str,
    port: int,
    speed: float,
    databases: Mapping[str, str],
    *,
    hands: float | None = None,
) -> list[Program]:
    """All of them, in the order in which they start; they stop the other way round.

    `databases` are the addresses of the database by role; without them all use the one that
    the environment names.
    """
    celery = [sys.executable, "-m", "celery", "-A", "config"]
    seats = [part for code in SIMULATED_TABLES for part in ("--table", code)]
    drops = [part for drop in simulated_drop() for part in ("--drop", drop)]
    argv: dict[str, list[str | Path]] = {
        "intake": manage("run_intake"),
        "poster": manage("run_poster"),
        # Three processes: neither reconciliation nor an export holds up the displays.
        "worker": [
            *(*celery, "worker", "--concurrency", "3"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            *("--loglevel", "WARNING"),
        ],
        "beat": [*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""],
        "web": [
            *(sys.executable, "-m", "uvicorn", "config.asgi:application"),
            *("--host", host, "--port", str(port), "--lifespan", "off"),
            *("--no-access-log", "--no-proxy-headers"),
            *("--log-level", "warning", "--timeout-graceful-shutdown", "1"),
            *("--limit-concurrency", "1500"),
        ],
        "tables": [
            *manage("simulate_tables", "--journal-dir", str(installation.units)),
            *("--speed", f"{speed:g}", *seats, *drops),
            *(() if hands is None else ("--hands", f"{hands:g}")),
        ],
    }
    return [
        Program(
            name,
            command,
            env={"DATABASE_URL": databases[ROLES[name]]} if databases else {},
            cwd=PROJECT,
        )
        for name, command in argv.items()
    ]
