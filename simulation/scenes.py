"""What takes a table and a page, or two tables: hands while a line is down, completions forgotten,
rulings on rounds, moves.

A unit goes on journalling while its line is down. What was recorded there is entered on the console
meanwhile, or comes after a hand that was recorded later on another table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from simulation.checks.entered_hands import Entered
from simulation.floor import GUARD_S, Table
from simulation.moves import Room, table_moves
from simulation.people import PRESSES, PeoplePart

_ROUNDS = 6  # of two events: by so many the console knows how far a clock is off


class House(Room, Protocol):
    """The tables, the console and the people whom a scene takes."""

    entered: dict[str, Entered]
    people: PeoplePart


def some(world: House) -> None:
    """Those that come about in a step."""
    for name, scene in _SCENES.items():
        if world.dice.random() < getattr(world.fault_profile, name):
            world.note(f"{name}: {scene(world)}")


def hand_on_the_console(world: House) -> str:
    """A hand at a table that is cut off: its unit journals it, a supervisor enters it."""
    dice = world.dice
    table = dice.choice(world.tables)
    if not _is_played(table):
        return "nobody plays"
    _cut_off(world, table)
    seat, tier = dice.choice(table.seats), dice.choice(("royal", "royal", None))
    number, seq = _call(world, table, seat, tier)
    round_ = dice.choice((number, number, None, None, number - 1))  # its round, if anybody knows
    typed = seat if dice.random() < 0.9 else seat % 10 + 1
    note = f"hand {len(world.entered)} of {table.name}"
    is_right = (round_, typed) == (number, seat)
    unit = table.unit
    assert unit is not None
    world.entered[note] = Entered(table.name, number, unit.boot, seq, is_right)
    return world.people.enter(table.system, table.code, round_, typed, tier, note)


def hands_that_cross(world: House) -> str:
    """Of two hands the one that was recorded first comes second: its unit was cut off."""
    dice = world.dice
    system = dice.choice(sorted({table.system for table in world.tables}))
    tables = [table for table in world.tables if table.system == system]
    if len(tables) < 2:
        return "one table alone"
    first, second = dice.sample(tables, 2)
    if not (_is_played(first) and _is_played(second)):
        return "nobody plays"
    for table in (first, second):
        world.broker.connect_again(table.link)
    for _ in range(_ROUNDS):
        for table in (first, second):
            world.clocks.true_s += GUARD_S + 0.1
            table.play_round()
        world.take_all_in()
    _cut_off(world, first)
    _call(world, first, dice.choice(first.seats), "royal")
    world.clocks.true_s += dice.uniform(1, 60)
    _call(world, second, dice.choice(second.seats), "royal")
    world.take_all_in()
    world.posters[0].step()
    if dice.random() < 0.8:
        world.broker.connect_again(first.link)
        world.take_all_in()
        first.tend()
        world.take_all_in()
        world.posters[0].step()
    return f"{first.name} before {second.name}"


def completion_forgotten(world: House) -> str:
    """A supervisor credits a completion; the dealer types it after all, before that or afterwards,
    with the same figures or others."""
    dice = world.dice
    table = dice.choice(world.tables)
    unit = table.unit
    if unit is None or not _is_played(table):
        return "nobody plays"
    world.clocks.true_s += GUARD_S + 0.1
    unit.press()
    number, figures = unit.round, table.figures()
    table.keep_written()
    for _ in range(dice.randint(0, 2)):
        world.clocks.true_s += GUARD_S + 0.1
        table.play_round()
    if dice.random() < 0.8:
        world.take_all_in()
        world.posters[0].step()
    dealer_figures = figures if dice.random() < 0.5 else table.figures()
    is_typed = dice.random() < 0.6
    if is_typed and dice.random() < 0.2:
        unit.complete(round_number=number, **dealer_figures)
        is_typed = False
    credited = world.people.credit(table.system, table.code, number, figures)
    if is_typed:
        unit.complete(round_number=number, **dealer_figures)
    table.keep_written()
    return f"round {number} of {table.name}: {credited}"


def round_is_ruled_on(world: House) -> str:
    """Somebody decides about one of the last rounds of a table, or about a dealer's request."""
    dice, staff = world.dice, world.floor_staff
    table = dice.choice(world.tables)
    unit = table.unit
    if unit is None or not _is_played(table):
        return "nobody plays"
    what = dice.choice(("void", "void", "cancel", "cancel", "missed", "held", "held", "request"))
    if what in ("void", "cancel") and dice.random() < 0.7:
        _fresh_round(world, table)
        if what == "void" and dice.random() < 0.5:
            unit.complete(**table.figures())
            table.keep_written()
    if dice.random() < 0.7:
        world.take_all_in()
        world.posters[0].step()
    match what:
        case "void" | "cancel":
            decide = staff.void if what == "void" else staff.cancel
            number = unit.round - dice.choice((0, 0, 0, 1, 2))
            text = decide(table, number)
            if number == unit.round and unit.is_round_open and dice.random() < 0.3:
                unit.complete(**table.figures())  # its completion comes all the same
                table.keep_written()
            return text
        case "missed":
            return _missed(world, table)
        case "held":
            return _pressed_too_fast(world, table)
    return staff.decide_request(table)


def _missed(world: House, table: Table) -> str:
    """Nobody knows which rounds they were; or it is the next, and the dealer presses after all."""
    dice, staff, unit = world.dice, world.floor_staff, table.unit
    assert unit is not None
    if dice.random() < 0.3:
        return staff.countersign()
    is_next = dice.random() < 0.5
    rounds = [unit.round + 1] if is_next and unit.round else []
    figures = table.figures() if dice.random() < 0.5 else {}
    text = staff.credit_missed(table, rounds, figures)
    if rounds and dice.random() < 0.6:
        _fresh_round(world, table)
        if dice.random() < 0.5:
            unit.complete(**table.figures())
            table.keep_written()
    return text


def _pressed_too_fast(world: House, table: Table) -> str:
    for _ in range(world.dice.choice((0, PRESSES + 2))):
        _fresh_round(world, table)
        if world.dice.random() < 0.4 and table.unit is not None:
            table.unit.complete(**table.figures())
            table.keep_written()
    world.take_all_in()
    world.posters[0].step()
    return world.floor_staff.judge_held(table)


def _fresh_round(world: House, table: Table) -> None:
    assert table.unit is not None
    world.clocks.true_s += GUARD_S + 0.1
    table.unit.press()
    table.keep_written()


def _is_played(table: Table) -> bool:
    unit = table.unit
    return unit is not None and bool(unit.boot) and unit.is_session_open


def _cut_off(world: House, table: Table) -> None:
    if table.link is not None:
        world.broker.break_off(table.link, noticed=world.dice.random() < 0.6)


def _call(world: House, table: Table, seat: int, tier: str | None) -> tuple[int, int]:
    """A hand in a round of its own; the round, and the seq of the call."""
    assert table.unit is not None
    world.clocks.true_s += GUARD_S + 0.1
    table.unit.press()
    seq = table.unit.call_hand([seat], tier)
    table.keep_written()
    return table.unit.round, seq


# By the chance that the fault profile gives them.
_SCENES: dict[str, Callable[[House], str]] = {
    "entered": hand_on_the_console,
    "crossed": hands_that_cross,
    "forgotten": completion_forgotten,
    "ruled": round_is_ruled_on,
    "moved": table_moves,
}
