"""Under which role of the database an archive is written, and opened: docs/roles.md says so."""

from pathlib import Path

from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection

from tests.support.pages.page_ledger import LedgerHouse
from tests.support.pages.walks.command_walk import APART, OWNER, roles
from tests.support.pages.walks.roles_page import compare
from tests.support.people.roles import acting_as
from tests.support.proof.archives import close_first
from tests.support.suite.databases import FreshDatabase, clone


def works(role: str, name: str, *words: object, **options: object) -> bool:
    """Whether it ends without a refusal under this role, which each of its connections has."""
    try:
        with acting_as(None if role == OWNER else role):
            call_command(name, *map(str, words), **options)
    except (CommandError, DatabaseError):
        return False
    finally:
        connection.close()
    return True


def test_archives_under_each_role(
    house: LedgerHouse,
    fresh_database: FreshDatabase,
    template_database: str,
    tmp_path: Path,
    key: str,
) -> None:
    day, archive = close_first(house), tmp_path / OWNER
    writers = {
        role: works(role, "archive", through=str(day), to=tmp_path / role) for role in roles()
    }
    opened = {}
    for role in roles():
        with clone(template_database) as other:
            opened[role] = works(role, "open_archive", archive, into=other.url, key=key)
    write, open_, _ = APART
    among = ("archive", "open_archive")
    compare("Commands with a database of their own", {write: writers, open_: opened}, among=among)
    assert writers[OWNER]
    assert opened[OWNER]
