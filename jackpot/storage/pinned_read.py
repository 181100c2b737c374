"""Reading at a standby what the primary had: pinned to blocks, at one moment, or not at all.

The standby must follow this very database, show all that the primary had when the work began, and
have the same order: the blocks that the work was pinned to, and the newest that it shows, have the
hashes that the primary says. So it shows a moment that the primary had. Where any of it does not
hold, or the standby goes away in the middle, the work is done at the primary, from its beginning.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.models import TextChoices
from django.utils.translation import gettext_noop as _

from jackpot.storage.snapshot import snapshot
from tables.process import read_standby
from tables.process.read_standby import PLACE, Lag, Place, lag_of, place_of

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")
Pin = dict[str, Any]  # {"system": code, "block": number, "hash": hexadecimal digits}
Pause = Callable[[float], object]  # wait for so many seconds; may raise, to give up
LOOK_EVERY_S = 0.05
_Hashes = dict[tuple[str, int], str]  # by system and number of a block

_HEADS = """
    SELECT s.code, h.block_number, encode(h.block_hash, 'hex')
    FROM jackpot_head h JOIN tables_jackpotsystem s ON s.id = h.system_id
    WHERE h.block_number > 0 AND (%(all)s OR s.id = ANY(%(systems)s)) ORDER BY s.code
"""
_HASHES = """
    SELECT pin.code, pin.number, encode(b.hash, 'hex')
    FROM unnest(%s::text[], %s::bigint[]) AS pin (code, number)
    JOIN tables_jackpotsystem s ON s.code = pin.code
    JOIN jackpot_block b ON b.system_id = s.id AND b.number = pin.number
