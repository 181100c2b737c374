"""A table whose unit has no credential yet."""

from tables.models import GamingTable
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house


def build_t7() -> GamingTable:
    ClaimHouse(royal_terms())
    return GamingTable.objects.select_related("system__casino").get(code="t7")


t7 = kept_house(build_t7)
