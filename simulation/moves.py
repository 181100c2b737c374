"""Tables that go to another system: two people move them, and their units are set to new addresses.

An address is a `Table` with a journal of its own. Whoever sets the unit to the next one waits until
everything under the present one is receipted, and keeps the journal.
"""

from __future__ import annotations

from typing import Protocol

from simulation.console import PosterPart, WorkerPart
from simulation.environment.broker import Broker
from simulation.environment.process import Surroundings
from simulation.floor import Table
from simulation.floor_staff import FloorStaff
from simulation.template_database import SYSTEMS


class Room(Surroundings, Protocol):
    """What a move takes."""

    broker: Broker
    floor_staff: FloorStaff
    posters: list[PosterPart]
    tables: list[Table]
    worker: WorkerPart

    def take_all_in(self) -> None:
        """What was said is on the console."""


def table_moves(world: Room) -> str:
    """Somebody decides about a move that was proposed, or a table is closed and proposed."""
    dice, staff = world.dice, world.floor_staff
    if dice.random() < 0.3:
        return f"a manager: {staff.decide_move(agrees=dice.random() < 0.8)}"
    free = staff.free([table for table in world.tables if _can_close(table)])
    if not free:
        return "no table can leave"
    table = dice.choice(free)
    _close(world, table)
    system = next(code for code in sorted(SYSTEMS) if code != table.system)
    proposed = staff.propose_move(table, system, f"{table.code}x")
    if dice.random() < 0.15:
        table.act()  # the dealer goes on all the same
    text = f"{table.name} to {system}: {proposed}"
    if dice.random() < 0.7:
        text += f", a manager: {staff.decide_move(agrees=True)}"
    if dice.random() < 0.2:
        table.act()
    if dice.random() < 0.7:
        _post(world)
        world.worker.finish()
        _hear(world, table)
        if set_up(world) and dice.random() < 0.8:
            text += f", {_open_there(world, table)}"
    return text


def _open_there(world: Room, table: Table) -> str:
    """The unit is named its boot under the new address, and the table opens."""
    there = table.successor
    if there is None or there not in world.tables:
        return "not there yet"
    for _ in range(2):
        _hear(world, there)
    return f"there it {there.act()}"


def set_up(world: Room) -> bool:
    """Set each unit to the address at which its table is, where nothing is on its way under the one
    before; whether one was."""
    is_moved = False
    places = world.floor_staff.places()
    for number, table in enumerate(world.tables):
        there = places.get(table.name)
        if there and table.lost:
            world.floor_staff.give_up_missing(
                table
            )  # its unit's word of it is of no table any more
        if not there or not table.is_settled():
            continue
        if table.successor is None:
            system, _, code = there.partition("/")
            table.successor = table.at(system, code)
        table.cut_power()
        world.tables[number] = table.successor
        table.successor.switch_on()
        world.note(f"the unit of {table.name} is set to {there}")
        is_moved = True
    return is_moved


def set_back(world: Room) -> None:
    """The database was restored: each unit says under its first address what it kept, and then
    under those that follow, as far as the console knows them."""
    for number, table in enumerate(world.tables):
        if table.predecessor is not None:
            table.cut_power()
            world.tables[number] = table.first
            table.first.switch_on()
            world.note(f"the unit of {table.name} is set back to {table.first.name}")


def _can_close(table: Table) -> bool:
    return table.unit is not None and bool(table.unit.boot) and not table.must_declare


def _close(world: Room, table: Table) -> None:
    """The last round is completed, or forgotten; the session ends, and all of it is posted."""
    unit, dice = table.unit, world.dice
    assert unit is not None
    world.broker.connect_again(table.link)
    if unit.is_round_open and dice.random() < 0.7:
        unit.complete(**table.figures())
    if unit.is_session_open:
        unit.close_session()
    table.keep_written()
    for _ in range(2):
        _hear(world, table)
        _post(world)
    for _ in range(2):
        if "no request" in world.floor_staff.decide_request(table):
            break
        _post(world)
    unit.say_present()
    world.take_all_in()


def _hear(world: Room, table: Table) -> None:
    """What its unit says is on the console, and the unit has the answer."""
    world.broker.connect_again(table.link)
    world.take_all_in()
    table.tend()


def _post(world: Room) -> None:
    for poster in world.posters:
        poster.step()
