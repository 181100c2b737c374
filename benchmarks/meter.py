"""What processes used: processor time and private memory, from /proc (Linux)."""

import os
import platform
import re
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import psycopg

TICKS_S = os.sysconf("SC_CLK_TCK")
REST = "PostgreSQL, writers and checkpoints"


def cpu_s(pid: int, *, with_reaped: bool = False) -> float:
    """Processor time of a process since it began; 0 when it is gone."""
    try:
        text = (Path("/proc") / str(pid) / "stat").read_text()
    except OSError:
        return 0.0
    fields = text.rpartition(")")[2].split()
    used = sum(map(int, fields[11 : 15 if with_reaped else 13]))
    return used / TICKS_S


def private_mib(pid: int) -> float:
    """Memory that no other process shares; 0 when the process is gone."""
    try:
        text = (Path("/proc") / str(pid) / "status").read_text()
    except OSError:
        return 0.0
    match = re.search(r"RssAnon:\s+(\d+) kB", text)
    return int(match[1]) / 1024 if match else 0.0


def children(pid: int) -> list[int]:
    """The direct children of a process."""
    text = (Path("/proc") / str(pid) / "task" / str(pid) / "children").read_text()
    return [int(part) for part in text.split()]


def descendants(pid: int) -> list[int]:
    """Its children, theirs, and so on."""
    return [each for child in children(pid) for each in (child, *descendants(child))]


class Meter:
    """Processor time by name, from `start` to `stop`: our processes, and PostgreSQL's backends
    under the name of the process that they serve."""

    def __init__(self, administration_url: str, postmaster: int, pids: Mapping[str, int]) -> None:
        """`pids` by name; `administration_url` is a database in which nothing is measured."""
        self._url = administration_url
        self._postmaster = postmaster
        self.pids = dict(pids)
        self._before: dict[int, float] = {}
        self._reaped = 0.0

    def start(self) -> None:
        watched = [*self.pids.values(), *children(self._postmaster)]
        self._before = {pid: cpu_s(pid) for pid in watched}
        self._reaped = self._of_postmaster()

    def stop(self) -> dict[str, float]:
        """Seconds of processor time by name."""
        used: dict[str, float] = defaultdict(float)
        for name, pid in self.pids.items():
            used[name] += cpu_s(pid) - self._before[pid]
        served = self.served()
        for pid in children(self._postmaster):
            spent = cpu_s(pid) - self._before.get(pid, 0.0)
            used[served.get(pid, REST)] += spent
        # What ended meanwhile; those that were there before are counted with their past.
        exited_pids = set(self._before) - set(children(self._postmaster)) - set(self.pids.values())
        past = sum(self._before[pid] for pid in exited_pids)
        used[REST] += max(0.0, self._of_postmaster() - self._reaped - past)
        return dict(used)

    def served(self) -> dict[int, str]:
        """Backends by process number: `PostgreSQL for intake`."""
        with psycopg.connect(self._url) as connection:
            rows = connection.execute(
                "SELECT pid, application_name FROM pg_stat_activity"
                " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            ).fetchall()
        return {pid: f"PostgreSQL for {name}" for pid, name in rows if name in self.pids}

    def _of_postmaster(self) -> float:
        return cpu_s(self._postmaster, with_reaped=True)


def machine() -> str:
    """This machine in a line: cores, memory, versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    model = ""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return (
        f"{os.cpu_count()} cores ({model or platform.machine()}), {memory:.0f} GiB,"
        f" Linux {platform.release().split('-')[0]}, Python {platform.python_version()}"
    )


def version(*command: str | Path) -> str:
    """What a program says of its version."""
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    match = re.search(r"\d+\.\d+(\.\d+)?", process.stdout + process.stderr)
    return match[0] if match else "unknown"
