"""One server program of a machine: started, killed, stopped where it stands, ended."""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from demo.servers.account import Account
from demo.servers.child import Child
from tests.support.servers.demo.alive import descendants, is_alive
from tests.support.servers.rabbitmq import rabbitmq_program
from tests.support.suite.waiting import wait_until

PACKAGES = {
    "patroni": "patroni",
    "etcd": "etcd-server",
    "haproxy": "haproxy",
    "pgbouncer": "pgbouncer",
}
BROKER_PACKAGES = {"rabbitmq": "rabbitmq-server", "epmd": "erlang-base", "haproxy": "haproxy"}
_PATH = f"{os.defpath}:/usr/sbin:/usr/local/sbin:/usr/local/bin"


def program(name: str) -> str | None:
    """Where this machine has it."""
    if name.startswith("rabbitmq"):  # what is on the PATH starts it under an account of its own
        server = rabbitmq_program()
        path = server.with_name(name) if server and name != "rabbitmq" else server
        return str(path) if path else None
    return shutil.which(name, path=_PATH)


def missing(packages_by_name: Mapping[str, str] = PACKAGES) -> str:
    """What to install for these tests; nothing when all is there."""
    packages = [package for name, package in packages_by_name.items() if program(name) is None]
    return f"apt install {' '.join(packages)}" if packages else ""


def send(number: signal.Signals, pids: Iterable[int]) -> None:
    """A signal to each of these that is still there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


@dataclass
class Service:
    """A program, and what it starts and would leave behind.

    `pid_file`: of a process that it starts in a session of its own, as Patroni does PostgreSQL.
    `unit`: a file of systemd, whose ExecStartPre runs before each start.
    """

    name: str
    argv: Sequence[str | Path]
    log: Path
    account: Account | None = None
    pid_file: Path | None = None
    unit: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    starts: int = 0
    _child: Child | None = None

    def start(self) -> None:
        assert not self.is_running, f"{self.name} runs already."
        environment = {"PATH": _PATH, "LC_ALL": "C", "LANG": "C", **self.env}
        for argv in self._before():
            subprocess.run(
                argv,
                check=False,
                capture_output=True,
                env=environment,
                cwd="/",
                user=self.account.uid if self.account else None,
                group=self.account.gid if self.account else None,
                extra_groups=[] if self.account else None,
            )
        self.starts += 1
        self._child = Child(
            self.argv,
            self.log,
            env=environment,
            cwd=Path("/"),
            account=self.account,
        )

    def _before(self) -> list[list[str]]:
        """What systemd would run first, and start the program whatever comes of it."""
        lines = self.unit.read_text().splitlines() if self.unit is not None else []
        begin = "ExecStartPre=-"
        return [line.removeprefix(begin).split() for line in lines if line.startswith(begin)]

    @property
    def is_running(self) -> bool:
        return self._child is not None and self._child.is_running

    @property
    def pids(self) -> set[int]:
        """All that runs of it now."""
        first = {self._child.pid} if self._child is not None and self._child.is_running else set()
        return (first | self.left_behind()).union(*map(descendants, first))

    def signal(self, number: signal.Signals) -> set[int]:
        """Send it to every process of it; whom it was sent to."""
        everybody = self.pids
        send(number, everybody)
        return everybody

    def kill(self) -> None:
        """End all of it at once, without a word."""
        everybody = self.signal(signal.SIGKILL)
        if self._child is not None:
            self._child.kill()
        self._child = None
        wait_until(lambda: not any(map(is_alive, everybody)), what=f"the end of {self.name}")

    def kill_first(self) -> None:
        """End the program itself alone: what it started in another session goes on."""
        assert self._child is not None
        self._child.kill()
        self._child = None

    def last_words(self, lines: int = 30) -> str:
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        except FileNotFoundError:
            return ""

    def left_behind(self) -> set[int]:
        """The process that the file names, if it is still that, and all below it."""
        if self.pid_file is None:
            return set()
        try:
            pid = int(self.pid_file.read_text().split("\n", 1)[0])
            command = (Path("/proc") / str(pid) / "cmdline").read_bytes()
        except (OSError, ValueError):
            return set()
        is_it = str(self.pid_file.parent).encode() in command
        return {pid, *descendants(pid)} if is_it else set()
