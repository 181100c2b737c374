"""A witness as a process of its own, as a regulator runs it: with Python alone. And the worker
that asks it."""

import subprocess
import sys
import urllib.request
from pathlib import Path

from demo.servers.installation import PROJECT
from demo.servers.ports import free_port
from jackpot.models import Checkpoint, WitnessAnswer, WitnessContact
from jackpot.models.transparency import CheckpointCause
from jackpot.transparency import checkpoints, witnesses
from tests.support.people.roles import acting_as
from tests.support.play.house import House

NAME = "witness.example/w1"
ORIGIN = "harbour.example/main"


class RunningWitness:
    """`python -m verifier witness`, without any package that is installed beside Python.

    With `ml_dsa` it has the packages, and cosigns by ML-DSA-44, too.
    """

    def __init__(
        self,
        state: Path,
        *logs: str,
        name: str = NAME,
        port: int | None = None,
        ml_dsa: bool = False,
    ) -> None:
        self.state, self.name, self.ml_dsa = state, name, ml_dsa
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self._logs = [part for log in logs for part in ("--log", log)]
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Its first public key, which it prints once it answers."""
        return self.start_with_keys()[0]

    def start_with_keys(self) -> list[str]:
        """Its public keys: of Ed25519, and with `ml_dsa` of ML-DSA-44."""
        # -S: none of the packages that are installed here.
        python = [sys.executable] if self.ml_dsa else [sys.executable, "-S"]
        command = [*python, "-m", "verifier", "witness", "--state", str(self.state)]
        command += ["--ml-dsa"] if self.ml_dsa else []
        self._process = subprocess.Popen(
            [*command, "--name", self.name, "--listen", f"127.0.0.1:{self.port}", *self._logs],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        keys = [self._process.stdout.readline().strip() for _ in range(1 + self.ml_dsa)]
        assert all(keys), "the witness did not start"
        return keys

    def page(self) -> str:
        """What it shows to everybody."""
        with urllib.request.urlopen(self.url, timeout=10) as answer:  # noqa: S310
            return str(answer.read().decode())

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


def grow(house: House, rounds: int = 1, cause: str = CheckpointCause.INTERVAL) -> Checkpoint:
    """Rounds of table 3, each a block, and a checkpoint of them."""
    for _ in range(rounds):
        house.press("t3")
        house.post()
    checkpoint = checkpoints.make(house.system, cause)
    assert checkpoint is not None
    return checkpoint


def ask() -> None:
    """As the worker does."""
    with acting_as("worker"):
        for name in witnesses.due():
            witnesses.ask(name)


def cosigned_sizes() -> list[int]:
    rows = WitnessAnswer.objects.filter(status=200).order_by("pk")
    return list(rows.values_list("checkpoint__size", flat=True))


def contact() -> WitnessContact:
    return WitnessContact.objects.get()
