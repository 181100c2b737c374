"""What TLC checks: small worlds in which all promises hold, and mistakes that break one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

SAFETY = (
    "ReceiptedIsHeld",
    "NothingVanishes",
    "NothingCountsTwice",
    "OrderIsTheUnits",
    "OneWriter",
)


@dataclass(frozen=True, slots=True)
class Case:
    """The constants of one check; `breaks`: the promise that must be found broken, if any.

    `settles`: promises about how a behaviour ends, instead of those about each state.
    `is_long`: for CI alone.
    """

    name: str
    units: int = 1
    intakes: int = 1
    posters: int = 0
    seqs: int = 2
    boots: int = 1
    faults: tuple[str, ...] = ()
    most_faults: int = 0
    most_receipts: int = 2
    wrong: str = "none"
    breaks: str | None = None
    settles: tuple[str, ...] = ()
    module: str = "Promises"  # or Traces, where each state says what led to it
    is_long: bool = False

    def configuration(self) -> str:
        """As TLC reads it."""
        specification, checked = "Spec", f"INVARIANTS {' '.join(SAFETY)}"
        if self.module == "Traces":
            specification = "TraceSpec"
        elif self.settles:
            specification, checked = "FairSpec", f"PROPERTIES {' '.join(self.settles)}"
        else:
            checked += "\nSYMMETRY Symmetry"
        return f"""SPECIFICATION {specification}
CONSTANTS
  Units = {_names("s", self.units)}
  Intakes = {_names("i", self.intakes)}
  Posters = {_names("p", self.posters)}
  LastSeq = {self.seqs}
  LastBoot = {self.boots}
  Faults = {{{", ".join(f'"{fault}"' for fault in self.faults)}}}
  MostFaults = {self.most_faults}
  MostReceipts = {self.most_receipts}
  Wrong = "{self.wrong}"
{checked}
"""


def _names(kind: str, count: int) -> str:
    return "{" + ", ".join(f"{kind}{number}" for number in range(1, count + 1)) + "}"


RECEIPTED, PLACED = "Receipted", "Placed"

# Every state of each is looked at by CI.
RIGHT = (
    Case("intakes", intakes=2, faults=("loss", "crash"), most_faults=2),
    Case("eras", faults=("restore",), most_faults=2),
    Case("boots", seqs=1, boots=2, faults=("loss", "restore"), most_faults=2),
    Case("standby", intakes=2, faults=("failover", "crash"), most_faults=2),
    Case("takeover", posters=2, faults=("crash", "freeze"), most_faults=2, is_long=True),
    Case(
        "writers after a restore",
        posters=2,
        seqs=1,
        faults=("freeze", "restore"),
        most_faults=2,
        is_long=True,
    ),
    Case("two units", units=2, posters=1, seqs=1, faults=("crash",), most_faults=1),
    Case("receipted at last", faults=("loss", "crash"), most_faults=2, settles=(RECEIPTED,)),
    Case(
        "receipted at last, across eras",
        seqs=1,
        faults=("loss", "restore"),
        most_faults=2,
        settles=(RECEIPTED,),
    ),
    Case(
        "placed at last",
        posters=2,
        seqs=1,
        faults=("freeze",),
        most_faults=1,
        settles=(RECEIPTED, PLACED),
    ),
)

# What `make model` looks at besides: the same worlds with more in them.
LARGE = (
    Case("intakes, restored", intakes=2, faults=("loss", "crash", "restore"), most_faults=1),
    Case("eras with losses", faults=("loss", "restore"), most_faults=2),
    Case("two boots of two events", boots=2, faults=("loss", "restore"), most_faults=1),
    Case("takeover and restore", posters=2, faults=("crash", "freeze", "restore"), most_faults=1),
    Case("standby of a poster", posters=1, faults=("failover", "crash"), most_faults=2),
    Case(
        "placed at last, with deaths",
        posters=2,
        seqs=1,
        faults=("crash", "freeze"),
        most_faults=2,
        settles=(RECEIPTED, PLACED),
    ),
)

_HELD, _WRITER = "ReceiptedIsHeld", "OneWriter"
_RESTORED, _FROZEN = ("restore",), ("freeze",)


def _mistake(wrong: str, breaks: str, most_faults: int = 0, **constants: Any) -> Case:
    settles = (breaks,) if breaks == RECEIPTED else ()
    parameters = {"seqs": 1, "settles": settles, **constants}
    name = wrong.replace("_", " ")
    return Case(name, wrong=wrong, breaks=breaks, most_faults=most_faults, **parameters)


WRONG = (
    _mistake("receipt_before_commit", _HELD, 1, faults=("crash",)),
    _mistake("unreplicated", _HELD, 2, faults=("failover",)),
    _mistake("no_boot", _HELD, boots=2),
    _mistake("era_from_backup", _HELD, 2, faults=_RESTORED),
    _mistake("forgets_at_once", "NothingVanishes", 1, faults=_RESTORED),
    _mistake("no_fence", _WRITER, 1, faults=_FROZEN, posters=2, seqs=2),
    _mistake("fence_apart", _WRITER, 1, faults=_FROZEN, posters=2),
    _mistake("epoch_alone", _WRITER, 1, faults=_RESTORED, posters=2),
    _mistake("no_gaps", "OrderIsTheUnits", posters=1, seqs=2),
    _mistake("no_era", RECEIPTED, 1, faults=_RESTORED),
    _mistake("no_resend", RECEIPTED, 1, faults=("loss",)),
)

# Mistakes that the replay can show: without a standby, and within a few steps.
REPLAYED = tuple(
    replace(case, module="Traces")
    for case in WRONG
    if not case.settles and case.wrong not in ("unreplicated", "forgets_at_once")
)

# Whose behaviours are walked at random and replayed against the product.
WALKED = Case(
    "walks",
    units=2,
    intakes=2,
    posters=2,
    seqs=3,
    boots=2,
    faults=("loss", "crash", "freeze", "restore"),
    most_faults=6,
    most_receipts=3,
    module="Traces",
)
