"""A witness as a process of its own, as a regulator runs it: with Python alone."""

import subprocess
import sys
from pathlib import Path

from demo.installation import PROJECT
from demo.ports import free_port

NAME = "witness.example/w1"


class RunningWitness:
    """`python -m verifier witness`, without any package that is installed beside Python."""

    def __init__(self, state: Path, *logs: str, name: str = NAME, port: int | None = None) -> None:
        self.state, self.name = state, name
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self._logs = [part for log in logs for part in ("--log", log)]
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Its public key, which it prints once it answers."""
        # -S: none of the packages that are installed here.
        command = [sys.executable, "-S", "-m", "verifier", "witness", "--state", str(self.state)]
        self._process = subprocess.Popen(
            [*command, "--name", self.name, "--listen", f"127.0.0.1:{self.port}", *self._logs],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        key = self._process.stdout.readline().strip()
        assert key, "the witness did not start"
        return key

    def kill(self) -> None:
        """As kill -9 does: it does not hear of it."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __enter__(self) -> "RunningWitness":
        return self

    def __exit__(self, *_fault: object) -> None:
        self.kill()
