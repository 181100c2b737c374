"""Opening an archive in an empty database, where verifier and reports work as on any other.

The release that wrote it opens it, and every later one: the tables are made as the migrations of
the archive say (tables_of_then), its rows are read, and the migrations since then do with them
what an update does with a house in play. Guards are off while rows are read, by the owner of that
database, and on again in the same transaction; foreign keys and all other constraints hold
throughout. Keys of units, sessions and passwords are not there: nobody logs in, no unit speaks.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.management import call_command
from django.db import connection, transaction
from django.utils.translation import gettext as _
from psycopg import sql

from settlement.archives.contents import FORMAT, MANIFEST, SIGNATURE, every_table
from settlement.archives.tables_of_then import make_tables
from settlement.archives.writing import Tell
from settlement.core.errors import WrongState

_PIECE = 1024 * 1024
_TRIGGERS = """
    SELECT tgrelid::regclass::text, tgname::text, tgenabled FROM pg_trigger
    WHERE NOT tgisinternal AND tgenabled <> 'D'
      AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
"""
_STATES = {"A": "ENABLE ALWAYS", "O": "ENABLE", "R": "ENABLE REPLICA"}
_SEQUENCES = """
    SELECT c.relname, a.attname, pg_get_serial_sequence(quote_ident(c.relname), a.attname)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    WHERE c.relname = ANY(%s) AND c.relnamespace = 'public'::regnamespace
      AND NOT a.attisdropped
      AND pg_get_serial_sequence(quote_ident(c.relname), a.attname) IS NOT NULL
"""


def read(folder: Path, public_key: str) -> dict[str, Any]:
    """The manifest of an archive. WrongState where it, or a file, is not what was signed."""
    text = (folder / MANIFEST).read_bytes()
    try:
        signature = bytes.fromhex((folder / SIGNATURE).read_text())
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(signature, text)
    except (InvalidSignature, ValueError) as fault:
        raise WrongState(_("The manifest is not signed by this key.")) from fault
    body: dict[str, Any] = json.loads(text)
    if body.get("kind") != "archive":
        raise WrongState(_("This is the manifest of something else than an archive."))
    if body["format"] != FORMAT:
        raise WrongState(
            _(
                "Release %(release)s wrote this archive in format %(format)s, and format %(known)s"
                " is read here: read it with that release or a later one."
            )
            % {"release": body["release"], "format": body["format"], "known": FORMAT}
        )
    for each in body["files"]:
        path = folder / each["name"]
        if not path.is_file() or _digest(path) != each["sha256"]:
            raise WrongState(_("%(name)s is not the file that was signed.") % each)
    return body


def load(folder: Path, body: dict[str, Any], tell: Tell = lambda _table, _rows: None) -> None:
    """Read all files into the present database, which has no tables, or those of the archive, and
    no rows of its own; then bring its tables to those of now. WrongState where that cannot be."""
    make_tables(body)
    _load(folder, body, tell)
    call_command("migrate", verbosity=0, interactive=False)


def _load(folder: Path, body: dict[str, Any], tell: Tell) -> None:
    names = [each["table"] for each in body["files"]]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_TRIGGERS)
        triggers = cursor.fetchall()
        emptied = sql.SQL(", ").join(
            sql.Identifier(each.name) for each in every_table() if each.name != "django_migrations"
        )
        for table in sorted({table for table, _name, _state in triggers}):
            _run("ALTER TABLE {} DISABLE TRIGGER USER", table)
        cursor.execute(sql.SQL("TRUNCATE {} CASCADE").format(emptied))
        for each in body["files"]:
            _copy_in(folder / each["name"], each)
            tell(each["table"], each["rows"])
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table, name, state in triggers:
            _run(f"ALTER TABLE {{}} {_STATES[state]} TRIGGER {{}}", table, name)
        cursor.execute(_SEQUENCES, [names])
        for table, column, sequence in cursor.fetchall():
            query = "SELECT setval({}, (SELECT coalesce(max({}), 0) + 1 FROM {}), false)"
            cursor.execute(
                sql.SQL(query).format(
                    sql.Literal(sequence), sql.Identifier(column), sql.Identifier(table)
                )
            )


def _copy_in(path: Path, file: dict[str, Any]) -> None:
    """The rows of a file into its table; WrongState where they are not as many as was signed."""
    columns = sql.SQL(", ").join(map(sql.Identifier, file["columns"]))
    query = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT csv, HEADER MATCH)").format(
        sql.Identifier(file["table"]), columns
    )
    with (
        connection.wrap_database_errors,
        connection.connection.cursor() as cursor,
        gzip.open(path, "rb") as rows,
    ):
        with cursor.copy(query) as copy:
            while piece := rows.read(_PIECE):
                copy.write(piece)
        if cursor.rowcount != file["rows"]:
            raise WrongState(_("%(name)s does not have as many rows as were signed.") % file)


def _run(statement: str, *names: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
