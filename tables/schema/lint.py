"""Whether the statements of a migration may run while the version before is at work.

They are read as the database gets them, whatever made them: Django's operations, steps, SQL files.
What a migration makes itself nobody uses yet. What is refused for good reason only once, in the
second of two steps, its migration names in `second_step` (docs/operations.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_NAME = r'(?:ONLY\s+)?(?:IF\s+EXISTS\s+)?(?:"?public"?\.)?"?(?P<table>\w+)"?'
_ALTER = rf"^ALTER\s+TABLE\s+{_NAME}\s.*?"
_CREATE_TABLE = re.compile(
    r'^CREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:"?public"?\.)?"?(?P<table>\w+)"?',
    re.IGNORECASE,
)
# Storage parameters aside: who reads and writes does not wait for them.
_CHANGED = re.compile(rf"^ALTER\s+TABLE\s+{_NAME}\s+(?!(?:RE)?SET\s*\()", re.IGNORECASE)
_BODY = re.compile(r"\$(\w*)\$.*?\$\1\$", re.DOTALL)
_COMMENT = re.compile(r"--[^\n]*")
_RELEASE = re.compile(r"\b\d+\.\d+\.\d+\b")


@dataclass(frozen=True)
class Rule:
    """A statement that stops, or breaks, who works on the table; and what to write instead."""

    name: str
    pattern: re.Pattern[str]
    instead: str


def _rule(name: str, pattern: str, instead: str) -> Rule:
    return Rule(name, re.compile(pattern, re.IGNORECASE | re.DOTALL), instead)


RULES = (
    _rule(
        "ADD COLUMN NOT NULL",
        _ALTER + r"ADD\s+COLUMN\s+(?:(?!\bDEFAULT\b|,\s*ADD\b).)*NOT\s+NULL"
        r"(?:(?!\bDEFAULT\b|,\s*ADD\b).)*(?:$|,\s*ADD\b)",
        "give it a db_default, which the version before fills in",
    ),
    _rule(
        "DROP DEFAULT",
        _ALTER + r"ALTER\s+COLUMN\s+\S+\s+DROP\s+DEFAULT",
        "use db_default: the version before inserts without the column",
    ),
    _rule(
        "ALTER COLUMN TYPE",
        _ALTER + r"ALTER\s+COLUMN\s+\S+\s+(?:SET\s+DATA\s+)?TYPE\b",
        "add a column of the new type, fill it in pieces, and read it from the next release on",
    ),
    _rule(
        "SET NOT NULL",
        _ALTER + r"ALTER\s+COLUMN\s+\S+\s+SET\s+NOT\s+NULL",
        "add CHECK (... IS NOT NULL) NOT VALID, validate it, and set it in the release after",
    ),
    _rule(
        "ADD CONSTRAINT",
        _ALTER + r"ADD\s+CONSTRAINT\s(?:(?!\bNOT\s+VALID\b|\bUSING\s+INDEX\b).)*$",
        "add it NOT VALID and validate it in a migration of its own; a unique one USING INDEX",
    ),
    _rule(
        "CREATE INDEX",
        rf"^CREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY\b).*?\sON\s+{_NAME}",
        "use AddIndexConcurrently in a migration with atomic = False",
    ),
    _rule(
        "DROP COLUMN",
        _ALTER + r"DROP\s+COLUMN\b",
        "take it out of the models in one release, and drop it in the next",
    ),
    _rule(
        "RENAME",
        _ALTER + r"RENAME\b",
        "add what has the new name, write both, and drop the old one in the next release",
    ),
    _rule(
        "DROP TABLE",
        rf"^DROP\s+TABLE\s+{_NAME}",
        "take its model out in one release, and drop the table in the next",
    ),
    _rule(
        "LOCK",
        rf"^(?:LOCK\s+(?:TABLE\s+)?|TRUNCATE\s+(?:TABLE\s+)?|CLUSTER\s+|VACUUM\s+FULL\s+){_NAME}",
        "find a way without holding the whole table",
    ),
    _rule(
        "UPDATE OR DELETE",
        rf"^(?:UPDATE|DELETE\s+FROM)\s+{_NAME}",
        "change rows in pieces, by a task or a command, after the migration",
    ),
    _rule("DO", r"^DO\s(?P<table>)", "write its statements out, so that they can be read"),
)


class Recorder:
    """Keeps every statement while it is installed: `with connection.execute_wrapper(recorder)`."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def __call__(
        self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
    ) -> Any:
        self.statements.append(str(sql))
        return execute(sql, params, many, context)


def faults(statements: Iterable[str], second_step: Mapping[str, str] | None = None) -> list[str]:
    """What may not run beside the version before, each with what to write instead.

    `second_step`: by `RULE table` why it may, with the release that stopped using it.
    """
    texts = [each for text in statements for each in _parts(text)]
    new_tables = {match["table"] for text in texts if (match := _CREATE_TABLE.match(text))}
    notes = dict(second_step or {})
    sentences = []
    for text in texts:
        for rule in RULES:
            match = rule.pattern.match(text)
            # Django's own list of migrations is no table of the console.
            if match is None or match["table"] in new_tables | {"django_migrations"}:
                continue
            key = f"{rule.name} {match['table']}".strip()
            if not _RELEASE.search(notes.pop(key, "")):
                sentences.append(f"{key}: {rule.instead}")
    return (
        sentences + _of_several(texts, new_tables) + [f"{key}: a note for nothing" for key in notes]
    )


def _of_several(texts: Iterable[str], new_tables: set[str]) -> list[str]:
    """Tables that a migration changes one behind the other, the first held while it waits for the
    next: who works on both in another order waits for it, and it for them."""
    changed = {match["table"] for text in texts if (match := _CHANGED.match(text))} - new_tables
    if len(changed) < 2:
        return []
    names = ", ".join(sorted(changed))
    return [f"SEVERAL TABLES {names}: change each in a migration of its own"]


def _parts(text: str) -> list[str]:
    """The statements of a text, each on one line, without comments and bodies of functions."""
    text = _COMMENT.sub(" ", _BODY.sub("''", text))
    return [" ".join(part.split()) for part in text.split(";")]
