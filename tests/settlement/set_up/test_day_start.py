"""Who moves the start of the gaming day: one alone, then two people, then nobody."""

import dataclasses
import datetime as dt
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from settlement.core.errors import WrongState
from settlement.models import SetUpChange, SetUpProposal
from settlement.people.staff import persons
from settlement.set_up import casinos, proposals
from settlement.set_up.casinos import CasinoFacts
from tables.models import Casino
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
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
