"""The worked month in a database of each file's own; its tests only read it, or ask for files."""

from collections.abc import Generator

import pytest
from pytest_django import DjangoDbBlocker

from tests.support.houses.office_month import OfficeMonth
from tests.support.pages.page_ledger import Clock
from tests.support.servers.databases import clone, used_by_django


@pytest.fixture(scope="module")
def month(template_database: str, django_db_blocker: DjangoDbBlocker) -> Generator[OfficeMonth]:
    """Committed, so that exports and their workers see it, too."""
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        clone(template_database) as database,
        used_by_django(database, django_db_blocker),
    ):
        yield OfficeMonth(Clock(monkeypatch))
