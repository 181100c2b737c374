"""An opening or a closing of a table that comes late does not take the place of a newer one."""

from typing import Any

import pytest
from django.db import connection
from django.test import override_settings

from jackpot.domain.state.entries import Outcome
from jackpot.terms.money import MICROS
from settlement.audit.reconciliation import reconcile
from tables.models import GamingTable
from tables.protocol import messages
from tests.support.play.books import Floor, royal_terms
from tests.support.play.house import House
from verifier.check import look

OPEN: dict[str, Any] = {"game": "holdem", "deck": 52, "dealer": "d", "seats_in_play": [1, 2, 3]}


def late(floor: Floor, seq: int, type_: type, **fields: Any) -> Outcome:
    """What the unit of t3 said as its event `seq`, and came only now."""
    last = floor.seqs["t3"]
    floor.seqs["t3"] = seq - 1
    outcome = floor.say("t3", type_, how="late", **fields)
    floor.seqs["t3"] = last
    return outcome


def opened_behind_a_gap() -> Floor:
    """The first event of t3 is missing; then it opens, and a round begins: 0.50."""
    floor = Floor(royal_terms())
    floor.seqs["t3"] = 1
    floor.open("t3")
    floor.press("t3")
    return floor


def test_a_late_closing_leaves_the_table_open() -> None:
    floor = opened_behind_a_gap()
    before = floor.pool()
    assert late(floor, 1, messages.SessionClosed) == {"flags": ["overtaken", "late"]}
    assert floor.press("t3") == {}
    assert floor.pool() - before == MICROS // 2


def test_a_late_opening_leaves_the_table_closed() -> None:
    floor = opened_behind_a_gap()
    floor.say("t3", messages.SessionClosed)
    before = floor.pool()
    assert late(floor, 1, messages.SessionOpened, **OPEN) == {"flags": ["overtaken", "late"]}
    assert floor.press("t3") == {"flags": ["no_session"]}
    assert floor.pool() == before


def test_a_late_change_leaves_the_newer_seats() -> None:
    floor = opened_behind_a_gap()
    late(floor, 1, messages.SessionChanged, **OPEN)
    assert floor.books.sessions["t3"] == {
        "game": "holdem",
        "deck": 52,
        "dealer": "d",
        "stakes": None,
        "seats": [1, 2, 3, 4, 5, 6],
    }


def test_a_late_opening_opens_where_the_table_said_nothing_since() -> None:
    floor = Floor(royal_terms())
    floor.seqs["t3"] = 1
    assert floor.press("t3") == {"flags": ["no_session"]}
    before = floor.pool()
    assert late(floor, 1, messages.SessionOpened, **OPEN) == {"flags": ["late"]}
    assert floor.press("t3") == {}
    assert floor.pool() - before == MICROS // 2


@pytest.mark.django_db
@override_settings(GAP_WAIT_S=0.0)
def test_the_rows_and_the_verifier_say_the_same() -> None:
    """Also by a writer that begins with what the rows say."""
    house = House(royal_terms(), tables=("t3",))
    house.seqs["t3"] = 1
    house.open("t3")
    house.press("t3")
    house.post()
    house.poster._books.clear()
    house.record("t3", house.event("t3", messages.SessionClosed, seq=1))
    house.post()
    before = house.balance("royal:pool")
    house.press("t3")
    house.post()
    assert house.balance("royal:pool") - before == MICROS // 2
    state = GamingTable.objects.get(code="t3").state
    assert (state.boot, state.seq) == (1, 2)
    assert state.session is not None
    assert reconcile(house.system).differences == []
    report = look(connection.connection, with_actions=False)
    assert report.ok, report.lines()
