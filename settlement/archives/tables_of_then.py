"""The tables of an archive in an empty database: those of the release that wrote it."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from settlement.archives.contents import every_table
from settlement.core.errors import WrongState

Node = tuple[str, str]  # a migration: app and name


def make_tables(body: dict[str, Any]) -> None:
    """Migrate a database without tables to the migrations that the manifest names.

    WrongState where one of them is not known, where the database has others already, or where they
    do not make the columns that the files have.
    """
    executor = MigrationExecutor(connection)
    migrations = {(app, name) for app, name in body["migrations"]}
    if unknown := migrations - executor.loader.disk_migrations.keys():
        raise WrongState(
            _(
                "The migrations %(names)s are not known here: open this archive with release"
                " %(release)s, which wrote it, or a later one that has them."
            )
            % {
                "names": ", ".join("/".join(each) for each in sorted(unknown)),
                "release": body["release"],
            }
        )
    present = set(executor.loader.applied_migrations or ())
    if present and present != migrations:
        raise WrongState(
            _("The database has the tables of another release: name one that does not exist yet.")
        )
    if not present:
        executor.migrate(_last(migrations, executor.loader))
    _compare(body)


def _last(migrations: set[Node], loader: MigrationLoader) -> list[Node]:
    """Of each app those with none of them behind: Django takes a named one with all that
    it needs, and takes back what is behind it."""
    nodes = loader.graph.node_map
    return [
        key
        for key in sorted(migrations & nodes.keys())
        if not any(
            child.key in migrations and child.key[0] == key[0] for child in nodes[key].children
        )
    ]


def _compare(body: dict[str, Any]) -> None:
    """WrongState where a table has not the columns of its file."""
    here = {each.name: set(each.columns) for each in every_table()}
    for file in body["files"]:
        if here.get(file["table"]) != set(file["columns"]):
            raise WrongState(
                _(
                    "The table %(table)s has other columns here than in the archive: open it with"
                    " release %(release)s, which wrote it."
                )
                % {"table": file["table"], "release": body["release"]}
            )
