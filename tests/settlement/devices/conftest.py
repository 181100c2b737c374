"""A table whose unit has no credential yet."""

import pytest

from tables.models import GamingTable
from tests.support.books import royal_terms
from tests.support.cast import ClaimHouse


@pytest.fixture
def t7() -> GamingTable:
    ClaimHouse(royal_terms())
    return GamingTable.objects.select_related("system__casino").get(code="t7")
