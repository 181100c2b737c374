"""Guards and functions of the database: SQL in `<app>/sql/`, one file each, named after it.

Used in migrations only, which name the files in the order in which they need one another. A file
has the present text, and a comment says what it refuses, by which promise, and who is asked.

Backwards a function goes with all triggers that call it. What a file makes besides, it takes away
itself: in SQL behind a line `-- Backwards:`, commented out.
"""

import re
from pathlib import Path
from typing import Any

from django.db.migrations import RunSQL

PROJECT = Path(__file__).resolve().parents[2]
_BACKWARDS = "\n-- Backwards:\n"
_FUNCTION = re.compile(r"^CREATE FUNCTION (\w+)\(", re.MULTILINE)
_WHOLE = re.compile(r"^CREATE FUNCTION .*?\$\$.*?\$\$[^;]*;", re.MULTILINE | re.DOTALL)


def load(app: str, *names: str) -> RunSQL:
    """Make what these files of an app say, in this order; reversible."""
    texts = [_text(app, name) for name in names]
    return RunSQL(
        [forwards for forwards, _ in texts],
        [backwards for _, backwards in reversed(texts) if backwards],
    )


def renew(app: str, *names: str) -> RunSQL:
    """Give functions that a release has already the present text of their files, for an update.

    Their triggers stay, and nobody waits. Backwards nothing: the version before has its text again
    when it renews them, and the next step forwards does so anyway.
    """
    texts = [_text(app, name)[0] for name in names]
    functions: Any = [
        match[0].replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1)
        for text in texts
        for match in _WHOLE.finditer(text)
    ]
    return RunSQL(functions, RunSQL.noop)


def _text(app: str, name: str) -> tuple[str, str]:
    """What makes it, and what takes it away."""
    text = (PROJECT / app / "sql" / f"{name}.sql").read_text()
    forwards, _, backwards = text.partition(_BACKWARDS)
    away = [line.removeprefix("-- ") for line in backwards.splitlines()]
    away += [f"DROP FUNCTION {function} CASCADE;" for function in _FUNCTION.findall(forwards)]
    return forwards, "\n".join(away)
