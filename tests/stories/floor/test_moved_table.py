"""A table moves to another system: closed, with a receipt for everything, and by two people."""

from collections.abc import Callable

import pytest

from jackpot.models import Account, Entry
from settlement.approvals import proposals
from settlement.core.errors import RuleBroken, SamePerson, WrongState
from settlement.people.rights.permissions import Reauthenticated
from settlement.tasks import finish_moves
from tables.models import GamingTable, JackpotSystem, Quarantine, TableEvent
from tables.unit.unit import TableUnit, UnitSettings
from tests.support.houses.button_to_paid import BOARD, ROYAL
from tests.support.houses.moved_table import agree, here, other_system, propose, proven
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.suite.waiting import wait_until
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]


def pool(system: JackpotSystem) -> int:
    return Account.objects.get(system=system, code="royal:pool").balance


def test_a_table_moves_to_another_system(open_room: OpenRoom) -> None:
    room = open_room(royal_terms())
    high = other_system(room)
    unit = room.unit(3)
    room.play(unit, 2)
    assert (room.pool(), pool(high)) == (money(1001), money(5000))

    with pytest.raises(WrongState, match="The table is open: close its session"):
        propose(room, high)
    room.posted(unit, unit.report_hand([BOARD], [ROYAL]))
    room.posted(unit, unit.close_session())
    with pytest.raises(WrongState, match=r"Claim MAIN-\w+-1 of this table is open"):
        propose(room, high)
    room.verify()
    room.confirm()
    with pytest.raises(WrongState, match="decide it, and pay what is due"):
        propose(room, high)
    room.pay()
    GamingTable.objects.create(system=high, code="h1", name="Table 1")
    with pytest.raises(RuleBroken, match="choose another code"):
        propose(room, high)

    proposal = propose(room, high, "h3")
    with pytest.raises(SamePerson):
        agree(room, proposal, "anna")
    assert here(room).in_service  # one person moves nothing
    answer = agree(room, proposal)
    there = here(room).moved_to
    assert there is not None
    assert (there.system, there.code, there.name) == (high, "h3", "Table 3")
    assert answer.outcome["moved"] == f"{high.code}/h3"
    it_came(high, f"{room.system.code}/t3", answer.seq)
    under_the_old_address(unit, f"{high.code}/h3")
    unit.stop()

    # the same box, set to its new address: a boot of its own, a session of its own
    moved = TableUnit(high.code, "h3", UnitSettings(guard_s=0))
    moved.start()
    try:
        assert moved.wait_ready(60)
        room.posted(moved, moved.open_session(game="holdem"))
        room.play(moved, 4)
    finally:
        moved.stop()
    assert (room.pool(), pool(high)) == (money(1000), money(5002))
    # what it said under each address stays there
    events = TableEvent.objects.filter(type="round_started")
    assert events.filter(table=here(room), system=room.system).count() == 2
    assert events.filter(table=there, system=high).count() == 4
    proven(room, room.system, high)


def it_came(system: JackpotSystem, left: str, entry: int | None) -> None:
    """The other order says so."""
    receiving_entry = wait_until(
        lambda: Entry.objects.filter(system=system, type="receive_table").first(),
        what="the other order to say so",
    )
    assert receiving_entry is not None
    assert receiving_entry.outcome == {"received": left, "entry": entry}


def under_the_old_address(unit: TableUnit, moved: str) -> None:
    """What its unit still sends is kept, and says what to do."""
    result = unit.wait_recorded(unit.open_session(game="holdem"))
    assert result is not None
    assert (result.outcome, result.reason) == ("quarantined", "table_moved")
    message = Quarantine.objects.get()
    assert message.explanation == f"This table moved to {moved}: set its unit to that address."


def test_celery_finishes_what_the_page_did_not_wait_for(open_room: OpenRoom) -> None:
    """Both agreed, and the console stopped before the writer's answer."""
    room = open_room(royal_terms())
    high = other_system(room)
    unit = room.unit(3)
    room.play(unit, 2)
    room.posted(unit, unit.close_session())
    proposal = propose(room, high, "h3")
    with acting_as("web"):
        answer = proposals.agree(proposal, Reauthenticated(room.people["david"]))
    assert here(room).moved_to is None
    with acting_as("worker"):
        finish_moves()
        finish_moves()  # a task may run twice
    there = here(room).moved_to
    assert there is not None
    assert (there.system, there.code) == (high, "h3")
    it_came(high, f"{room.system.code}/t3", answer.seq)
    under_the_old_address(unit, f"{high.code}/h3")
    proven(room, room.system, high)


def test_what_the_unit_has_and_the_console_has_not(open_room: OpenRoom) -> None:
    """The unit presses while it is cut off: nobody moves its table before that is receipted."""
    room = open_room(royal_terms())
    high = other_system(room)
    unit = room.unit(3)
    room.posted(unit, unit.close_session())
    proposal = propose(room, high)
    room.posted(unit, unit.open_session(game="holdem"))
    room.play(unit, 1)
    with pytest.raises(WrongState, match="The table is open"):
        agree(room, proposal)
    room.posted(unit, unit.close_session())
    with pytest.raises(WrongState, match="The table has sent more since this was proposed"):
        agree(room, proposal)
    unit.stop()
    wait_until(lambda: not here(room).presence.online, what="the unit's word that it goes")
    with pytest.raises(WrongState, match="The unit is silent"):
        agree(room, proposal)
    assert here(room).moved_to is None
    proven(room, room.system, high)
