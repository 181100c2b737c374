"""A tier's pool as a story: what was fed, which hits took from it, what people gave or took back
and where a limit began, each at its own place.

"Order decides money" (docs/domain.md): the balances of a tier are those that its story leads to
when the hits of rejected claims are left out. A hit that is rejected, or turns out to be for
another tier, changes no row of the story; the story is played again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace

from verifier.fold.books.tier_balance import Hit, TierBalance, pay, take
from verifier.fold.terms.terms import Tier

TiersAt = Callable[[str, int], Tier]  # a tier's terms by its code and the newest version's number


@dataclass(slots=True)
class Contribution:
    """What play added between two other steps."""

    pool: int = 0
    reserve: int = 0


@dataclass(slots=True)
class PlacedHit:
    """Where a hit may act: it does if it stands, is for this tier and acts at this entry."""

    hit: Hit
    seq: int


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What a decision gives here, or takes back (below zero)."""

    pool: int = 0
    reserve: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """From here on contributions stop at this pool, or nowhere."""

    limit: int | None


@dataclass(slots=True)
class End:
    """A period of a high hand ended here; `hits` are all that were ever candidates of it."""

    seq: int
    on_display: int
    shown_at: int
    prize: int  # what rolls over if nobody wins
    hits: list[Hit] = field(default_factory=list)

    def candidates(self, code: str) -> list[Hit]:
        """Those that stand, by the order in which they were recorded."""
        hits = [hit for hit in self.hits if hit.tier == code and hit.ended == self.seq]
        return sorted((h for h in hits if h.state not in OUT), key=lambda hit: hit.number)


Step = Contribution | PlacedHit | Adjustment | Stop | End
OUT = ("rejected", "withdrawn", "outranked")  # what takes nothing
BEST = [99]  # a hand that nobody has read may turn out to be anything


@dataclass(frozen=True, slots=True)
class Noted:
    """A decision in the story, as it is kept beside the order: with what was fed before it."""

    place: int
    kind: str
    fed_pool: int
    fed_reserve: int
    fed_overflow: int
    pool: int
    reserve: int
    pool_limit: int | None
    on_display: int | None = None
    shown_at: int | None = None
    prize: int = 0


