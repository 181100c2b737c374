"""Sessions and rounds: what a round at a table adds to each tier (19.2, 19.3, 19.9, 19.10)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from verifier.fold.terms import Terms

PLAUSIBLE = 10**9  # minor units: more than any pot of one round comes to
KEPT = 100_000  # rounds in memory; older ones go to a temporary file

Added = tuple[str, str, str, int]  # tier, into, source account, micros


@dataclass(slots=True)
class Session:
    """What is played at a table."""

    game: str
    deck: int
    seats: int


@dataclass(slots=True)
class Round:
    """One round of one table. Terms and game are those at its first entry."""

    terms: int
    game: str | None = None
    deck: int | None = None
    dealt: int | None = None
    pot: int | None = None  # minor units
    is_started: bool = False
    is_completed: bool = False
    hit: int | None = None
    is_void: bool = False
    is_cancelled: bool = False
    is_missed: bool = False  # credited on a supervisor's word, before its own events came
    has_figures: bool = False  # with figures of the supervisor's
    by_operator: tuple[Added, ...] = ()  # credited for it so far
    by_players: tuple[Added, ...] = ()


class Rounds:
    """Every round that was ever played, the newest in memory."""

    def __init__(self) -> None:
        self._recent: dict[tuple[str, int], Round] = {}
        self._highest: dict[str, int] = {}
        self._file = sqlite3.connect("")  # a temporary file, gone with the connection
        self._file.execute(
            "CREATE TABLE round (place TEXT, number INTEGER, terms, game, deck, dealt, pot,"
            " is_started, is_completed, hit, is_void, is_cancelled, is_missed, has_figures,"
            " by_operator, by_players, PRIMARY KEY (place, number)) WITHOUT ROWID"
        )

    def find(self, table: str, number: int) -> Round | None:
        """The round, if anything was heard of it before."""
        found = self._recent.get((table, number))
        if found is None and number <= self._highest.get(table, 0):
            row = self._file.execute(
                "SELECT * FROM round WHERE place = ? AND number = ?", (table, number)
            ).fetchone()
            if row is not None:
                *plain, by_operator, by_players = row[2:]
                credited = (tuple(map(tuple, json.loads(t))) for t in (by_operator, by_players))
                found = self._recent[table, number] = Round(*plain, *credited)
        return found

    def begin(self, table: str, number: int, round_: Round) -> Round:
        """Something is heard of a round for the first time."""
        if len(self._recent) >= KEPT:
            self._put_away(KEPT // 2)
        self._recent[table, number] = round_
        self._highest[table] = max(number, self._highest.get(table, 0))
        return round_

    def _put_away(self, count: int) -> None:
        oldest = [key for key, _ in zip(self._recent, range(count), strict=False)]
        self._file.executemany(
            f"REPLACE INTO round VALUES (?, ?{', ?' * len(fields(Round))})",  # noqa: S608
            ((*key, *_plain(self._recent.pop(key))) for key in oldest),
        )


def _plain(round_: Round) -> list[Any]:
    values = [getattr(round_, field.name) for field in fields(Round)]
    return [*values[:-2], *map(json.dumps, values[-2:])]


def at_start(terms: Terms, dealt: int) -> Iterator[Added]:
    """The operator's set amount for a round with so many players (19.3, 19.9)."""
    for tier in terms.tiers:
        for part in tier.increments:
            if tier.code in terms.suspended:
                continue
            if part.source == "per_round" and dealt >= part.players_min:
                yield tier.code, part.into, "operator", part.amount


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a completed round in micros; None where nobody gave one."""

    pot: int | None
    called: int | None  # the pot less what nobody called (8.5)
    uncalled: int
    commission: int | None
    drop: int | None


def figures(event: dict[str, Any], unit: int) -> tuple[Figures, list[str]]:
    """What the dealer typed; what no round can come to is left out and flagged. `unit`: micros
    of a minor unit."""
    flags, said = [], {}
    for name, field in (
        ("pot", "pot"),
        ("uncalled", "uncalled"),
        ("commission", "commission"),
        ("drop", "jackpot_drop"),
    ):
        amount = event.get(field)
        if amount is not None and amount > PLAUSIBLE:
            flags.append(f"{name}_implausible")
        elif amount is not None:
            said[name] = amount * unit
    pot, uncalled = said.get("pot"), said.get("uncalled", 0)
    called = None if pot is None else max(0, pot - uncalled)
    return Figures(pot, called, uncalled, said.get("commission"), said.get("drop")), flags


def at_completion(terms: Terms, said: Figures) -> tuple[list[Added], set[str]]:
    """Player money as it was taken (19.2, 19.10), and flags for what is missing or odd."""
    bases = {"pot": said.called, "commission": said.commission, "drop": said.drop}
    added: list[Added] = []
    flags: set[str] = set()
    for tier in terms.tiers:
        for part in tier.increments:
            if part.source == "per_round":
                continue
            if tier.code in terms.suspended and part.source != "drop":
                continue  # chips that were taken are its all the same
            base = bases[part.source]
            if base is None:
                flags.add(f"{part.source}_missing")
                continue
            amount = base * part.basis_points // 10_000
            if part.cap is not None:
                amount = min(amount, part.cap)
            added.append((tier.code, part.into, part.source, amount))
    return added, flags


def odd(terms: Terms, said: Figures, event: dict[str, Any]) -> set[str]:
    """Figures that contradict the posted terms or rule 8."""
    flags = set()
    if said.pot is not None and said.uncalled > said.pot:
        flags.add("uncalled_above_pot")
    if said.drop and not terms.steps:
        flags.add("drop_not_posted")
    if terms.steps and said.drop is not None and said.called is not None:
        posted = max((take for pot, take in terms.steps if said.called >= pot), default=0)
        if said.drop != posted:
            flags.add("drop_variance")
    if said.commission and event.get("blinds_only"):
        flags.add("commission_on_blinds_only")  # 8.6
    if said.commission and event.get("tied_alone"):
        flags.add("commission_on_tie")  # 8.8
    return flags
