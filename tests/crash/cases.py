"""The cases of the crash matrix: who is killed, how, and what must have happened then.

Each gets a house in full play and leaves it in play.
"""

import os
import signal
from collections.abc import Callable

from tests.crash.house import POSTERS, SECOND_INTAKE, CrashHouse

AWAY, AFTER = 400, 800  # events journalled while somebody is away; entries after the return
SMALL_QUEUE = 300

Case = Callable[[CrashHouse], None]


def killed(*victims: str, **how: bool) -> Case:
    """Kill -9 of all of them at once."""

    def case(house: CrashHouse) -> None:
        house.crash(*victims, away=AWAY, **how)
        house.progress(AFTER)

    return case


def worker(house: CrashHouse) -> None:
    """The displays of all systems hear of the worker again."""

    def pulse() -> object:
        return house.rows("SELECT min(at) FROM jackpot_displaypulse")[0][0]

    house.crash("worker", away=AWAY)
    before = pulse()
    house.wait(lambda: pulse() != before, "displays of all systems")


def _taken_over(house: CrashHouse, ended_writer: str, blocks: dict[str, int]) -> None:
    """Wait until another poster writes each system that this one wrote; keep how long nobody did.

    `blocks`: how many each of them had before.
    """
    house.wait(
        lambda: all(house.writer(system) != ended_writer for system in blocks), "another writer"
    )
    block_numbers = {system: house.blocks(system) for system in blocks}
    house.wait(
        lambda: all(house.blocks(system) > number for system, number in block_numbers.items()),
        "the first blocks of another writer",
    )
    house.progress(AFTER)
    house.takeovers_s += [
        (system, house.longest_pause_s(block, system)) for system, block in blocks.items()
    ]


def takeover(house: CrashHouse) -> None:
    """The writer dies and stays dead: the other poster takes its systems over."""
    dead = house.writer()
    blocks = house.written_by(dead)
    house.kill(dead)
    _taken_over(house, dead, blocks)
    house.start(dead)


def stopped(*, within_its_transaction: bool) -> Case:
    """The writer stands still past its lease, holding its locks or not, and is fenced off."""

    def case(house: CrashHouse) -> None:
        name = house.writer()
        (other,) = (poster for poster in POSTERS if poster != name)
        pid = house.pid(name)
        blocks = house.written_by(name)
        epoch = house.epoch()

        def stop_it_there() -> bool:
            os.kill(pid, signal.SIGSTOP)
            if _holds_the_head(house) == within_its_transaction:
                return True
            os.kill(pid, signal.SIGCONT)
            return False

        house.wait(stop_it_there, "the poster to stand still where it hurts")
        try:
            _taken_over(house, name, blocks)
        finally:
            os.kill(pid, signal.SIGCONT)
        house.progress(AFTER)
        # It is well, and no more than a standby: it writes by another lease, after the other ended.
        house.kill(other)
        house.wait(
            lambda: house.writer() == name and house.epoch() >= epoch + 2,
            "the one that was stopped to write again, by another lease",
        )
        house.progress(AFTER)
        house.start(other)
        assert house.pid(name) == pid

    return case


def _holds_the_head(house: CrashHouse) -> bool:
    """Whether a transaction that has not ended has the head of `main`: its writer's."""
    return bool(
        house.rows(
            "SELECT 1 FROM jackpot_head h JOIN tables_jackpotsystem s ON s.id = h.system_id"
            " JOIN pg_stat_activity a ON a.backend_xid = h.xmax WHERE s.code = 'main'"
        )
    )


def one_of_two_intakes(house: CrashHouse) -> None:
    """Two hear everything; one dies, the other goes on alone; then the other way round."""
    house.start(SECOND_INTAKE)
    listens = f"Intake {SECOND_INTAKE} is listening"
    house.wait(lambda: listens in house.log_of(SECOND_INTAKE), "the second intake")
    house.progress(AFTER)
    house.kill("intake")
    house.progress(AFTER)
    house.start("intake")
    house.progress(AFTER)
    house.kill(SECOND_INTAKE)
    house.progress(AFTER)


def overflow(house: CrashHouse) -> None:
    """The broker's queue runs over while the intake is away: it acknowledges, and drops."""
    usual = house.broker.queued_at_most
    house.broker.queued_at_most = SMALL_QUEUE
    house.crash("broker")
    house.hear()  # else it ends before it subscribed, and the broker has no queue for it
    house.kill("intake")
    dropping = "Outgoing messages are being dropped for client jackpot-intake"
    log = house.installation.broker / "broker.log"
    house.wait(lambda: dropping in log.read_text(), "the broker to drop messages")
    before = house.journalled()
    house.wait(lambda: house.journalled() > before + AWAY, "more events, all of them dropped")
    house.start("intake")
    house.progress(AFTER)
    house.settle()
    house.broker.queued_at_most = usual
    house.crash("broker")


CASES: dict[str, Case] = {
    "intake": killed("intake"),
    "poster": takeover,
    "worker": worker,
    "one of two intakes": one_of_two_intakes,  # the next case makes the broker forget the second
    "broker, its state lost": killed("broker"),
    "PostgreSQL": killed("postgres"),
    "table units": killed("dealers-main"),
    "intake and PostgreSQL's immediate stop": killed("intake", "postgres", immediate_stop=True),
    "poster and broker, with the state of a moment ago": killed("poster", "broker", forgets=False),
    "table units and intake": killed("dealers-vip", "intake"),
    "poster stopped within its transaction": stopped(within_its_transaction=True),
    "poster stopped between two": stopped(within_its_transaction=False),
    "queue overflow": overflow,
}