@dataclass
class Pool:
    """One tier. `start` is what cannot change any more, `timeline` what came since."""

    code: str
    start: TierBalance = field(default_factory=TierBalance)
    timeline: list[Step] = field(default_factory=list)
    now: TierBalance = field(default_factory=TierBalance)
    fed: Contribution = field(default_factory=Contribution)  # all that play ever added
    noted: list[Noted] = field(default_factory=list)
    over: int = 0  # what came to hits that were reversed before: the pool gets it
    is_high_hand: bool = False
    began: str = ""  # when its present period did, if it is one

    def feed(self, into: str, amount: int) -> int:
        """Play adds to the pool or to the reserve; how much of it the overflow gets."""
        last = self.timeline[-1] if self.timeline else None
        if not isinstance(last, Contribution):
            last = Contribution()
            self.timeline.append(last)
        pool, reserve = (amount, 0) if into == "pool" else (0, amount)
        for fed in (last, self.fed):
            fed.pool += pool
            fed.reserve += reserve
        return self.now.feed(pool, reserve)

    def decide(self, seq: int, what: Adjustment | Stop) -> None:
        """A decision gives, takes back or sets a limit here."""
        self.timeline.append(what)
        fed = (self.fed.pool, self.fed.reserve, 0)
        if isinstance(what, Stop):
            self.now.limit = what.limit
            self.noted.append(Noted(seq, "limit", *fed, 0, 0, what.limit))
        else:
            self.now.correct(what.pool, what.reserve)
            self.noted.append(Noted(seq, "correction", *fed, what.pool, what.reserve, None))

    def end(self, end: End) -> None:
        """A period ends here."""
        self.timeline.append(end)
        fed, display = (
            (self.fed.pool, self.fed.reserve, 0),
            (end.on_display, end.shown_at, end.prize),
        )
        self.noted.append(Noted(end.seq, "period", *fed, 0, 0, None, *display))

    def end_after(self, place: int) -> End | None:
        """Where the period ended in which a place lies."""
        ends = (step for step in self.timeline if isinstance(step, End))
        return next((step for step in ends if step.seq > place), None)

    def short(self, posted: TiersAt) -> dict[int, int]:
        """Of a high hand: what the hits that stand now lack of what was confirmed, by number."""
        balance, shortfalls = replace(self.start), {}
        for step in self.timeline:
            if isinstance(step, End):
                held = win(balance, step, step.candidates(self.code), posted, self.code)
                for hit in step.candidates(self.code):
                    shortfalls[hit.number] = max(0, hit.least - held.get(hit.number, 0))
            elif not isinstance(step, PlacedHit):
                plain(balance, step)
        return shortfalls

    def place(self, hit: Hit, seq: int) -> None:
        """A hit stands here, whatever prize it turns out to be for."""
        self.timeline.append(PlacedHit(hit, seq))

    def place_beside(self, first: Hit, hit: Hit) -> None:
        """A further hit of a hand stands where its first one does, unless that is settled."""
        for at, step in enumerate(self.timeline):
            if isinstance(step, PlacedHit) and step.hit is first and step.seq == first.place:
                self.timeline.insert(at + 1, PlacedHit(hit, step.seq))
                return

    def play(self, posted: TiersAt) -> None:
        """Play the story again with the hits that stand now."""
        balance, self.over = replace(self.start), 0
        for step in self.timeline:
            self._step(balance, step, posted)
        self.now = balance

    def go_on(self, hit: Hit, posted: TiersAt) -> bool:
        """Let the hit act on what is there now, if its place is the end of the story."""
        last = self.timeline[-1] if self.timeline else None
        if not isinstance(last, PlacedHit) or last.hit is not hit:
            return False
        self._step(self.now, last, posted)
        return True

    def settle(self, before: int, posted: TiersAt) -> None:
        """What lies before the earliest open hit cannot change any more: note where it led."""
        count = 0
        for step in self.timeline:
            if isinstance(step, PlacedHit | End) and step.seq >= before:
                break
            self._step(self.start, step, posted)
            count += 1
        del self.timeline[:count]

    def later(self, place: int) -> Iterator[Hit]:
        """The tier's hits that stand and act behind a place."""
        for step in self.timeline:
            if isinstance(step, PlacedHit) and step.seq > place and self.actions(step):
                yield step.hit

    def actions(self, step: PlacedHit) -> bool:
        """Whether the hit acts there."""
        hit = step.hit
        if self.is_high_hand:
            return False  # it acts at the end of its period
        return hit.tier == self.code and hit.state not in OUT and hit.acts_at == step.seq

    def _step(self, balance: TierBalance, step: Step, posted: TiersAt) -> None:
        if isinstance(step, End):
            candidates = step.candidates(self.code)
            held_by = win(balance, step, candidates, posted, self.code)
            for hit in candidates:
                hit.is_best = hit.number in held_by
                self._holds(balance, hit, held_by.get(hit.number, 0))
        elif not isinstance(step, PlacedHit):
            plain(balance, step)
        elif self.actions(step):
            held = take(balance, step.hit, posted(self.code, step.hit.terms))
            self._holds(balance, step.hit, held)

    def _holds(self, balance: TierBalance, hit: Hit, held: int) -> None:
        """What was confirmed for it stays, at the operator's cost where it comes to less."""
        short = max(0, hit.least - held)
        balance.cover(short)
        if hit.state == "reversed":
            self.over += held + short - hit.held
        hit.held = held + short
        if hit.state in ("confirmed", "paid"):
            hit.settle()


def plain(balance: TierBalance, step: Contribution | Adjustment | Stop) -> None:
    """A step that is no hit's."""
    match step:
        case Contribution():
            balance.feed(step.pool, step.reserve)
        case Adjustment():
            balance.correct(step.pool, step.reserve)
        case Stop():
            balance.limit = step.limit


def win(
    balance: TierBalance,
    end: End,
    candidates: list[Hit],
    posted: TiersAt,
    code: str,
    undecided: Collection[int] = (),
) -> dict[int, int]:
    """What the best of a period take from the balances, by number; nobody: it rolls over, and a
    fixed prize is added to the next one where that is posted.

    Equal hands share in payable units, an odd one each in the order in which they were recorded;
    or the first has it all, as it is posted. Of those `undecided` a hand that nobody has read may
    be the best of all.
    """
    if not candidates:
        balance.rolled += end.prize
        return {}
    worth = {
        hit.number: hit.strength or (BEST if hit.number in undecided else []) for hit in candidates
    }
    top = max(worth.values())
    best = sorted((h for h in candidates if worth[h.number] == top), key=lambda hit: hit.number)
    tier = posted(code, best[0].terms)
    if tier.qualifying.get("ties", "first") == "first":
        best = best[:1]
    value = end.on_display if end.shown_at >= balance.last else 0
    whole = pay(balance, tier, value, end.seq)
    equal, odd = divmod(whole // tier.unit, len(best))
    return {hit.number: (equal + (n < odd)) * tier.unit for n, hit in enumerate(best)}