"""


class Source(TextChoices):
    """Where something was read."""

    PRIMARY = "primary", _("the database")
    STANDBY = "standby", _("the standby")


class Refusal(TextChoices):
    """Why the standby was not read."""

    SILENT = "silent", _("the standby does not answer")
    NO_STANDBY = "promoted", _("the standby accepts writes: it was promoted")
    STRANGE = "strange", _("the standby belongs to another database")
    BEHIND = "behind", _("the standby did not catch up in time")
    DIVERGED = "diverged", _("the standby has another order than the database")
    LOST = "lost", _("the standby was lost while it was read")


class StandbyRefused(Exception):
    """It cannot be read now; `why`, and the particulars as text."""

    def __init__(self, why: Refusal, particulars: str = "") -> None:
        super().__init__(f"{why.label}{particulars and f': {particulars}'}")
        self.why = why


@dataclass(frozen=True)
class Reading(Generic[Answer]):
    """What was read, and where; empty texts where no standby is named."""

    answer: Answer
    source: str = ""
    refusal: str = ""


@dataclass(frozen=True)
class _Patience:
    """How long the standby is waited for, and how time passes between two looks."""

    seconds: float
    pause: Pause


def pins_of(systems: Iterable[int]) -> list[Pin]:
    """The newest block of each of these systems, by their keys, with its hash."""
    return _heads(connections[DEFAULT_DB_ALIAS], list(systems))


def read(
    work: Callable[[], Answer],
    systems: Iterable[int] | None = None,
    pins: Sequence[Pin] = (),
    *,
    pause: Pause | None = None,
    wait_s: float | None = None,
) -> Reading[Answer]:
    """Do `work`, which reads and may be begun again, in one moment: at the standby where one is
    named and good, else at the primary. `systems`: whose blocks are compared, all unless some are
    named. `pins`: blocks that it must have, with the same hash. `wait_s`: else
    READ_WAIT_S."""
    if not read_standby.is_named():
        with snapshot():
            return Reading(work())
    try:
        keys = None if systems is None else list(systems)
        patience = _Patience(
            settings.READ_WAIT_S if wait_s is None else wait_s, pause or Event().wait
        )
        return Reading(_at_standby(work, keys, pins, patience), Source.STANDBY.value)
    except StandbyRefused as refused:
        log.warning("The database is read in place of the standby: %s", refused)
        why = refused.why
    with snapshot():
        return Reading(work(), Source.PRIMARY.value, why.value)


def standing() -> Lag:
    """How far the standby is behind the primary; StandbyRefused where no report is read there."""
    primary, standby = connections[DEFAULT_DB_ALIAS], read_standby.connection_to_it()
    heads = _by_block(_heads(primary, None))
    try:
        there = _place(standby)
        here = _place(primary)
        if why := refusal_of(here, there):
            raise StandbyRefused(why)
        _require_hashes(standby, heads, "the standby", whole=False)
        if (there.log or 0) > (here.log or 0):
            raise StandbyRefused(Refusal.DIVERGED, "its log is longer")
        return lag_of(here, there)
    except Error as fault:
        raise StandbyRefused(Refusal.SILENT, str(fault)) from fault
    finally:
        standby.close()


def _at_standby(
    work: Callable[[], Answer], systems: list[int] | None, pins: Sequence[Pin], patience: _Patience
) -> Answer:
    primary, standby = connections[DEFAULT_DB_ALIAS], read_standby.connection_to_it()
    here = _place(primary)
    expected = {**_by_block(pins), **_by_block(_heads(primary, systems))}
    try:
        try:
            _wait(standby, here, expected, patience)
        except Error as fault:
            raise StandbyRefused(Refusal.SILENT, str(fault)) from fault
        try:
            with read_standby.reading_from(standby), snapshot(read_only=True):
                _compare(primary, standby, expected, systems)
                return work()
        except Error as fault:
            raise StandbyRefused(Refusal.LOST, str(fault)) from fault
    finally:
        standby.close()


def _wait(standby: Any, here: Place, expected: _Hashes, patience: _Patience) -> None:
    """Until it shows all that the primary had at `here`. StandbyRefused where it cannot, or not
    in time."""
    until = time.monotonic() + patience.seconds
    while True:
        there = _place(standby)
        if why := refusal_of(here, there):
            raise StandbyRefused(why)
        if there.log is not None and here.log is not None and there.log >= here.log:
            return
        if time.monotonic() >= until:
            _require_hashes(standby, expected, "the standby", whole=False)
            raise StandbyRefused(Refusal.BEHIND, f"by {(here.log or 0) - (there.log or 0)} bytes")
        patience.pause(LOOK_EVERY_S)


def refusal_of(primary: Place, standby: Place) -> Refusal | None:
    """What is wrong with a server as a standby of the other one, however far it is behind."""
    if not standby.is_standby:
        return Refusal.NO_STANDBY
    return Refusal.STRANGE if standby.cluster != primary.cluster else None


def _compare(primary: Any, standby: Any, expected: _Hashes, systems: list[int] | None) -> None:
    """StandbyRefused where the moment that the standby shows is none of the primary's."""
    _require_hashes(standby, expected, "the standby")
    newest = _by_block(_heads(standby, systems))
    there = _place(standby).log or 0
    _require_hashes(primary, newest, "the database")
    if there > (_place(primary).log or 0):
        raise StandbyRefused(Refusal.DIVERGED, "its log is longer")


def _require_hashes(server: Any, blocks: _Hashes, name: str, *, whole: bool = True) -> None:
    """`whole`: none of these blocks may be missing."""
    with server.cursor() as cursor:
        cursor.execute(_HASHES, [[code for code, _n in blocks], [n for _code, n in blocks]])
        hashes = {(code, number): digest for code, number, digest in cursor.fetchall()}
    for (code, number), digest in blocks.items():
        other = hashes.get((code, number))
        if other != digest and (other or whole):
            difference = f"has hash {other[:16]} there" if other else "is not there"
            raise StandbyRefused(
                Refusal.DIVERGED,
                f"{name}: block {number} of {code}, hash {digest[:16]}, {difference}",
            )


def _by_block(pins: Iterable[Pin]) -> _Hashes:
    return {(each["system"], each["block"]): each["hash"] for each in pins}


def _heads(server: Any, systems: list[int] | None) -> list[Pin]:
    """Of all systems where none are named."""
    with server.cursor() as cursor:
        cursor.execute(_HEADS, {"all": systems is None, "systems": systems or []})
        rows = cursor.fetchall()
    return [{"system": code, "block": number, "hash": digest} for code, number, digest in rows]


def _place(server: Any) -> Place:
    with server.cursor() as cursor:
        cursor.execute(PLACE)
        return place_of(cursor.fetchone())
