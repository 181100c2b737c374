"""The books of one system in memory while a batch of entries is folded. No I/O, no clock.

The poster loads them, `fold` moves them, the poster writes what changed.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Any

import msgspec

from jackpot.domain.state.feeding import Feeding
from jackpot.domain.state.hits import ContributionTotals, Limit, PlacedHit, Step, TierBalances
from jackpot.domain.state.played_rounds import Round as Round
from jackpot.hits.columns import HandClock
from jackpot.hits.states import OUT, HitState
from jackpot.terms.contributions import TO_RETURN
from jackpot.terms.document import JackpotTerms, TierTerms, tiers_at
from jackpot.terms.press_rate import Presses

SOURCES = ("operator", "pot", "commission", "drop", "rounding")
SYSTEM_ACCOUNTS = (
    *SOURCES,
    "payable",
    "paid_chips",
    "paid_cash",
    "paid_equivalent",
    "adjustments",
    "unclaimed",
    TO_RETURN,
)
# Opened by the first payment of a system that withholds.
TAX_ACCOUNTS = (WITHHELD_TAX, REMITTED_TAX) = ("withheld_tax", "remitted_tax")
TIER_ACCOUNTS = ("pool", "reserve", "overflow", "held")


def tier_account(tier: str, kind: str) -> str:
    """The code of a tier's account, for instance `royal:pool`."""
    return f"{tier}:{kind}"


class BooksError(Exception):
    """A fault in the fold itself: the system halts before the entry that met it."""


class Transfer(msgspec.Struct, frozen=True, array_like=True, tag_field="line", tag="transfer"):
    """One amount from a debit account to a credit account; both balances after it.

    The fields stand in the order in which they are hashed (`jackpot.domain.state.blocks`).
    """

    number: int
    entry: int
    debit: str
    credit: str
    amount: int
    debit_after: int
    credit_after: int
    reason: str
    hit: int | None


@dataclass(slots=True)
class Hit:
    """A hand that was called or reported: its place, what it holds and where it stands.

    `tier` is None while nobody can say which prize the hand is for; `round` is below zero while
    nobody can say in which round it was (`jackpot.domain.play.pairing`). `fed` are the counters of
    every tier at its place, so that it can act there later.
    """

    number: int
    place: int
    table: str
    round: int
    terms: int  # the number of its round
    fed: dict[str, ContributionTotals]
    values: dict[str, int]  # every tier's value at the time for settlement (19.8)
    shown: dict[str, int]  # what the displays showed by their last message (19.14(a))
    shown_seq: int | None
    tier: str | None = None
    state: HitState = HitState.HELD
    held: int = 0  # what it comes to, paid or not
    confirmed: int = 0  # the part of it that two people have confirmed
    before: TierBalances | None = None
    report: dict[str, Any] | None = None
    report_entry: int | None = None
    # What the unit or a supervisor reported since it was decided: `entry` and `report`.
    corrected: dict[str, Any] | None = None
    moved_to: int | None = None  # where it acts instead of at its place (see `rebalance`)
    moved_fed: dict[str, ContributionTotals] | None = None
    strength: list[int] | None = None  # of a candidate for a high hand: see `high_hands`
    closing: int | None = None  # the entry that closed its period: it acts there
    called_seats: list[int] = field(default_factory=list)
    payees: list[dict[str, Any]] = field(default_factory=list)  # lines: see `jackpot.hits.payees`
    stops: list[dict[str, Any]] = field(
        default_factory=list
    )  # see `jackpot.domain.command_handlers.stops`
    pairing: dict[str, Any] = field(default_factory=dict)  # see `jackpot.domain.play.pairing`
    clock: HandClock | None = None

    @property
    def newest_report(self) -> tuple[int | None, dict[str, Any] | None]:
        """The last report of the hand that anybody gave, and its entry."""
        if self.corrected is not None:
            return self.corrected["entry"], self.corrected["report"]
        return self.report_entry, self.report

    @property
    def least(self) -> int:
        """What it holds at least: what was confirmed; of one that was reversed, all of it."""
        return self.held if self.state == HitState.REVERSED else self.confirmed

    @property
    def is_entered(self) -> bool:
        """Whether the hand was entered on the console."""
        return "who" in self.pairing

    @property
    def is_required(self) -> bool:
        """Whether somebody has to say if this is a hand that was entered on the console."""
        is_held = self.state == HitState.HELD
        return is_held and "same" in self.pairing and bool(self.pairing["waits"])

    @property
    def acts_at(self) -> int:
        """The place at which the hit acts on its tier."""
        if self.closing is not None:
            return self.closing
        return self.place if self.moved_to is None else self.moved_to

    def acts_on(self, tier: str) -> int:
        """The place at which it acts on that tier, or would if it turned out to be for it.

        A candidate for a high hand that is for another prize acts at its own place.
        """
        return self.acts_at if self.strength is None or self.tier == tier else self.place

    def act_at(self, seq: int, fed: dict[str, ContributionTotals]) -> None:
        """Let the hit act there instead of at its place; `fed`: the counters there."""
        self.moved_to = seq
        self.moved_fed = dict(fed)

    def fed_of(self, tier: str) -> ContributionTotals:
        """The tier's counters where the hit acts."""
        fed = self.fed if self.moved_fed is None else self.moved_fed
        return fed.get(tier, ContributionTotals())

    def placed_hit(self, terms: TierTerms) -> PlacedHit:
        """This hit in the replay of its tier, or of one that it may turn out to be for."""
        place = self.acts_on(terms.code)
        return PlacedHit(
            self.number,
            place,
            self.fed_of(terms.code),
            terms.reset,
            terms.payable_unit,
            terms.share,
            # What a display showed at the first place is no value of another place.
            self.shown.get(terms.code, 0) if place == self.place else 0,
            self.shown_seq or 0,
            terms.prize,
            least=self.least,
        )


