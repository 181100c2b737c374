"""The posted terms of a jackpot as data: what the engine executes is what the notice says.

One document describes a jackpot with all its tiers; it is versioned, and a version takes
effect by an entry of the order. Amounts are micros.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from jackpot import fed_by
from jackpot.awards import Role, check, notice_lines, percent
from jackpot.commission import PostedCommission, is_of_rounds
from jackpot.commission import notice as commission_notice
from jackpot.evidence import BY_DEFAULT, Thing
from jackpot.fed_by import FedBy
from jackpot.money import BASIS_POINTS, format_exact
from rules.bad_beat import BadBeat
from rules.commission import CommissionError, DropSteps
from rules.conditions import refuses_19_16
from rules.games import JACKPOT_GAMES
from rules.high_hand import HighHand
from rules.terms import Qualifying, TermsError
from rules.tiers import read_terms
from rules.wording import listed
from tables.messages import Code

Micros = Annotated[int, Meta(ge=0, le=10**16)]  # ten thousand million units
SignedMicros = Annotated[int, Meta(ge=-(10**16), le=10**16)]
BasisPoints = Annotated[int, Meta(ge=0, le=BASIS_POINTS)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Into = Literal["pool", "reserve"]
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
        asked = self.qualifies() if self.qualifying.get("kind") == "high_hand" else None
        return asked if isinstance(asked, HighHand) else None


class JackpotTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The posted terms of one jackpot (19.4, 19.5, 19.6)."""

    code: Code
    name: Name
    funding: Literal["operator", "players"]
    games: tuple[str, ...]
    tables: tuple[str, ...] | None = None  # None: every table of the system
    drop_steps: tuple[DropStep, ...] = ()
    commission: PostedCommission | None = None  # None: posted apart, and not looked at
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
    # How the jackpot stands. Decisions of their own make such a version (`jackpot.decisions.life`).
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


def parse(document: dict[str, Any]) -> JackpotTerms:
    """Terms from their JSON form, checked as a whole. TermsError says what to mend."""
    try:
        terms = msgspec.convert(document, JackpotTerms)
    except msgspec.ValidationError as error:
        raise TermsError(f"The terms cannot be read: {error}.") from error
    ineligible = sorted({*terms.games} - {*JACKPOT_GAMES})
    if ineligible or not terms.games:
        raise TermsError(
            f"A jackpot is for {', '.join(JACKPOT_GAMES)} (19.7(a)),"
            f" not for {', '.join(ineligible) or 'no game'}."
        )
    codes = [tier.code for tier in terms.tiers]
    if (not codes and not terms.closed) or len(set(codes)) != len(codes):
        raise TermsError("A jackpot needs at least one tier, and each tier its own code.")
    if len({tier.rank for tier in terms.tiers}) != len(codes):
        raise TermsError("Two tiers have the same rank: say which is the higher prize.")
    for tier in terms.tiers:
        check(tier)
        if tier.limit is not None and tier.limit < tier.reset:
            raise TermsError(f"The limit of {tier.name} is below its reset amount.")
        strange = sorted({*tier.qualifies().games} - {*terms.games})
        if strange:
            raise TermsError(f"{tier.name} names the game {strange[0]}, the jackpot does not.")
    _check_takings(terms)
    fed_by.check(terms)
    funded = {"operator" if isinstance(part, PerRound) else "players" for part in _parts(terms)}
    if terms.funding == "operator" and "players" in funded:
        raise TermsError("A jackpot that takes player money must be marked player-funded (19.2).")
    return terms


