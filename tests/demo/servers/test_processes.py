"""The supervisor of the demo's processes, on real processes."""

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from demo.servers.processes import Program, Supervisor
from tests.support.servers.demo.alive import is_alive
from tests.support.suite.waiting import wait_until

PROJECT = Path(__file__).resolve().parents[3]
# Says its pid, then waits for ever.
STAYS = "import os, signal; print('up', os.getpid(), flush=True); signal.pause()"
# The same, but SIGTERM does not impress it.
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);" + STAYS
# Starts a child of its own that stays, and says its pid.
PARENT = (
    "import subprocess, sys, signal;"
    f"child = subprocess.Popen([sys.executable, '-c', {STAYS!r}]);"
    "print('child', child.pid, flush=True); signal.pause()"
)


def python(name: str, code: str, **options: float) -> Program:
    return Program(name, [sys.executable, "-c", code], **options)  # type: ignore[arg-type]


def words_in(log: Path) -> list[str]:
    return log.read_text().split() if log.exists() else []


def pids_in(log: Path, label: str = "up") -> list[int]:
    words = words_in(log)
    return [int(pid) for word, pid in itertools.pairwise(words) if word == label]


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def supervisor(tmp_path: Path, lines: list[str]) -> Iterator[Supervisor]:
    with Supervisor(tmp_path, say=lines.append) as supervisor:
        yield supervisor


def test_output_goes_to_a_log_of_the_programs_name(supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.start(python("intake", STAYS))
    wait_until(lambda: pids_in(tmp_path / "intake.log"), what="the program's first words")
    assert supervisor.pids == {"intake": pids_in(tmp_path / "intake.log")[0]}


def test_a_program_that_dies_is_started_again(
    supervisor: Supervisor, tmp_path: Path, lines: list[str]
) -> None:
    supervisor.start(python("intake", STAYS))
    log = tmp_path / "intake.log"
    (first,) = wait_until(lambda: pids_in(log), what="the first start")
    os.kill(first, signal.SIGKILL)

    def started_again() -> bool:
        supervisor.look_after()
        return len(pids_in(log)) == 2

    wait_until(started_again, what="the second start")
    assert supervisor.pids == {"intake": pids_in(log)[1]}
    assert lines == [f"intake has ended (killed by SIGKILL), starting it again in 0.5 s; see {log}"]


def test_pauses_grow_while_a_program_keeps_dying(supervisor: Supervisor, lines: list[str]) -> None:
    supervisor.start(python("poster", "raise SystemExit(3)"))

    def died_three_times() -> bool:
        supervisor.look_after()
        return len(lines) == 3

    wait_until(died_three_times, what="three ends")
    assert [line.split("again in ")[1].split(" s")[0] for line in lines] == ["0.5", "1", "2"]
    assert "exit code 3" in lines[0]


def test_what_a_dead_program_left_behind_is_gone_before_it_starts_again(
    supervisor: Supervisor, tmp_path: Path, lines: list[str]
) -> None:
    supervisor.start(python("worker", PARENT))
    (orphan,) = wait_until(lambda: pids_in(tmp_path / "worker.log", "child"), what="its child")
    os.kill(supervisor.pids["worker"], signal.SIGKILL)

    def noticed() -> bool:
        supervisor.look_after()
        return bool(lines)

    wait_until(noticed, what="the end to be noticed")
    wait_until(lambda: not is_alive(orphan), what="the orphan's end")


def test_what_is_killed_stays_away_until_it_is_started_again(
    supervisor: Supervisor, tmp_path: Path, lines: list[str]
) -> None:
    program, log = python("intake", STAYS), tmp_path / "intake.log"
    supervisor.start(program)
    (first,) = wait_until(lambda: pids_in(log), what="the first start")
    supervisor.kill("intake")
    assert not is_alive(first)
    supervisor.look_after()
    assert supervisor.pids == {}
    supervisor.start(program)
    wait_until(lambda: len(pids_in(log)) == 2, what="the second start")
    assert lines == []


def test_what_is_stopped_by_name_goes_in_order_and_stays_away(
    supervisor: Supervisor, tmp_path: Path, lines: list[str]
) -> None:
    last_words = "import atexit, signal, sys; atexit.register(print, 'goodbye', flush=True);"
    last_words += "signal.signal(signal.SIGTERM, lambda *_: sys.exit());"
    supervisor.start(python("intake", last_words + STAYS))
    supervisor.start(python("poster", STAYS))
    wait_until(lambda: pids_in(tmp_path / "intake.log"), what="its start")
    supervisor.end("intake")
    supervisor.look_after()
    assert set(supervisor.pids) == {"poster"}
    assert words_in(tmp_path / "intake.log")[-1] == "goodbye"
    assert lines == []


def test_stops_in_reverse_order(tmp_path: Path) -> None:
    order = tmp_path / "order"
    tells = (
        "import signal, sys;"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(open({path!r}, 'a').write({name!r})));"
        "print('ready', 1, flush=True); signal.pause()"
    )
    with Supervisor(tmp_path) as supervisor:
        for name in ("a", "b", "c"):
            supervisor.start(python(name, tells.format(path=str(order), name=name)))
        for name in ("a", "b", "c"):
            log = tmp_path / f"{name}.log"
            wait_until(partial(words_in, log), what=f"{name} to be ready")
    assert order.read_text() == "cba"


def test_a_program_that_does_not_stop_is_killed(tmp_path: Path, lines: list[str]) -> None:
    supervisor = Supervisor(tmp_path, say=lines.append)
    supervisor.start(python("worker", STUBBORN, stop_seconds=0.2))
    (pid,) = wait_until(lambda: pids_in(tmp_path / "worker.log"), what="its start")
    supervisor.stop()
    assert not is_alive(pid)
    assert lines == [f"worker did not stop in time and was killed; see {tmp_path / 'worker.log'}"]


def test_ends_when_something_needed_is_lost(supervisor: Supervisor, lines: list[str]) -> None:
    assert supervisor.run(needed={"PostgreSQL": lambda: False}) == 1
    assert lines == ["PostgreSQL has ended, and nothing can go on without it."]


SUPERVISOR = f"""
import sys
from pathlib import Path
from demo.servers.processes import Program, Supervisor
with Supervisor(Path(sys.argv[1])) as supervisor:
    supervisor.start(Program("intake", [sys.executable, "-c", {STAYS!r}]))
    supervisor.start(Program("worker", [sys.executable, "-c", {STAYS!r}]))
    watching = Path(sys.argv[1], "watching")
    code = supervisor.run(needed={{"a proof that it watches": lambda: watching.touch() or True}})
print("stopped in order", flush=True)
sys.exit(code)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_everything_in_order(tmp_path: Path, number: signal.Signals) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, tmp_path], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    pids = [
        wait_until(partial(pids_in, tmp_path / name), what=f"{name} to start")[0]
        for name in ("intake.log", "worker.log")
    ]
    wait_until((tmp_path / "watching").exists, what="the supervisor to watch")
    owner.send_signal(number)
    output, _ = owner.communicate(timeout=60)
    assert owner.returncode == 0
    assert output == "stopped in order\n"
    assert not any(map(is_alive, pids))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of this")
def test_nothing_survives_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    owner = subprocess.Popen([sys.executable, "-c", SUPERVISOR, tmp_path], cwd=PROJECT)
    pids = [
        wait_until(partial(pids_in, tmp_path / name), what=f"{name} to start")[0]
        for name in ("intake.log", "worker.log")
    ]
    owner.kill()
    owner.wait(timeout=60)
    wait_until(lambda: not any(map(is_alive, pids)), what="the programs to follow it")
