"""Log lines as JSON objects, one a line, for programs that gather them.

Besides what is always there a line has what its writer knows: the identity of an event (`system`,
`table`, `boot`, `seq`) given as `extra`, and the id of the request in whose course it was written.
"""

from __future__ import annotations

import datetime as dt
import logging
import re
import sys
from collections.abc import Sequence
from contextvars import ContextVar

from pythonjsonlogger.json import JsonFormatter

request_id: ContextVar[str] = ContextVar("request_id", default="")

# Rows as the database shows them in its errors: they may be about people.
_ROWS = re.compile(r"^(DETAIL:|CONTEXT:).*$", re.MULTILINE)
_PROCESSES = {"run_intake": "intake", "run_poster": "poster", "worker": "worker", "beat": "beat"}


class JsonLines(JsonFormatter):
    """Named in the settings as the formatter `json`."""

    def __init__(self) -> None:
        super().__init__("%(message)s", json_ensure_ascii=False)
        self._process = process_name(sys.argv)

    def add_fields(
        self,
        log_data: dict[str, object],
        record: logging.LogRecord,
        message_dict: dict[str, object],
    ) -> None:
        log_data["time"] = (
            dt.datetime.fromtimestamp(record.created, dt.UTC)
            .isoformat(timespec="milliseconds")
            .replace("+00:00", "Z")
        )
        log_data["level"] = record.levelname
        log_data["process"] = self._process
        log_data["pid"] = record.process
        log_data["logger"] = record.name
        super().add_fields(log_data, record, message_dict)
        if present_id := request_id.get():
            log_data["request_id"] = present_id

    def formatException(self, ei: object) -> str:  # noqa: N802 - the library's name
        return without_rows(super().formatException(ei))  # type: ignore[arg-type]


def without_rows(text: str) -> str:
    """The text of an error without the rows that the database shows in it.

    >>> without_rows("duplicate key\\nDETAIL:  Key (name)=(mere) already exists.")
    'duplicate key\\nDETAIL: left out'
    """
    return _ROWS.sub(r"\1 left out", text)


def event_identity(system: str, table: str, boot: int | None, seq: int | None) -> dict[str, object]:
    """What a line about an event carries as `extra`."""
    return {"system": system, "table": table, "boot": boot, "seq": seq}


def process_name(argv: Sequence[str]) -> str:
    """Which process of the console this is, by how it was started.

    >>> process_name(["manage.py", "run_intake", "--instance", "intake-2"])
    'intake'
    >>> process_name(["/venv/bin/celery", "-A", "config", "worker", "--concurrency", "6"])
    'worker'
    >>> process_name(["/venv/bin/uvicorn", "config.asgi:application"])
    'web'
    """
    for word in argv[1:]:
        if word in _PROCESSES:
            return _PROCESSES[word]
        if word == "config.asgi:application":
            return "web"
    return argv[1] if len(argv) > 1 and argv[0].endswith("manage.py") else "console"
