"""Who moves the start of the gaming day: one alone, then two people, then nobody."""

import dataclasses
import datetime as dt
from contextlib import nullcontext
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from settlement.core.errors import BadSetUp, WrongState
from settlement.models import SetUpChange, SetUpProposal
from settlement.people.staff import persons
from settlement.set_up import casinos, proposals
from settlement.set_up.casinos import CasinoFacts
from settlement.set_up.day_starts import require_steady
from tables.models import Casino
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.people.set_up import HARBOUR, agree, hana, harbour, join, user
from tests.support.play.books import royal_terms

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db

AT_NINE = dataclasses.replace(HARBOUR, day_starts=dt.time(9))


def test_it_moves_alone_as_long_as_nobody_could_ever_agree(hana: Any) -> None:
    with acting_as("web"):
        casino = casinos.make_casino(hana, HARBOUR)
        casinos.change_casino(hana, casino, AT_NINE)
        casinos.make_casino(hana, dataclasses.replace(HARBOUR, code="inland"))
    casino.refresh_from_db()
    assert casino.day_starts == dt.time(9)
    join("hana", "mere", "Casino manager", casino)
    with acting_as("web"):
        with pytest.raises(WrongState, match="takes two people now: propose it"):
            casinos.change_casino(hana, casino, HARBOUR)
        inland = Casino.objects.get(code="inland")  # where mere agrees to nothing
        casinos.change_casino(hana, inland, dataclasses.replace(AT_NINE, code="inland"))


def test_it_moves_by_two_once_somebody_can_agree(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        casinos.make_system(hana, harbour, "main", "Main")
        casinos.change_casino(hana, harbour, dataclasses.replace(HARBOUR, name="Renamed"))
        proposals.propose_day_start(hana, harbour, dt.time(9))
    harbour.refresh_from_db()
    assert (harbour.name, harbour.day_starts) == ("Renamed", dt.time(6))
    agree("mere")
    harbour.refresh_from_db()
    assert harbour.day_starts == dt.time(9)
    assert SetUpChange.objects.filter(kind="casino").latest("id").by == "hana and mere"


def test_a_lock_brings_nobody_back_to_moving_it_alone(harbour: Casino, hana: Any) -> None:
    with acting_as("web"):
        persons.lock(hana, user("mere"))
        with pytest.raises(WrongState, match="takes two people"):
            casinos.change_casino(hana, harbour, AT_NINE)


def test_nobody_moves_it_or_proposes_it_once_anything_is_posted() -> None:
    """Orders are folded, replayed and verified by the present start of the day."""
    house = ClaimHouse(royal_terms())
    hana = user("hana")
    casino = house.system.casino
    facts = CasinoFacts(casino.code, "Renamed", casino.timezone, "NZD", 2, dt.time(6))
    with acting_as("web"):
        casinos.change_casino(hana, casino, facts)
        with pytest.raises(WrongState, match="once anything is posted"):
            casinos.change_casino(
                hana, casino, dataclasses.replace(facts, name="R", day_starts=dt.time(9))
            )
        with pytest.raises(WrongState, match="once anything is posted"):
            proposals.propose_day_start(hana, casino, dt.time(9))
    assert not SetUpProposal.objects.exists()
    casino.refresh_from_db()
    assert (casino.name, casino.day_starts) == ("Renamed", dt.time(6))


def test_an_agreement_to_a_proposal_from_before_is_refused_in_the_database() -> None:
    house = ClaimHouse(royal_terms())
    casino = house.system.casino
    kind = SetUpProposal.Kind.DAY_STARTS
    SetUpProposal.objects.create(
        kind=kind, casino=casino, body={"day_starts": "09:00:00"}, person=user("hana")
    )
    with pytest.raises(WrongState, match="once anything is posted"):
        agree("mere")
    with (
        acting_as("web"),
        pytest.raises(DatabaseError, match="posted: the day"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "SELECT propose_set_up(%s, 'day_starts', %s, '{}')", [user("hana").pk, casino.pk]
        )


@pytest.mark.parametrize(
    ("zone", "starts", "change"),
    [
        ("Pacific/Auckland", "01:59", None),
        ("Pacific/Auckland", "02:00", "2027-04-04 clocks there go from 03:00 to 02:00"),
        ("Pacific/Auckland", "02:59", "2027-04-04 clocks there go from 03:00 to 02:00"),
        ("Pacific/Auckland", "03:00", None),
        ("America/New_York", "00:59", None),
        ("America/New_York", "01:00", "2027-11-07 clocks there go from 02:00 to 01:00"),
        ("America/New_York", "02:00", None),  # left out, but for its first moment
        ("America/New_York", "02:01", "2027-03-14 clocks there go from 02:00 to 03:00"),
        ("America/Santiago", "23:30", "2027-04-04 clocks there go from 00:00 to 23:00"),
        ("America/Santiago", "00:00", None),
        ("Etc/UTC", "02:30", None),
    ],
)
def test_it_is_at_no_time_that_clocks_leave_out_or_repeat(
    zone: str, starts: str, change: str | None
) -> None:
    now = dt.datetime(2026, 11, 29, 12, tzinfo=dt.UTC)
    words = pytest.raises(BadSetUp, match=change) if change else nullcontext()
    with words:
        require_steady(dt.time.fromisoformat(starts), zone, now)


def test_a_casino_neither_begins_nor_moves_to_such_a_time(harbour: Casino, hana: Any) -> None:
    inside = dt.time(2, 30)
    with acting_as("web"), pytest.raises(BadSetUp, match="outside of that time"):
        casinos.make_casino(hana, dataclasses.replace(HARBOUR, code="inland", day_starts=inside))
    with acting_as("web"), pytest.raises(BadSetUp, match="outside of that time"):
        proposals.propose_day_start(hana, harbour, inside)
    with acting_as("web"):  # a zone that is changed while a proposal waits
        casinos.change_casino(hana, harbour, dataclasses.replace(HARBOUR, timezone="Etc/UTC"))
        harbour.refresh_from_db()
        proposals.propose_day_start(hana, harbour, inside)
        casinos.change_casino(hana, harbour, HARBOUR)
    with pytest.raises(BadSetUp, match="outside of that time"):
        agree("mere")
    harbour.refresh_from_db()
    assert harbour.day_starts == HARBOUR.day_starts
    with owner_without_guards("tables_casino"):
        Casino.objects.filter(pk=harbour.pk).update(day_starts=inside)  # as before that rule
    harbour.refresh_from_db()
    with acting_as("web"):
        renamed = dataclasses.replace(HARBOUR, name="Renamed", day_starts=inside)
        casinos.change_casino(hana, harbour, renamed)
    harbour.refresh_from_db()
    assert harbour.name == "Renamed"
