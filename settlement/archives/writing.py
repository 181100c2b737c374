"""Writing an archive: one moment of the database as compressed CSV files, with a signed manifest.

It is whole or it is not there: its folder gets its name when everything is in it. Nothing of the
database changes.
"""

from __future__ import annotations

import datetime as dt
import gzip
import io
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _
from psycopg import sql

from jackpot.models import Entry, Head
from jackpot.storage.pinned_read import read
from settlement.archives.contents import (
    FORMAT,
    REPLACED,
    Table,
    migrations,
    tables,
)
from settlement.audit import file_keys
from settlement.closing.closes import closes
from settlement.core.errors import WrongState
from settlement.reports.manifest import digest_of, points_of, sign
from tables.models import JackpotSystem

_PIECE = 1024 * 1024
Tell = Callable[[str, int], object]  # a table and its rows, as it is written or read


def write(day: dt.date, folder: Path, tell: Tell = lambda _table, _rows: None) -> dict[str, Any]:
    """Archive everything; the manifest. WrongState where a system's `day` is not closed."""
    if folder.exists():
        raise WrongState(_("%(folder)s is there already: name a new one.") % {"folder": folder})
    part = folder.with_name(f"{folder.name}.part")
    file_keys.signer()  # before hours of work: whether there is a key

    def write_files() -> dict[str, Any]:
        shutil.rmtree(part, ignore_errors=True)  # of one that was broken off
        part.mkdir(parents=True)
        return _write(day, part, tell)

    try:
        body = sign(part, read(write_files).answer)
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return body


def _write(day: dt.date, part: Path, tell: Tell) -> dict[str, Any]:
    systems = list(JackpotSystem.objects.select_related("casino").order_by("code"))
    in_play = set(Head.objects.filter(seq__gt=0).values_list("system", flat=True))
    # A rehearsal closes no day: it is archived as it stands.
    due = [each for each in systems if each.pk in in_play and not each.is_rehearsal]
    closed = {each.code: _close(each, day) for each in due}
    if not closed:
        raise WrongState(_("There is no order to archive yet."))
    files = []
    for table in tables():
        rows = _copy_out(table, part / table.file)
        tell(table.name, rows)
        files.append(
            {"name": table.file, "table": table.name, "columns": table.columns, "rows": rows}
            | digest_of(part / table.file)
        )
    return {
        "format": FORMAT,
        "kind": "archive",
        "release": settings.CONSOLE_VERSION,
        "through": day.isoformat(),
        "made_at": timezone.now().isoformat(),
        "migrations": migrations(),
        "checkpoints": points_of(systems),
        "closes": closed,
        "files": files,
    }


def _close(system: JackpotSystem, day: dt.date) -> dict[str, Any]:
    """The close of the day, by its entry."""
    entry: Entry | None = closes(system).get(day.isoformat())
    if entry is None:
        raise WrongState(
            _("%(day)s of %(system)s is not closed: two people close it first.")
            % {"day": day, "system": system.code}
        )
    return {"entry": entry.seq, "body_hash": bytes(entry.body_hash).hex()}


def _copy_out(table: Table, path: Path) -> int:
    """The rows of a table into a compressed file; how many there are."""
    chosen = sql.SQL(", ").join(_column(table.name, column) for column in table.columns)
    query = sql.SQL("COPY (SELECT {columns} FROM {table}) TO STDOUT (FORMAT csv, HEADER)").format(
        columns=chosen, table=sql.Identifier(table.name)
    )
    connection.ensure_connection()
    with (
        connection.wrap_database_errors,
        connection.connection.cursor() as cursor,
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as compressed,
        io.BufferedWriter(compressed, _PIECE) as file,  # rows come one by one
    ):
        with cursor.copy(query) as copy:
            pieces: Iterable[Any] = copy
            for piece in pieces:
                file.write(piece)
        return int(cursor.rowcount)


def _column(table: str, column: str) -> sql.Composed:
    name = sql.Identifier(column)
    other = REPLACED.get((table, column))
    return sql.SQL("{} AS {}").format(sql.SQL(other) if other else name, name)