def _check_takings(terms: JackpotTerms) -> None:
    """Refuse a drop or a commission that cannot be taken, or shared."""
    shares = [part.basis_points for part in _parts(terms) if isinstance(part, FromDrop)]
    if shares and sum(shares) != BASIS_POINTS:
        raise TermsError("The tiers' shares of the jackpot drop must come to 100%.")
    if shares and not terms.drop_steps:
        raise TermsError("A jackpot funded by a drop needs its posted steps of the pot.")
    try:
        _ = terms.drop
    except CommissionError as error:
        raise TermsError(f"The drop: {error}") from error
    is_part = any(part.source == "commission" for part in _parts(terms))
    if is_part and not is_of_rounds(terms.commission):
        raise TermsError(
            "No commission is taken of a round by what is posted (8.2(c), 8.4): no prize can have a"
            " part of it."
        )


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
    return {name: said for name, said in document.items() if said or name not in STANDING}


def tiers_at(terms: Iterable[JackpotTerms], table: str) -> list[TierTerms]:
    """The prizes that a hand at this table may be for, the highest first."""
    found = [tier for jackpot in terms if jackpot.is_at(table) for tier in jackpot.tiers]
    return sorted(found, key=lambda tier: (tier.rank, tier.code))


def notices(
    terms: JackpotTerms, digits: int, currency: str, unclaimed_days: int | None = None
) -> list[str]:
    """The notice to be displayed at each table (19.4, 19.5), generated from the terms.

    `unclaimed_days`: after how many days a prize that nobody takes is booked as unclaimed.
    """

    def money(micros: int) -> str:
        return f"{currency} {format_exact(micros, digits)}"

    if not terms.tiers:
        return []  # it was closed
    lines = [_funded(terms)]
    for tier in sorted(terms.tiers, key=lambda tier: tier.rank):
        if tier.code in terms.suspended:
            lines.append(f"{tier.name} is not in play at present.")
        lines.append(f"{tier.name}: {tier.qualifies().notice(digits)}")
        if refuses_19_16(tier.qualifies()):
            lines.append(f"{tier.name}: {REFUSES_19_16}")
        lines.extend(notice_lines(tier, money))
        lines.extend(f"{tier.name}: {grows(part, money)}" for part in tier.increments)
        if tier.limit is not None:
            lines.append(
                f"{tier.name}: contributions stop at {money(tier.limit)}; what is taken above"
                " is kept for the next prize."
            )
    lines += [*_dropped(terms, money), *fed_by.notice_lines(terms)]
    if terms.dark_minutes is not None:
        minutes = "a minute" if terms.dark_minutes == 1 else f"{terms.dark_minutes} minutes"
        lines.append(
            f"While the display of a table has been dark for {minutes} or more, rounds that begin"
            " there do not take part until the table is resumed; rounds in play finish as they"
            " began, and no hand is void."
        )
    if terms.presses_a_minute is not None:
        times = "once" if terms.presses_a_minute == 1 else f"{terms.presses_a_minute} times"
        lines.append(
            f"If the button of a table is pressed more than {times} within a minute, what the"
            " further rounds add is held until a supervisor has decided whether they were played;"
            " no hand is held."
        )
    if any(tier.high_hand() for tier in terms.tiers):
        lines.append(
            "Periods are counted from the start of the gaming day; the last of a day ends with it."
            " A hand belongs to the period in which the console records it. Money that nobody wins"
            " stays in the pool for the next period."
        )
    lines += _identified(terms, money)
    return lines + _paid(terms, unclaimed_days) + _in_general(terms)


def _dropped(terms: JackpotTerms, money: Callable[[int], str]) -> list[str]:
    """The posted commission (8.1), and steps of the drop (19.2)."""
    taken = [
        f"{money(step.take)} from a pot of {money(step.pot_from)}" for step in terms.drop_steps
    ]
    lines = [] if terms.commission is None else [commission_notice(terms.commission, money)]
    return lines + ([f"Taken from the pot for the jackpot: {', '.join(taken)}."] if taken else [])


def _identified(terms: JackpotTerms, money: Callable[[int], str]) -> list[str]:
    """What players must show; the rest of the evidence is the house's own."""
    above = terms.evidence.get("identity")
    if above is None:
        return []
    which = f"Winners of more than {money(above)}" if above else "Winners"
    return [f"{which} show a document with a photograph."]


