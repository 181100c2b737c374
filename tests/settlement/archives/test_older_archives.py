"""An archive of an older release opens: its own tables first, its rows, then the tables of now."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker, Settings

import settlement.migrations
from jackpot.audit.replay import into
from settlement.archives import opening
from settlement.archives.writing import write
from settlement.core.errors import WrongState
from settlement.models import Claim
from tests.support.pages.page_ledger import LedgerHouse
from tests.support.proof.archives import close_first, figures, triggers
from tests.support.suite.databases import FreshDatabase, administer, clone, url_of, used_by_django
from verifier import verify
from verifier.archive import findings

# The release before had a column; the release of now keeps what it said in a table of its own.
RELEASES = {
    "0100_before": (
        "0099_guards",
        "ALTER TABLE settlement_claim ADD COLUMN shift text NOT NULL DEFAULT 'night'",
    ),
    "0101_now": (
        "0100_before",
        "CREATE TABLE settlement_shift AS SELECT id AS claim_id, shift FROM settlement_claim;"
        "ALTER TABLE settlement_claim DROP COLUMN shift",
    ),
}
MIGRATION = """from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("settlement", "{after}")]
    operations = [migrations.RunSQL("{statements}")]
"""


@pytest.fixture
def releases(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
) -> None:
    """Two releases behind the tree as it stands."""
    package = tmp_path_factory.mktemp("releases") / "migrations_of_now"
    source = Path(settlement.migrations.__path__[0])
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, (after, statements) in RELEASES.items():
        text = MIGRATION.format(after=after, statements=statements)
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(package.parent)
    settings.MIGRATION_MODULES = {"settlement": package.name}


@pytest.fixture
def empty_database(template_database: str) -> Iterator[str]:
    """The address of a database that is not there yet."""
    name = f"{template_database}_opened"
    administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
    yield url_of(name)
    administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def rows_of(statement: str) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


def test_reports_and_verifier_read_the_same_from_an_older_archive(
    house: LedgerHouse,
    releases: None,
    fresh_database: FreshDatabase,
    empty_database: str,
    tmp_path: Path,
    key: str,
) -> None:
    call_command("migrate", "settlement", "0100_before", verbosity=0)
    day, folder = close_first(house), tmp_path / "archive"
    before, guards, claim = figures(), triggers(), Claim.objects.get().pk
    connection.close()
    body = write(day, folder)
    assert ["settlement", "0101_now"] not in body["migrations"]
    (file,) = [each for each in body["files"] if each["table"] == "settlement_claim"]
    assert "shift" in file["columns"]
    assert findings(folder, bytes.fromhex(key)) == []
    with into(empty_database, migrate=False):
        opening.load(folder, opening.read(folder, key))
        assert rows_of("SELECT * FROM settlement_shift") == [(claim, "night")]
        assert ("0101_now",) in rows_of("SELECT name FROM django_migrations")
        assert not rows_of(
            "SELECT FROM pg_attribute WHERE attrelid = 'settlement_claim'::regclass"
            " AND attname = 'shift'"
        )
        assert figures() == before
        assert triggers() == guards
    opened, recorded = (verify(url, settled=False) for url in (empty_database, fresh_database.url))
    assert (opened.findings, opened.counts) == (recorded.findings, recorded.counts)
    assert opened.findings == []


def test_tables_of_another_release_are_refused_by_name(
    house: LedgerHouse,
    template_database: str,
    empty_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path: Path,
    key: str,
) -> None:
    folder = tmp_path / "archive"
    write(close_first(house), folder)
    body = opening.read(folder, key)
    later = {**body, "migrations": [*body["migrations"], ["settlement", "0199_later"]]}
    older = {**body, "migrations": [["settlement", "0001_tables"]]}
    changed = {**body, "files": [{**body["files"][0], "columns": ["once"]}]}
    with clone(template_database) as other, used_by_django(other, django_db_blocker):
        with pytest.raises(WrongState, match="settlement/0199_later are not known here"):
            opening.load(folder, {**later, "release": "9.2.0"})
        with pytest.raises(WrongState, match="name one that does not exist yet"):
            opening.load(folder, older)
        with pytest.raises(WrongState, match="auth_group has other columns"):
            opening.load(folder, changed)
