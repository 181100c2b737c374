"""What is lost, how, and what must have happened then.

Each case gets a house in full play and leaves it in play, with everything in its place.
"""

import random
import signal
from collections.abc import Callable
from typing import NamedTuple

from tests.crash.house import SECOND_INTAKE
from tests.ha.house import MACHINE_OF, HaHouse
from tests.ha.probes import OpenTransaction

PRIMARY_S, ANYTHING_ELSE_S = 30.0, 5.0  # so long nobody may write
BOTH_S = 60.0  # both machines lost their power, and start again
BEFORE, AFTER = 500, 500  # entries
OPEN = -1  # the number of a transaction that is open

Action = Callable[[HaHouse], None]


class Case(NamedTuple):
    """`lose` returns when it is lost, `restore` when it is back."""

    lose: Action
    restore: Action
    within_s: float


def excess(pause_s: float, within_s: float, lost: str) -> list[str]:
    """What is said of a pause that is longer than is promised.

    >>> excess(7.04, ANYTHING_ELSE_S, "a node")
    ['a node lost: nobody wrote for 7.0 s, limit 5 s']
    >>> excess(5.0, ANYTHING_ELSE_S, "a node")
    []
    """
    if pause_s <= within_s:
        return []
    return [f"{lost} lost: nobody wrote for {pause_s:.1f} s, limit {within_s:g} s"]


def lose_and_restore(house: HaHouse, name: str) -> None:
    """One case, as far as everything is in its place again; AssertionError when nobody wrote for
    longer than is promised."""
    case = CASES[name]
    house.progress(BEFORE)
    try:
        pause_s = house.pause_during(name, lambda: case.lose(house))
        case.restore(house)
        house.progress(AFTER)
        house.wait(lambda: house.page_status() == 200, "the pages")
    except AssertionError as fault:
        fault.add_note(house.postgres.last_words())
        raise
    assert pause_s <= case.within_s, f"{name}: nobody wrote for {pause_s:.1f} s"


def other(machine: str) -> str:
    return "b" if machine == "a" else "a"


class Primary:
    """Of the primary's machine is lost what `how` says; the other machine takes over."""

    def __init__(self, how: Callable[[HaHouse, str], None]) -> None:
        self._how = how
        self._lost = ""

    def lose(self, house: HaHouse) -> None:
        self._lost = house.leader()
        self._how(house, self._lost)
        successor = other(self._lost)
        house.wait(lambda: house.postgres.leads(successor), "the other machine to lead")

    def start_again(self, house: HaHouse) -> None:
        house.postgres.patroni(self._lost).start()
        house.joined()

    def start_machine(self, house: HaHouse) -> None:
        house.start_machine(self._lost)
        house.joined()

    def rejoin(self, house: HaHouse) -> None:
        """Its Patroni was never gone."""
        house.joined()
        assert house.leader() != self._lost


def _server_and_patroni(house: HaHouse, machine: str) -> None:
    house.postgres.patroni(machine).kill()


def _server_alone(house: HaHouse, machine: str) -> None:
    house.postgres.kill_server(machine)


def _patroni_restarted(house: HaHouse, machine: str) -> None:
    house.postgres.patroni(machine).kill_first()
    house.postgres.patroni(machine).start()


def _machine(house: HaHouse, machine: str) -> None:
    house.kill_machine(machine)


class Bygone:
    """The primary stands still, or goes on without Patroni, until another one leads; then it is
    asked to commit what was begun with it, and may not say that it did.
    """

    def __init__(self, *, frozen: bool) -> None:
        self._frozen = frozen
        self._lost = ""
        self._open: OpenTransaction | None = None

    def lose(self, house: HaHouse) -> None:
        self._lost = house.leader()
        self._open = OpenTransaction(house.postgres.url_of(self._lost, "postgres"), OPEN)
        patroni = house.postgres.patroni(self._lost)
        if self._frozen:
            patroni.signal(signal.SIGSTOP)
        else:
            patroni.kill_first()
        house.wait(lambda: house.postgres.leads(other(self._lost)), "the other machine to lead")

    def restore(self, house: HaHouse) -> None:
        assert self._open is not None
        self._open.commit()
        patroni = house.postgres.patroni(self._lost)
        if self._frozen:
            patroni.signal(signal.SIGCONT)
        else:
            house.progress(600)
            assert not self._open.is_answered, self._open.answer
            patroni.start()
        house.wait(lambda: self._open and self._open.is_answered, "an answer of the old primary")
        assert self._open.answer.startswith("refused"), self._open.answer
        house.joined()
        assert house.leader() == other(self._lost)
        assert not house.postgres.has_number(OPEN)