REFUSES_19_16 = (
    "a player who asks for the flop after all others have folded does not win this prize, although"
    " rule 19.16 lets the hand be tabled."
)
_FROM = {"per_round": "the operator", "pot": "pots", "commission": "the commission"}


def _funded(terms: JackpotTerms) -> str:
    """Whose money it is, by source (19.2)."""
    if terms.funding == "operator":
        return "Funded by the operator alone."
    tags = {str(type(part).__struct_config__.tag) for part in _parts(terms)}
    sources = [words for tag, words in _FROM.items() if tag in tags]
    sources += ["chips taken for the jackpot"] if "drop" in tags else []
    named = f" from {listed(sources)}" if sources else ""
    return (
        f"Funded{named}. What players put in is kept for prizes; the operator is its custodian, and"
        " gives what prizes and new starts need beyond it."
    )


def _paid(terms: JackpotTerms, unclaimed_days: int | None) -> list[str]:
    """What counts, how it is divided, and what becomes of what nobody takes (19.13, 19.14)."""
    shares = any(len(tier.plan or {}) > 1 for tier in terms.tiers)
    table = any("table" in (tier.plan or {}) for tier in terms.tiers)
    odd = (
        "Equal hands share in whole payable units; what is left over goes to the hand with the"
        " highest card by suit: spades, hearts, diamonds, clubs."
    )
    if shares and table:
        odd += " Of a table share one odd unit each goes clockwise from the button."
    when = "the posted time" if unclaimed_days is None else f"{unclaimed_days} days"
    return [
        "What counts is the larger of the prize's value when the hand is recorded and what the"
        " display last showed before it, rounded up; the operator pays the difference. A display"
        " that still shows the value from before an earlier hand of that prize does not count for"
        " the later one.",
        odd,
        f"A prize that nobody takes within {when} of its confirmation is booked as unclaimed and is"
        " still paid on demand, until two people declare it forfeited; it then goes back to the"
        " prize pool.",
        "Games that are not named win nothing. Where no deck is named, the deck of 52 cards is"
        " played with.",
    ]


def _in_general(terms: JackpotTerms) -> list[str]:
    """What is posted of every jackpot."""
    return [
        "Outcomes count in the order in which dealers record them. If an earlier claim is"
        " rejected its amount passes to the next valid claim. Where the clocks of the tables speak"
        " for another order of two hands, neither is paid until a casino manager and compliance"
        " have looked into it; the order in which they were recorded stands.",
        "A round's contribution feeds the pool when it is recorded: one taken at the completion"
        " of the round comes after a hand of that round and feeds the new pool.",
        "With two or more boards only the first counts; a hand that qualifies for several prizes"
        f" of this jackpot wins {HAND_WINS[terms.hand_wins]}.",
    ]


HAND_WINS: dict[HandWins, str] = {"highest": "the highest only", "each": "each of them"}


def _parts(terms: JackpotTerms) -> list[Increment]:
    return [part for tier in terms.tiers for part in tier.increments]


def grows(part: Increment, money: Callable[[int], str]) -> str:
    """What a round adds, as it is posted (19.4); `money` writes an amount of micros."""
    where = "" if part.into == "pool" else " into the reserve for the next prize"
    if isinstance(part, PerRound):
        players = f" with at least {part.players_min} players dealt in" if part.players_min else ""
        return f"the operator adds {money(part.amount)} for each round{players}{where}."
    if isinstance(part, FromDrop):
        return f"{percent(part.basis_points)} of the jackpot drop is added{where}."
    of = "called pot" if isinstance(part, FromPot) else "commission"
    cap = f", at most {money(part.cap)} a round" if part.cap is not None else ""
    return f"{percent(part.basis_points)} of the {of} is added{cap}{where}."
