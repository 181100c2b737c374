"""Where the fold stands: terms, sessions, rounds, pools, hits and what every account holds."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace

from verifier.fold.books.pools import OUT, Adjustment, Pool
from verifier.fold.books.round_starts import Start, start_of
from verifier.fold.books.rounds import TO_RETURN, Dealing, Round, Rounds, Session
from verifier.fold.books.tier_balance import Contradiction, Hit, TierBalance
from verifier.fold.terms.press_rate import Button
from verifier.fold.terms.terms import Terms, Tier


@dataclass
class State:
    """The books of one system by the plain fold; `unit`: micros of a minor unit."""

    unit: int
    system: str = ""
    balances: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    # By account: what this entry moved.
    moved: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    # By tier: what the operator gave to fixed prizes, in all.
    lent: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    # Likewise, what it covered of what had been confirmed.
    covered: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    terms: list[Terms] = field(default_factory=list)  # version n stands at n - 1
    sessions: dict[str, Session | None] = field(default_factory=dict)
    session_at: dict[str, tuple[int, int]] = field(default_factory=dict)  # boot, seq
    left: dict[str, str] = field(default_factory=dict)  # tables that moved: `system/table`
    buttons: dict[str, Button] = field(default_factory=lambda: defaultdict(Button))
    rounds: Rounds = field(default_factory=Rounds)
    pools: dict[str, Pool] = field(default_factory=dict)
    hits: dict[int, Hit] = field(default_factory=dict)
    open: dict[int, Hit] = field(default_factory=dict)  # hits that nobody decided
    # Hits whose rejection a later entry reverses: what lies before them is not settled.
    returning: frozenset[int] = frozenset()
    met: set[int] = field(default_factory=set)  # hits that this entry brought to others
    seq: int = 0  # the entry that is folded
    unjudged: frozenset[int] = frozenset()  # see `verifier.fold.claims.unjudged_hands`
    beside: dict[int, list[Hit]] = field(default_factory=dict)  # by a hand's first hit, the others
    day_closed: str = ""  # the last gaming day and month that people closed
    month_closed: str = ""
    transfers: int = 0  # of the ledger, before this entry
    # Rounds, by table and number, that nobody has decided, with the entry of their press;
    held: dict[tuple[str, int], int] = field(default_factory=dict)
    # those that a close, by its entry, was over all the same.
    held_at_close: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    _in_effect: dict[int, list[Terms]] = field(default_factory=dict)
    _taking: dict[tuple[int, str, str | None], list[Terms]] = field(default_factory=dict)
    _starts: dict[tuple[int, str, Dealing], Start] = field(default_factory=dict)
    _closed_tiers: dict[int, dict[str, str]] = field(default_factory=dict)  # closed tiers: where to

    def move(self, debit: str, credit: str, amount: int) -> None:
        """From one account to another."""
        if amount:
            self.balances[debit] -= amount
            self.balances[credit] += amount
            self.moved[debit] -= amount
            self.moved[credit] += amount

    def feed(self, tier: str, into: str, source: str, amount: int) -> None:
        """Add to a pool or reserve; what is above a limit goes to the tier's overflow.

        What comes for a closed tier goes where its pools went.
        """
        if tier == TO_RETURN:
            self.move(source, tier, amount)
            return
        account = self.pool_account_of(tier)
        tier, _, is_pool = account.partition(":")
        if amount and not is_pool:
            if account != source:
                self.move(source, account, amount)
        elif amount:
            above = self.pools[tier].feed(into, amount)
            self.move(source, f"{tier}:{into}", amount - above)
            self.move(source, f"{tier}:overflow", above)

    def pool_account_of(self, tier: str) -> str:
        """The account that stands for a tier's pool: where it went, if the tier was closed."""
        closed_tiers = self._closed_tiers.get(len(self.terms))
        if closed_tiers is None:
            now = self.in_effect(len(self.terms))
            closed_tiers = {code: to for terms in now for code, to in terms.closed}
            self._closed_tiers = {len(self.terms): closed_tiers}
        account = f"{tier}:pool"
        while account.endswith(":pool") and account.removesuffix(":pool") in closed_tiers:
            account = closed_tiers[account.removesuffix(":pool")]
        return account

    def correct(
        self, tier: str, seq: int, adjustment: Adjustment, sources: list[tuple[str, int]]
    ) -> None:
        """A decision gives to a tier, or takes back; `sources`: whose money it is, and how much."""
        account = self.pool_account_of(tier)
        if not account.endswith(":pool"):
            self._change(account, adjustment.pool)
            for source, amount in sources:
                self._change(source, -amount)
            return
        tier = account.removesuffix(":pool")
        pool = self.pools[tier]
        before = replace(pool.now)
        pool.decide(seq, adjustment)
        self._follow(tier, before, pool.now)
        for account, amount in sources:
            self._change(account, -amount)

    def in_effect(self, number: int) -> list[Terms]:
        """Every jackpot's newest terms at that version."""
        if number not in self._in_effect:
            newest = {terms.code: terms for terms in self.terms[:number]}
            self._in_effect[number] = list(newest.values())
        return self._in_effect[number]

    def tier(self, code: str, number: int) -> Tier:
        """A tier's terms at that version."""
        for terms in self.in_effect(number):
            for tier in terms.tiers:
                if tier.code == code:
                    return tier
        raise Contradiction(f"tier {code} has no terms at version {number}")

    def worth(self, code: str) -> int:
        """What a tier comes to now: its pool, or its fixed prize with those that rolled over."""
        is_closed = self.pool_account_of(code) != f"{code}:pool"
        posted = None if is_closed else self.tier(code, len(self.terms)).prize
        now = self.pools[code].now
        return now.pool if posted is None else posted + now.rolled

    def prizes(self, hit: Hit) -> list[Tier]:
        """What a hand at that table in that round may be for, the highest first."""
        tiers = [
            tier
            for terms in self.in_effect(hit.terms)
            if terms.at_table(hit.table)
            for tier in terms.tiers
            if self.pool_account_of(tier.code) == f"{tier.code}:pool"
        ]
        return sorted(tiers, key=lambda tier: (tier.rank, tier.code))

    def hand(self, hit: Hit) -> list[Hit]:
        """All claims of the hit's hand, the first that was opened first."""
        first = self.rounds.find(hit.table, hit.round)
        if first is None or first.hit is None:
            return [hit]
        more = self.beside.get(first.hit, [])
        return [self.hits[first.hit], *more]

    def round(self, table: str, number: int, dealt: list[int] | None) -> Round:
        """The round's record, begun under the terms and the session of this moment if new."""
        round_ = self.rounds.find(table, number)
        if round_ is None:
            round_ = self.rounds.begin(table, number, self.new_round(table))
        if dealt is not None:
            round_.dealt = len(set(dealt))
        return round_

    def new_round(self, table: str, players: int | None = None) -> Round:
        """The record of a round that begins now."""
        session = self.sessions.get(table)
        if session is None:
            return Round(len(self.terms), dealt=players)
        dealt = session.seats if players is None else players
        game, deck, stakes = session.game, session.deck, session.stakes
        return Round(len(self.terms), game, deck, dealt, stakes=stakes)

    def taking(self, table: str, round_: Round) -> list[Terms]:
        """The terms of the jackpots in which the round takes part."""
        key = (round_.terms, table, round_.game)
        if key not in self._taking:
            terms_then = self.in_effect(round_.terms)
            self._taking[key] = [t for t in terms_then if t.takes_part(table, round_.game)]
        return self._taking[key]

    def start(self, table: str, round_: Round) -> Start:
        """What the start of a round adds, as far as terms, table and dealing say it."""
        dealing = round_.dealing
        key = round_.terms, table, dealing
        if key not in self._starts:
            self._starts[key] = start_of(self.taking(table, round_), dealing)
        return self._starts[key]

    def replay(self, code: str, joining: Hit | None = None) -> None:
        """Play a tier's story again, and move the books to where it leads now.

        `joining`: the hit that was not in it before. At the story's end it just acts.
        """
        pool = self.pools[code]
        before = replace(pool.now)
        if joining is None or not pool.go_on(joining, self.tier):
            pool.play(self.tier)
        self._follow(code, before, pool.now)
        if pool.over:
            over, pool.over = pool.over, 0
            self.correct(code, self.seq, Adjustment(over), [(f"{code}:held", over)])

    def decided(self, hit: Hit) -> None:
        """Nothing before the earliest open hit can change any more."""
        self.open.pop(hit.number, None)
        if hit.ended is not None and hit.state not in OUT:
            self._outrank(hit.tier, hit.ended)
        back = (self.hits[number] for number in self.returning if number in self.hits)
        moving = [*self.open.values(), *(hit for hit in back if hit.state == "rejected")]
        earliest = min((min(hit.place, hit.acts_at) for hit in moving), default=2**63)
        for pool in self.pools.values():
            pool.settle(earliest, self.tier)

    def _outrank(self, tier: str | None, ended: int) -> None:
        """A hand of the period is confirmed: what is worth less cannot win any more."""
        for other in [*self.open.values()]:
            if (other.tier, other.ended, other.is_best) == (tier, ended, False):
                other.state = "outranked"
                del self.open[other.number]

    def _follow(self, code: str, before: TierBalance, after: TierBalance) -> None:
        for kind in ("pool", "reserve", "overflow", "held"):
            self._change(f"{code}:{kind}", getattr(after, kind) - getattr(before, kind))
        self.lent[code] += after.lent - before.lent
        self.covered[code] += after.covered - before.covered
        for source in ("operator", "rounding"):
            self._change(source, getattr(before, source) - getattr(after, source))

    def _change(self, account: str, change: int) -> None:
        if change:
            self.balances[account] += change
            self.moved[account] += change
