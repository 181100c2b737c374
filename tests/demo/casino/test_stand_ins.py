"""The units of the visitors' tables are on from the start, and go from hand to hand."""

import pytest

from demo.casino.seed_data import PAGE_TABLE, TERMINAL_TABLE
from demo.casino.visitor_units import StandIns
from demo.units.hand_unit import HandUnitError, HandUnits, hand_units, is_wanted
from tables.models import UnitPresence
from tests.support.suite.waiting import wait_until
from tests.support.units.demo_floor import Floor, floor

__all__ = ["floor"]

pytestmark = pytest.mark.broker


def is_online(table: str) -> bool:
    return UnitPresence.objects.filter(table__code=table, online=True).exists()


def test_no_table_looks_broken_before_somebody_opens_it(floor: Floor) -> None:
    with StandIns():
        wait_until(lambda: is_online(TERMINAL_TABLE) and is_online(PAGE_TABLE), what="both online")
    assert not is_online(TERMINAL_TABLE)


def test_a_visitor_takes_the_unit_and_leaves_it_switched_on(floor: Floor) -> None:
    with StandIns():
        wait_until(lambda: is_online(TERMINAL_TABLE))
        hand = hand_units.at(TERMINAL_TABLE)
        assert hand.unit.wait_ready(60)
        hand.unit.open_session()
        boot, seq = hand.unit.boot, hand.unit.press()
        assert seq
        assert hand.unit.wait_sequenced(seq)
        assert is_wanted(TERMINAL_TABLE)
        with pytest.raises(HandUnitError, match="in use elsewhere"):
            HandUnits().at(TERMINAL_TABLE)
        hand_units.stop()
        assert not is_wanted(TERMINAL_TABLE)
        wait_until(lambda: is_online(TERMINAL_TABLE), what="the stand-in to take it again")
        again = hand_units.at(TERMINAL_TABLE)
        assert again.unit.wait_ready(60)
        assert (again.unit.boot, again.unit.last_seq) == (boot, seq)
        assert again.unit.is_round_open