class Standby:
    """The other copy is gone: commits wait for it no longer than the promise."""

    def __init__(self) -> None:
        self._lost = ""

    def lose(self, house: HaHouse) -> None:
        self._lost = other(house.leader())
        house.postgres.patroni(self._lost).kill()

    def restore(self, house: HaHouse) -> None:
        house.postgres.patroni(self._lost).start()
        house.joined()


class Part:
    """One process or server, which `find` names."""

    def __init__(self, find: Callable[[HaHouse], str]) -> None:
        self._find = find
        self._lost = ""

    def lose(self, house: HaHouse) -> None:
        self._lost = self._find(house)
        if self._lost in house.postgres.services:
            house.postgres.services[self._lost].kill()
        else:
            house.kill(self._lost)

    def restore(self, house: HaHouse) -> None:
        if self._lost in house.postgres.services:
            house.postgres.services[self._lost].start()
        else:
            house.start(self._lost)


class PowerCut:
    """Of the primary's disk, or of both at once, goes what was not synchronised.

    Where both go, the machines come back by themselves; else the other one takes over.
    """

    def __init__(self, *, of_both: bool, by_chance: bool) -> None:
        self._of_both, self._by_chance = of_both, by_chance
        self._lost: list[str] = []

    def lose(self, house: HaHouse) -> None:
        leader = house.leader()
        self._lost = [leader, other(leader)] if self._of_both else [leader]
        dice = random.Random(house.seed) if self._by_chance else None
        pages = house.postgres.cut_power(*self._lost, dice=dice)
        assert pages, "Nothing was written that is not safe."
        house.pages_lost += pages
        if self._of_both:
            for machine in self._lost:
                house.postgres.patroni(machine).start()
        else:
            house.wait(lambda: house.postgres.leads(other(leader)), "the other machine to lead")

    def restore(self, house: HaHouse) -> None:
        if not self._of_both:
            house.postgres.patroni(self._lost[0]).start()
        house.joined()


def _power_cut(*, of_both: bool = False, by_chance: bool = False) -> Case:
    power_cut = PowerCut(of_both=of_both, by_chance=by_chance)
    return Case(power_cut.lose, power_cut.restore, BOTH_S if of_both else PRIMARY_S)


def _primary(
    how: Callable[[HaHouse, str], None], restore: Callable[[Primary, HaHouse], None]
) -> Case:
    primary = Primary(how)
    return Case(primary.lose, lambda house: restore(primary, house), PRIMARY_S)


def _bygone(*, frozen: bool) -> Case:
    bygone = Bygone(frozen=frozen)
    return Case(bygone.lose, bygone.restore, PRIMARY_S)


def _part(find: Callable[[HaHouse], str]) -> Case:
    part = Part(find)
    return Case(part.lose, part.restore, ANYTHING_ELSE_S)


def _standby() -> Case:
    standby = Standby()
    return Case(standby.lose, standby.restore, ANYTHING_ELSE_S)


CASES: dict[str, Case] = {
    "PostgreSQL of the primary": _primary(_server_alone, Primary.rejoin),
    "PostgreSQL and Patroni of the primary": _primary(_server_and_patroni, Primary.start_again),
    "primary frozen, and back": _bygone(frozen=True),
    "Patroni of the primary, its PostgreSQL goes on": _bygone(frozen=False),
    "Patroni of the primary, started again at once": _primary(_patroni_restarted, Primary.rejoin),
    "machine of the primary": _primary(_machine, Primary.start_machine),
    "power of the primary": _power_cut(),
    "power of the primary, some pages written": _power_cut(by_chance=True),
    "power of both": _power_cut(of_both=True),
    "standby": _standby(),
    "etcd of the primary's machine": _part(lambda house: f"etcd-{house.leader()}"),
    "HAProxy of the poster that writes": _part(
        lambda house: f"haproxy-{MACHINE_OF[house.writer()]}"
    ),
    "broker": _part(lambda _house: "broker-a"),
    "poster that writes": _part(lambda house: house.writer()),
    "intake": _part(lambda _house: "intake"),
    "the other intake": _part(lambda _house: SECOND_INTAKE),
    "web of the primary's machine": _part(lambda house: f"web-{house.leader()}"),
}
