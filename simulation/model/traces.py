"""Behaviours of the model as data: each step with what may be seen of the world after it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from simulation.model.cases import WALKED, Case
from simulation.model.checker import State, walk

FILE = Path(__file__).parent / "traces.json"
WALKS, DEPTH, SEED, COUNT = 200, 60, 16, 12

KINDS = (
    *("Press", "Greet", "Exchange", "Hear", "Resend", "Record", "Answer", "CrashIntake", "Lease"),
    *("Open", "Refused", "Commit", "Freeze", "Thaw", "EndSession", "CrashPoster", "Expire"),
    *("BackUp", "Restore", "Lose", "LoseReceipt"),
)

Step = dict[str, Any]  # `did`: name and who; `then`: what may be seen
Trace = list[Step]


def steps(states: Sequence[State]) -> Trace:
    """A behaviour as it is stored."""
    return [{"did": _plain(state["did"]), "then": visible(state)} for state in states[1:]]


def visible(state: State) -> dict[str, Any]:
    """What the model says of units, database, intakes and posters, in JSON's types."""
    db = state["db"]
    order: dict[str, list[list[int]]] = {unit: [] for unit in state["unit"]}
    for place in db["order"]:
        event = place["event"]
        order[event["unit"]].append([event["boot"], event["seq"]])
    return {
        "units": {
            name: {key: unit[key] for key in ("boot", "seq", "era", "upto", "from")}
            for name, unit in state["unit"].items()
        },
        "stored": {
            f"{unit} {boot}": sorted(seqs) for (unit, boot), seqs in db["stored"].items() if seqs
        },
        "order": order,
        "head": {
            "epoch": db["epoch"],
            "writer": db["writer"][0] if db["writer"] else None,
            "leased": state["leased"],
        },
        "era": db["era"],
        "posters": {name: poster["epoch"] for name, poster in dict(state["poster"]).items()},
        "answers": {
            name: _plain(intake["receipt"]) if intake["state"] == "recorded" else None
            for name, intake in state["intake"].items()
        },
    }


def chosen(walks: Iterable[Trace], count: int) -> list[Trace]:
    """Those that together show the most: kinds of steps in succession, each once."""
    left = list(walks)
    kinds: set[tuple[str, ...]] = set()
    choice: list[Trace] = []
    while left and len(choice) < count:
        best = max(left, key=lambda trace: len(_moves(trace) - kinds))
        if not _moves(best) - kinds:
            break
        left.remove(best)
        choice.append(best)
        kinds |= _moves(best)
    return choice


def _moves(trace: Trace) -> set[tuple[str, ...]]:
    names = [_name(step) for step in trace]
    return {(name,) for name in names} | set(pairwise(names))


def _name(step: Step) -> str:
    """A batch that is refused is a step of its own kind."""
    name, *who = step["did"]
    is_refused = name == "Open" and not step["then"]["posters"][who[0]]
    return "Refused" if is_refused else str(name)


def random_walks(case: Case = WALKED) -> list[Trace]:
    """Random walks of the model, those that show the most of them."""
    return chosen((steps(states) for states in walk(case, WALKS, DEPTH, SEED)), COUNT)


def kinds(traces: Iterable[Trace]) -> set[str]:
    """The kinds of steps that come about in these."""
    return {_name(step) for trace in traces for step in trace}


def write(traces: Sequence[Trace]) -> None:
    """Store them, a step on a line."""
    parts = [",\n ".join(json.dumps(step) for step in trace) for trace in traces]
    FILE.write_text("[[" + "],\n\n[".join(parts) + "]]\n")


def read() -> list[Trace]:
    """Those that are stored."""
    traces: list[Trace] = json.loads(FILE.read_text())
    return traces


def _plain(value: Any) -> Any:
    """In JSON's types."""
    if isinstance(value, (tuple, frozenset)):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return value
