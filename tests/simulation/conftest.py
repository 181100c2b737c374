"""The ground that seeds begin on, made once."""

from collections.abc import Generator

import pytest
from pytest_django import DjangoDbBlocker

from simulation.template_database import TemplateDatabase


@pytest.fixture(scope="module")
def ground(
    template_database: str, django_db_blocker: DjangoDbBlocker
) -> Generator[TemplateDatabase]:
    """A filled template, and clones of it."""
    template = TemplateDatabase()
    with django_db_blocker.unblock():
        try:
            template.prepare(migrated=template_database)
            yield template
        finally:
            template.close()
