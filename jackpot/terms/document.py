"""The document of a jackpot's terms as typed values: the jackpot, its tiers, what they take.

`jackpot.terms.posted_terms` reads and checks it, and writes the notice of it. Amounts are micros.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from jackpot.terms.commission import PostedCommission
from jackpot.terms.money import BASIS_POINTS
from jackpot.terms.required_evidence import BY_DEFAULT, Thing
from rules.bad_beat import BadBeat
from rules.commission import DropSteps
from rules.high_hand import HighHand
from rules.terms import Qualifying
from rules.tiers import read_terms
from tables.protocol.messages import Code

Micros = Annotated[int, Meta(ge=0, le=10**16)]  # ten thousand million units
SignedMicros = Annotated[int, Meta(ge=-(10**16), le=10**16)]
BasisPoints = Annotated[int, Meta(ge=0, le=BASIS_POINTS)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Into = Literal["pool", "reserve"]
Role = Literal["loser", "winner", "table"]
Stakes = Annotated[str, Meta(min_length=1, max_length=200)]  # as the session of a table says them
HandWins = Literal["highest", "each"]
MOST_PRESSES = 60  # that a limit for a minute may allow


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    into: Into = "pool"


class PerRound(_Part, frozen=True, kw_only=True, tag="per_round", tag_field="source"):
    """The operator's fixed amount for each round pressed (19.3, 19.9)."""

    source: ClassVar[Literal["per_round"]] = "per_round"
    amount: Micros
    players_min: Annotated[int, Meta(ge=0, le=23)] = 0


class FromPot(_Part, frozen=True, kw_only=True, tag="pot", tag_field="source"):
    """Basis points of the called pot (19.2, 19.10; called pot: 8.5)."""

    source: ClassVar[Literal["pot"]] = "pot"
    basis_points: BasisPoints
    cap: Micros | None = None


class FromCommission(_Part, frozen=True, kw_only=True, tag="commission", tag_field="source"):
    """Basis points of the commission taken (19.2, 19.10)."""

    source: ClassVar[Literal["commission"]] = "commission"
    basis_points: BasisPoints
    cap: Micros | None = None


class FromDrop(_Part, frozen=True, kw_only=True, tag="drop", tag_field="source"):
    """Basis points of the chips taken for the jackpot (19.2, 19.10)."""

    source: ClassVar[Literal["drop"]] = "drop"
    basis_points: BasisPoints


Increment = PerRound | FromPot | FromCommission | FromDrop


class DropStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From this pot on, this much is taken for the jackpot ("1 from 20, 2 from 50")."""

    pot_from: Micros
    take: Micros


class FedBy(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What is posted of the rounds that feed a tier.

    `games` and `decks` stand in place of those that the tier is won with; None: those.
    """

    games: tuple[str, ...] | None = None
    decks: tuple[int, ...] | None = None
    stakes: tuple[Stakes, ...] | None = None  # None: any
    players_min: Annotated[int, Meta(ge=0, le=23)] = 0
    # Of what players put in: a flop was dealt. Who does not say so is taken to have dealt one.
    flop_dealt: bool = False


class TierTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """One prize step: how its pool grows, what wins it, what is paid."""

    code: Code
    name: Name
    # 1 is the highest prize: it wins when a hand qualifies for several.
    rank: Annotated[int, Meta(ge=1, le=1000)]
    reset: Micros
    payable_unit: Annotated[int, Meta(ge=1, le=10**12)]
    share: BasisPoints = BASIS_POINTS
    prize: Micros | None = None  # a fixed amount instead of a share of the pool
    plan: dict[Role, BasisPoints] | None = None  # who gets which part; None: the winning hand all
    folded_share: bool = True  # whether players who folded have part in the table share
    limit: Micros | None = None  # contributions stop here; what is above goes to the overflow
    increments: tuple[Increment, ...]
    fed_by: FedBy | None = None  # None: by rounds whose game and deck can win it
    qualifying: dict[str, Any]

    def qualifies(self) -> Qualifying | BadBeat | HighHand:
        """What the tier asks of a hand, a beaten one, or the best of a period (19.5)."""
        return self._qualifying

    @cached_property
    def _qualifying(self) -> Qualifying | BadBeat | HighHand:
        return read_terms(self.qualifying)

    def high_hand(self) -> HighHand | None:
        """What is asked of the best hand of a period; None where the tier is no high hand."""
        qualifying = self.qualifies() if self.qualifying.get("kind") == "high_hand" else None
        return qualifying if isinstance(qualifying, HighHand) else None


class JackpotTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The posted terms of one jackpot (19.4, 19.5, 19.6)."""

    code: Code
    name: Name
    funding: Literal["operator", "players"]
    games: tuple[str, ...]
    tables: tuple[str, ...] | None = None  # None: every table of the system
    drop_steps: tuple[DropStep, ...] = ()
    commission: PostedCommission | None = None  # None: posted elsewhere, and not looked at
    tiers: tuple[TierTerms, ...]
    hand_wins: HandWins = "highest"  # of several prizes that one hand qualifies for
    # After so many minutes without a reading of its display a table is suspended (19.7); None: a
    # person does it.
    dark_minutes: Annotated[int, Meta(ge=1, le=1440)] | None = None
    # More presses than that within a minute at a table are held for a supervisor; None: never.
    presses_a_minute: Annotated[int, Meta(ge=1, le=MOST_PRESSES)] | None = None
    # What a claim must show before it is verified: each thing, above which amount. What is not
    # named is never asked for. A document without a word on it is read with the usual list, and
    # written with it.
    evidence: dict[Thing, Micros] = msgspec.field(default_factory=lambda: {**BY_DEFAULT})
    # How the jackpot stands. Decisions of their own make such a version
    # (`jackpot.domain.command_handlers.lifecycle`).
    suspended: tuple[str, ...] = ()  # tiers
    suspended_tables: tuple[str, ...] = ()
    closed: dict[str, str] = {}  # tiers that were closed: the account that their pools went to
    moved: dict[str, str] = {}  # tables that left the system: where to, as `system/table`

    def takes_part(self, table: str, game: str | None) -> bool:
        """Whether a round at this table with this game feeds the jackpot (19.3)."""
        return game in self.games and table not in self.suspended_tables and self.is_at(table)

    def is_at(self, table: str) -> bool:
        """Whether it is a jackpot of that table, whatever stands in the way just now."""
        is_named = self.tables is None or table in self.tables
        return bool(self.tiers) and table not in self.moved and is_named

    @property
    def drop(self) -> DropSteps:
        """What is taken from a pot for the jackpot."""
        return DropSteps(tuple((step.pot_from, step.take) for step in self.drop_steps))

    def is_lost_to(self, table: str, silence: dt.timedelta) -> bool:
        """Whether a display that was dark for so long suspends its table, which takes part."""
        if self.dark_minutes is None or table in self.suspended_tables or not self.is_at(table):
            return False
        return silence >= dt.timedelta(minutes=self.dark_minutes)

    def holds(self, pace: int | None) -> bool:
        """Whether a round pressed as the `pace`-th within its minute is held for a supervisor."""
        return self.presses_a_minute is not None and (pace or 0) > self.presses_a_minute

    def is_suspended(self, table: str, tier: str | None) -> bool:
        """Whether the table, or the tier, is not in play at present."""
        return table in self.suspended_tables or tier in self.suspended


STANDING = ("suspended", "suspended_tables", "closed", "moved")


def to_json(terms: JackpotTerms) -> dict[str, Any]:
    """The JSON form that `parse` reads; what is asked for as evidence is always written out."""
    document: dict[str, Any] = msgspec.to_builtins(terms)
    if terms.hand_wins == "highest":
        del document["hand_wins"]
    for name in ("dark_minutes", "presses_a_minute", "commission"):
        if document[name] is None:
            del document[name]
    for tier in document["tiers"]:
        if tier["folded_share"]:
            del tier["folded_share"]
        if tier["fed_by"] is None:
            del tier["fed_by"]
    # Documents from before these were known stay as they are.
    return {name: term for name, term in document.items() if term or name not in STANDING}


def tiers_at(terms: Iterable[JackpotTerms], table: str) -> list[TierTerms]:
    """The prizes that a hand at this table may be for, the highest first."""
    tiers = [tier for jackpot in terms if jackpot.is_at(table) for tier in jackpot.tiers]
    return sorted(tiers, key=lambda tier: (tier.rank, tier.code))
