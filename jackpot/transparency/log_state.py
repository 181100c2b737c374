"""How it stands with the log of each system: for pages and API. Reads alone."""

from __future__ import annotations

import datetime as dt
import time
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from jackpot.models import Block, Checkpoint, Head, WitnessAnswer, WitnessContact
from jackpot.transparency import checkpoints, folder, notes, public_keys
from jackpot.transparency.cosignatures import algorithms_of
from jackpot.transparency.proofs import COSIGNED
from tables.models import Alarm, JackpotSystem

MOST_REFUSALS = 20
_LATE = 6  # intervals
_LOOK_S, _LONGEST_S = 0.1, 6.0  # of a page that waits for a checkpoint
_ALARMS = ("checkpoints", "witness")


@dataclass(frozen=True)
class Signer:
    """A key that signed the newest checkpoint; `line` where the house publishes it here."""

    id: str  # hexadecimal digits
    algorithm: str
    line: str


@dataclass(frozen=True)
class WitnessState:
    """What a witness last cosigned of one log, and whether it answers."""

    name: str
    size: int | None  # of the last checkpoint that it cosigned
    algorithms: list[str]  # of the signatures with which it did
    cosigned_at: dt.datetime | None
    asked_at: dt.datetime | None
    failing_since: dt.datetime | None
    fault: str


@dataclass(frozen=True)
class LogState:
    """The log of one system."""

    system: JackpotSystem
    origin: str
    blocks: int  # of the order
    newest: Checkpoint | None
    signers: list[Signer]
    witnesses: list[WitnessState]
    refusals: list[WitnessAnswer]  # the newest ones, each with its checkpoint
    folder: int | None  # the size up to which the folder has them; None: not seen from here
    alarms: int  # open ones
    is_behind: bool  # blocks wait for a checkpoint, and not just since now

    @property
    def root(self) -> str:
        return bytes(self.newest.root).hex() if self.newest else ""


def log_of(system: JackpotSystem) -> LogState:
    """The state of one system's log."""
    newest = checkpoints.latest(system)
    head = Head.objects.filter(system=system).only("block_number").first()
    return LogState(
        system=system,
        origin=newest.note.partition("\n")[0] if newest else notes.origin_of(system.code),
        blocks=head.block_number if head else 0,
        newest=newest,
        signers=_signers(system, newest) if newest else [],
        witnesses=_witnesses(system),
        refusals=_refusals(system),
        folder=folder.last_size(system),
        alarms=Alarm.objects.filter(system=system, kind__in=_ALARMS, cleared_at=None).count(),
        is_behind=_is_behind(system, newest.size if newest else 0),
    )


def _is_behind(system: JackpotSystem, size: int) -> bool:
    """Whether the first block that no checkpoint covers is older than the next one should be."""
    late = dt.timedelta(seconds=_LATE * settings.CHECKPOINT_EVERY_S)
    waiting = Block.objects.filter(system=system, number=size + 1)
    return waiting.filter(at__lt=timezone.now() - late).exists()


def wait_for(system: JackpotSystem, block: int) -> bool:
    """Wait for a checkpoint that covers that block, an interval and a second; whether there is one.

    No page waits longer than six seconds, nor for a log that is late already, nor where there is
    none. Not inside a transaction that sees one moment.
    """
    deadline = time.monotonic() + min(settings.CHECKPOINT_EVERY_S + 1.0, _LONGEST_S)
    while True:
        newest = checkpoints.statement(system)
        if newest is None or newest.size >= block:
            return newest is not None
        if time.monotonic() >= deadline or _is_behind(system, newest.size):
            return False
        time.sleep(_LOOK_S)


def checkpoints_of(system: JackpotSystem, cause: str = "") -> QuerySet[Checkpoint]:
    """Newest first, each with its `cosignatures`: answers, by the name of the witness."""
    cosignatures = Prefetch(
        "answers",
        WitnessAnswer.objects.filter(status=COSIGNED).order_by("witness"),
        to_attr="cosignatures",
    )
    rows = Checkpoint.objects.filter(system=system, **({"cause": cause} if cause else {}))
    rows = rows.only("size", "at", "cause", "root", "note").prefetch_related(cosignatures)
    return rows.order_by("-size")


def _signers(system: JackpotSystem, newest: Checkpoint) -> list[Signer]:
    try:
        lines = {key.id: key.line for key in public_keys.published(system.code)}
    except notes.KeyUnreadable:
        lines = {}
    signers = []
    for line in newest.note.rpartition("\n\n")[2].splitlines():
        signature = notes.signature_of(line)
        digits = signature[:4].hex()
        is_ed25519 = len(signature) == 4 + notes.ED25519_LENGTH
        signers.append(
            Signer(digits, "Ed25519" if is_ed25519 else "ML-DSA-44", lines.get(digits, ""))
        )
    return signers


def _witnesses(system: JackpotSystem) -> list[WitnessState]:
    states = []
    for contact in WitnessContact.objects.filter(system=system).order_by("witness"):
        rows = WitnessAnswer.objects.filter(
            witness=contact.witness, status=COSIGNED, checkpoint__system=system
        )
        last = rows.order_by("-pk").values_list("checkpoint__size", "at", "text").first()
        size, at, text = last or (None, None, "")
        states.append(
            WitnessState(
                name=contact.witness,
                size=size,
                algorithms=algorithms_of(text),
                cosigned_at=at,
                asked_at=contact.asked_at,
                failing_since=contact.failing_since,
                fault=contact.fault,
            )
        )
    return states


def _refusals(system: JackpotSystem) -> list[WitnessAnswer]:
    rows = WitnessAnswer.objects.exclude(status=COSIGNED).filter(checkpoint__system=system)
    rows = rows.select_related("checkpoint").defer("checkpoint__leaves", "checkpoint__peaks")
    return list(rows.order_by("-pk")[:MOST_REFUSALS])
