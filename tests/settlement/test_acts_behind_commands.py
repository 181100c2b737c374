"""The database asks for the acts of real people behind a command of a running process."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from jackpot import commands
from settlement.models import Act, Claim
from tests.roles import acting_as
from tests.settlement.cast import ClaimHouse

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    Claim.objects.create(system=house.system, number=1, opened_at=house.hit(1).at)
    return house


def act(house: ClaimHouse, name: str, kind: str, command: int | None = None) -> None:
    Act.objects.create(
        claim=Claim.objects.get(),
        kind=kind,
        person=User.objects.get(username=name),
        report_entry=house.hit(1).report_entry,
        command=command,
        key=uuid.uuid4(),
    )


def queue(house: ClaimHouse, kind: str, first: str, second: str | None, **body: Any) -> int:
    said = {"hit": 1, "report_entry": house.hit(1).report_entry, **body}
    return commands.queue(house.system, kind, said, first=first, second=second)


@contextmanager
def refused(match: str) -> Iterator[None]:
    """What the block did is judged at its end, and refused."""
    with pytest.raises(IntegrityError, match=match), transaction.atomic():  # noqa: PT012
        yield
        at_the_end()


def at_the_end() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


DECISIONS = [
    ("confirm_claim", "sione", "mere"),
    ("reject_claim", "sione", "mere"),
    ("amend_hand", "sione", None),
    ("pay", "aroha", None),
]


@pytest.mark.parametrize(("kind", "first", "second"), DECISIONS)
def test_names_without_acts_are_refused(
    house: ClaimHouse, kind: str, first: str, second: str | None
) -> None:
    with acting_as("web"), refused("acts: behind"):
        queue(house, kind, first, second)


@pytest.mark.parametrize("second", ["stranger", "tane"])
def test_terms_take_two_active_people(house: ClaimHouse, second: str) -> None:
    User.objects.filter(username="tane").update(is_active=False)
    with acting_as("web"), refused("who is no active person"):
        queue(house, "put_terms", "ines", second)
    with acting_as("web"), refused("acts: behind"):
        queue(house, "put_terms", "ines", "mere")  # and nothing that the one proposed to the other


def test_the_acts_must_be_those_of_the_people_named(house: ClaimHouse) -> None:
    with acting_as("web"):
        act(house, "sione", "verify")
        with refused("acts: behind"):
            number = queue(house, "confirm_claim", "sione", "mere")
            act(house, "david", "confirm", number)
        with refused("acts: behind"):
            number = queue(house, "confirm_claim", "anahera", "mere")
            act(house, "mere", "confirm", number)
        with refused("acts: behind"):
            number = queue(house, "confirm_claim", "sione", "mere", report_entry=1)
            act(house, "mere", "confirm", number)
        number = queue(house, "confirm_claim", "sione", "mere")
        act(house, "mere", "confirm", number)
        at_the_end()