@dataclass(slots=True)
class Books:
    """State of one system. `dirty_*` name what the batch changed."""

    system: str
    digits: int  # decimals of the currency
    seq: int
    transfer_number: int
    hit_number: int
    terms_number: int
    balances: dict[str, int]
    fed: dict[str, ContributionTotals]  # of each open tier
    terms: dict[int, JackpotTerms]  # by number
    sessions: dict[str, dict[str, Any] | None]
    rounds: dict[tuple[str, int], Round]
    hits: dict[int, Hit]
    displayed: dict[str, int]  # the last display message: micros by tier
    displayed_seq: int | None
    anchors: dict[str, int] = field(default_factory=dict)  # a tier's replay starts behind it
    # What a tier's replay meets besides hits, from the last limit before its anchor on.
    steps: dict[str, list[Step]] = field(default_factory=dict)
    limits: dict[str, int | None] = field(default_factory=dict)  # in force now
    # Tiers that conduct a high hand: when the present period of each began.
    periods: dict[str, dt.datetime] = field(default_factory=dict)
    rolled: dict[str, int] = field(default_factory=dict)  # of these: see `hits.TierBalances`
    # Of each table: boot and seq of the event that its session stands on.
    session_at: dict[str, tuple[int, int]] = field(default_factory=dict)
    presses: dict[str, Presses] = field(default_factory=dict)  # of tables whose pace is limited
    new_steps: list[tuple[str, Step]] = field(default_factory=list)
    day_closed: str = ""  # the last gaming day and month that people closed
    month_closed: str = ""
    closed: dict[str, str] = field(init=False)  # tiers: the account that their pools went to
    moved: dict[str, str] = field(init=False)  # tables that left the system: where to
    feeding: Feeding = field(init=False)
    transfers: list[Transfer] = field(default_factory=list)
    dirty_sessions: set[str] = field(default_factory=set)
    dirty_rounds: set[tuple[str, int]] = field(default_factory=set)
    dirty_hits: set[int] = field(default_factory=set)
    # By this entry: hits that joined the replay of their tier, or whose clock became known.
    joined: set[int] = field(default_factory=set)
    # Hands, by their first claim, on whose report the rules failed within this entry: now, and
    # when it was recorded (`jackpot.domain.state.verdicts`).
    unjudged: set[int] = field(default_factory=set)
    without_verdict: frozenset[int] = frozenset()
    _terms_at: dict[int, list[JackpotTerms]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """What the terms in effect say of tiers that were closed, and of tables that left."""
        self.feeding = Feeding(self.terms_at)
        self.closed, self.moved = {}, {}
        for terms in self.terms_at(self.terms_number):
            self.closed |= terms.closed
            self.moved |= terms.moved

    def move(
        self, entry: int, debit: str, credit: str, amount: int, reason: str, hit: int | None = None
    ) -> None:
        """Transfer `amount` micros; only sources may go below zero."""
        if amount == 0:
            return
        debit_after = self.balances[debit] - amount
        if amount < 0 or (debit_after < 0 and debit not in SOURCES):
            raise BooksError(
                f"{debit} cannot give {amount} micros: it holds {debit_after + amount}"
            )
        credit_after = self.balances[credit] + amount
        self.balances[debit], self.balances[credit] = debit_after, credit_after
        self.transfer_number += 1
        self.transfers.append(
            Transfer(
                self.transfer_number,
                entry,
                debit,
                credit,
                amount,
                debit_after,
                credit_after,
                reason,
                hit,
            )
        )

    def open_tax_accounts(self) -> None:
        """Before the first tax is withheld; a system that withholds none has no such accounts."""
        for account in TAX_ACCOUNTS:
            self.balances.setdefault(account, 0)

    def held_tax(self, account: str) -> int:
        """What an account of TAX_ACCOUNTS holds, in micros."""
        return self.balances.get(account, 0)

    def balances_of(self, tier: str) -> TierBalances:
        """The present balances of a tier that a hit draws on."""
        kinds = TIER_ACCOUNTS[:3]
        pool, reserve, overflow = (self.balances[tier_account(tier, kind)] for kind in kinds)
        return TierBalances(pool, reserve, overflow, self.rolled.get(tier, 0))

    def value(self, tier: str) -> int:
        """What the tier is worth now, as displays show it: its pool, or its fixed prize with
        those that rolled over."""
        tiers = (
            tier_terms for terms in self.terms_at(self.terms_number) for tier_terms in terms.tiers
        )
        posted = next((tier_terms for tier_terms in tiers if tier_terms.code == tier), None)
        if posted is not None and posted.prize is not None:
            return posted.prize + self.rolled.get(tier, 0)
        return self.balances[tier_account(tier, "pool")]

    def contribute(
        self,
        entry: int,
        source: str,
        tier: str,
        into: str,
        amount: int,
        reason: str = "contribution",
    ) -> None:
        """Add to a tier's pool or reserve; what is above the pool's limit is its overflow.

        What comes late for a tier that was closed follows its pools. TO_RETURN is no tier.
        """
        if tier == TO_RETURN:
            self.move(entry, source, TO_RETURN, amount, reason)
            return
        if tier in self.closed:
            pool = self.pool_of(tier)
            if ":" not in pool:
                if pool != source:
                    self.move(entry, source, pool, amount, reason)
                return
            tier = pool.partition(":")[0]
        account, above = tier_account(tier, into), 0
        limit = self.limits.get(tier) if into == "pool" else None
        if limit is not None:
            above = amount - min(amount, max(0, limit - self.balances[account]))
            self.move(entry, source, tier_account(tier, "overflow"), above, reason)
        self.move(entry, source, account, amount - above, reason)
        self.feed(tier, into, amount)

    def feed(self, tier: str, into: str, amount: int) -> None:
        """Count what was added to a tier's account other than by a hit."""
        fed = self.fed[tier]
        self.fed[tier] = ContributionTotals(
            fed.pool + (amount if into == "pool" else 0),
            fed.reserve + (amount if into == "reserve" else 0),
            fed.overflow + (amount if into == "overflow" else 0),
        )

    def add_step(self, tier: str, step: Step) -> None:
        """Keep what the tier's replay meets here besides hits."""
        self.steps.setdefault(tier, []).append(step)
        self.new_steps.append((tier, step))
        if isinstance(step, Limit):
            self.limits[tier] = step.limit

    def limit_at(self, tier: str, place: int) -> int | None:
        """The limit of the tier's pool before that place."""
        limit = None
        for step in self.steps.get(tier, []):
            if isinstance(step, Limit) and step.place < place:
                limit = step.limit
        return limit

    def pool_of(self, tier: str) -> str:
        """The account of a tier's pool; of one that was closed, that to which its pools went."""
        account = tier_account(tier, "pool")
        while ":" in account and (tier := account.partition(":")[0]) in self.closed:
            account = self.closed[tier]
        return account

    def open_tier(self, tier: str) -> None:
        """Give a new tier its accounts and counters."""
        self.fed[tier] = ContributionTotals()
        for kind in TIER_ACCOUNTS:
            self.balances[tier_account(tier, kind)] = 0

    def terms_at(self, number: int) -> list[JackpotTerms]:
        """Every jackpot's terms as they stood when that number was the newest."""
        if number not in self._terms_at:
            newest = {terms.code: terms for n, terms in sorted(self.terms.items()) if n <= number}
            self._terms_at[number] = list(newest.values())
        return self._terms_at[number]

    def tier_terms(self, tier: str, number: int) -> TierTerms:
        """A tier's terms as they stood at that number."""
        for terms in self.terms_at(number):
            for tier_terms in terms.tiers:
                if tier_terms.code == tier:
                    return tier_terms
        raise BooksError(f"tier {tier} has no terms at {number}")

    def prizes_for(self, hit: Hit) -> list[TierTerms]:
        """The prizes that the hand may be for, the highest first."""
        tiers = tiers_at(self.terms_at(hit.terms), hit.table)
        return [tier for tier in tiers if tier.code in self.fed and tier.code not in self.closed]

    def hand_of(self, hit: Hit) -> list[Hit]:
        """All claims of the hit's hand, each for another prize, the first that was opened first."""
        key = (hit.table, hit.round)
        claims = (other for other in self.hits.values() if (other.table, other.round) == key)
        return sorted(claims, key=lambda other: other.number)

    def hits_of(self, tier: str) -> list[Hit]:
        """The tier's hits that stand, behind its anchor, in the order of their places."""
        anchor = self.anchors.get(tier, 0)
        hits = (
            hit
            for hit in self.hits.values()
            if hit.tier == tier
            and hit.state not in OUT
            and hit.acts_at > anchor
            and (hit.strength is None or hit.closing is not None)  # its period has ended
        )
        return sorted(hits, key=lambda hit: (hit.acts_at, hit.number))
