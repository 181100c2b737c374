"""Two windows of one person choose a default view at once."""

from functools import partial

import pytest

from settlement.models import SavedView
from settlement.people.preferences import saved_views
from tests.support.cases.confirmed_house import person
from tests.support.people.at_once import people
from tests.support.people.cast import ClaimHouse
from tests.support.suite.databases import FreshDatabase


@pytest.mark.usefixtures("no_writer")
def test_the_second_one_waits_and_neither_is_an_error(fresh_database: FreshDatabase) -> None:
    ClaimHouse()
    mere = person("mere")
    views = [saved_views.save(mere, "claims", name, "standing=all") for name in ("One", "Two")]

    def choose(view: SavedView) -> None:
        saved_views.set_default(mere, view.pk, is_default=True)

    with people() as group:
        gate = SavedView.objects.filter(person=mere).order_by("pk")
        answers = group.press(gate, *(partial(choose, view) for view in views))
    assert answers == [None, None]
    assert SavedView.objects.filter(is_default=True).count() == 1
