"""What is done at the unit under test: by somebody at the terminal, or by a program."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from conformance.scene import NotPossible

ACTS = {
    "forget": "Clear the unit's memory (journal, boot, numbers) and switch it on",
    "switch_on": "Switch the unit on",
    "switch_off": "Switch the unit off in order",
    "cut_power": "Cut the unit's power",
    "open_session": "Open the session of the table",
    "change_session": "Change dealer or seats of the session",
    "close_session": "Close the session",
    "press": "Press the jackpot button once",
    "press_again": "Press the jackpot button once more, at once",
    "complete": "Complete the round with its figures",
    "call_hand": "Call a hand (three taps)",
    "report_hand": "Report a hand with its cards",
    "withdraw": "Withdraw the hand",
    "void": "Ask for the round to be voided",
    "miss_rounds": "Enter one missed round",
    "lose": "Declare some earlier events of this boot as lost",
    "many": "Record at least 210 more events, of any type",
}
CANNOT = 3  # how a program says that it cannot do an act
_PATIENCE_S = 120


class Acts(Protocol):
    """Whoever works at the unit. `is_asked_once`: a question is not asked again until it fits."""

    @property
    def is_asked_once(self) -> bool: ...

    def do(self, act: str) -> None:
        """One of ACTS, done when this returns; NotPossible where it cannot be."""

    def handset(self, boot: int, seq: int) -> str:
        """What the handset shows of an event now."""


@dataclass
class Person:
    """Somebody at the terminal, who reads what to do and answers with Enter."""

    ask: Callable[[str], str] = input
    is_asked_once = True

    def do(self, act: str) -> None:
        answer = self.ask(f"\n{ACTS[act]}, then press Enter (n: not possible here) ")
        if answer.strip().lower().startswith("n"):
            raise NotPossible("whoever was asked could not do it")

    def handset(self, boot: int, seq: int) -> str:
        answer = self.ask(
            f"\nWhat does the handset show now of the last event (boot {boot}, no. {seq})?"
            " Type it, or Enter where it shows nothing: "
        )
        return answer.strip()


@dataclass
class Program:
    """A program of the vendor's that drives the unit: PROGRAM ACT, PROGRAM handset BOOT SEQ.

    It ends when the act is done, with 0; with 3 where it cannot do it.
    """

    path: Path | str
    is_asked_once = False

    def do(self, act: str) -> None:
        self._run(act)

    def handset(self, boot: int, seq: int) -> str:
        return self._run("handset", str(boot), str(seq)).strip()

    def _run(self, *arguments: str) -> str:
        try:
            ended = subprocess.run(
                [str(self.path), *arguments],
                stdout=subprocess.PIPE,
                text=True,
                timeout=_PATIENCE_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotPossible(f"the program could not do it: {error}") from None
        if ended.returncode:
            why = "cannot do it" if ended.returncode == CANNOT else f"ended with {ended.returncode}"
            raise NotPossible(f"the program {why}: {' '.join(arguments)}")
        return ended.stdout
