"""The database takes no command of a running process without what stands behind its kind.

Over every kind that there is: a new one is refused here until its guard is written.
"""

from typing import Any

import pytest

from jackpot.domain.command_handlers import COMMANDS
from jackpot.models.commands import TWO_PEOPLE
from jackpot.writer import commands
from tests.support.people.cast import ClaimHouse
from tests.support.people.permissions.authorisation import at_the_end, refused
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
ALONE = ("suspend", "resume")  # one person's word, at once: the command is all there is
THE_CONSOLES = "seal_records"  # a constraint asks that it says nothing (test_records)
BODY: dict[str, Any] = {"hit": 1, "table": "t3", "round": 1, "report_entry": 1, "amount": 1}


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house)


@pytest.mark.parametrize("kind", sorted(COMMANDS.keys() - {*ALONE, THE_CONSOLES}))
def test_a_command_of_nobodys_making_is_refused(house: ClaimHouse, kind: str) -> None:
    second = "david" if kind in TWO_PEOPLE else None
    with acting_as("web"), refused("actions: |moving: |closing: "):
        commands.queue(house.system, kind, BODY, first="mere", second=second)


def test_missed_rounds_of_two_people_are_refused_too(house: ClaimHouse) -> None:
    body = {"table": "t3", "count": 3, "evidence": "camera 4"}
    with acting_as("web"), refused("actions: "):
        commands.queue(house.system, "missed_rounds", body, first="mere", second="david")


@pytest.mark.parametrize("kind", ALONE)
def test_who_may_alone(house: ClaimHouse, kind: str) -> None:
    with acting_as("web"):
        commands.queue(house.system, kind, BODY, first="mere")
        at_the_end()
