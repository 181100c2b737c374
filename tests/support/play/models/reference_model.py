"""A reference for "order decides money", written without the product's code.

It plays the story of one tier again from the start, as a person with a pencil would, each time
somebody asks what an account holds or what a claim may come to. What a hit took follows from the
story up to its place and from the hits that count there: it is noted, and not played twice.
"""

from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any


@dataclass
class Terms:
    unit: int
    reset: int
    share: int  # basis points
    prize: int | None = None  # a fixed amount instead


def parts(
    amount: int, unit: int, table_points: int, winner: int, around: list[int]
) -> dict[int, int]:
    """What each seat gets of an amount, the winner first, then by number: the table's part is
    dealt out unit by unit, `around` the table from the button; all else is the winner's."""
    chips = amount * table_points // 10_000 // unit
    piles = dict.fromkeys([winner, *sorted(around)], 0)
    for chip in range(chips):
        piles[around[chip % len(around)]] += unit
    piles[winner] = amount - chips * unit
    return piles


def brought_up(whole: dict[int, int], had: dict[int, int], amount: int) -> dict[int, int]:
    """An amount handed to those who have less than their part of the whole, in their order."""
    shares = {}
    for seat, due in whole.items():
        shares[seat] = min(amount, max(0, due - had[seat]))
        amount -= shares[seat]
    return shares


class Till:
    """The money of one tier while it is replayed."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.has = {"pool": terms.reset, "reserve": 0, "overflow": 0}
        self.sources: dict[str, int] = {"operator": -terms.reset}
        self.held: dict[int, int] = {}
        self.ceiling: int | None = None
        self.on_display = 0  # by the last message, if no hit that stands came after it

    def give(self, source: str, amount: int) -> None:
        self.sources[source] = self.sources.get(source, 0) - amount

    def contribution(self, source: str, into: str, amount: int) -> None:
        self.give(source, amount)
        if into == "pool" and self.ceiling is not None:
            room = min(amount, max(0, self.ceiling - self.has["pool"]))
            self.has["overflow"] += amount - room
            amount = room
        self.has[into] += amount

    def limit(self, limit: int | None) -> None:
        self.ceiling = limit

    def show(self, value: int) -> None:
        self.on_display = value

    def adjust(self, into: str, amount: int, source: str) -> None:
        self.give(source, amount)
        if amount >= 0:
            self.has[into] += amount
            return
        short = -amount
        for account in (into, {"pool": "reserve", "reserve": "pool"}[into]):
            part = min(short, self.has[account])
            self.has[account] -= part
            short -= part
        self.give("operator", short)

    def return_round(self, parts: list[tuple[str, str, int]]) -> None:
        """A void or cancelled round: what the sources put into pool and reserve goes back."""
        for into in ("pool", "reserve"):
            for source, target, amount in parts:
                if target == into:
                    self.adjust(into, -amount, source)

    def back(self, amount: int, sources: dict[str, int]) -> None:
        """A reversal or a forfeit: into the present pool."""
        self.has["pool"] += amount
        for source, part in sources.items():
            self.give(source, part)

    def hit(self, number: int, *, counts_display: bool) -> None:
        has, unit = self.has, self.terms.unit
        on_display, fixed = self.on_display if counts_display else 0, self.terms.prize
        if fixed is None:
            whole = -(-max(has["pool"], on_display) // unit) * unit
            prize = -(-(whole * self.terms.share // 10_000) // unit) * unit
            share = has["pool"] * self.terms.share // 10_000
            self.give("rounding", prize - share)
        else:
            prize = max(fixed, -(-on_display // unit) * unit)
            share = min(has["pool"], fixed)
            self.give("operator", fixed - share)
            self.give("rounding", prize - fixed)
        self.on_display, self.held[number] = 0, prize
        has["pool"] -= share
        need = max(0, self.terms.reset - has["pool"])
        has["pool"] += need
        for account in ("overflow", "reserve"):
            part = min(need, has[account])
            has[account] -= part
            need -= part
        self.give("operator", need)


@dataclass
class Pencil:
    """What happened, in order: (what, details...)."""

    terms: Terms
    timeline: list[tuple[Any, ...]] = field(default_factory=list)
    rejected: set[int] = field(default_factory=set)
    unread: set[int] = field(default_factory=set)  # nobody can say yet which prize they are for
    void: set[int] = field(default_factory=set)  # of void rounds: for no further prize
    mistyped: set[int] = field(default_factory=set)  # hold a prize, and no seat wins as reported
    moved: set[int] = field(default_factory=set)  # act where they were read, not where called
    confirmed: dict[int, int] = field(default_factory=dict)
    reversed: dict[int, int] = field(default_factory=dict)  # and what each held
    stopped: dict[int, set[int]] = field(default_factory=dict)  # what stops them, by hit
    clocks: dict[int, tuple[int, int] | None] = field(default_factory=dict)  # and their margins
    met: set[tuple[int, int]] = field(default_factory=set)  # were in question, or are
    # What the hit at a place takes, by the hits that count until then; a copy begins its own.
    _noted: dict[tuple[Any, ...], int] = field(default_factory=dict, init=False, repr=False)

    def places(self) -> list[int]:
        """The hits in the order in which they act."""
        return [each[1] for each in self.timeline if self._acts(each)]

    def _acts(self, step: tuple[Any, ...]) -> bool:
        return step[0] == "actions here" or (step[0] == "hit" and step[1] not in self.moved)

    def meets(self, number: int, entry: int) -> list[list[int]]:
        """The hit acts on the tier from this entry on, or its clock is known: which two are now in
        question. Hits are numbered as they were recorded."""
        if self.terms.prize is not None:
            return []  # whoever comes first, each is paid the same
        standing = [n for n in self.places() if n not in self.rejected and n not in self.unread]
        while len(standing) > 1 and standing[0] in self.confirmed and standing[1] in self.confirmed:
            del standing[0]  # settled; of these the last may still count
        pairs = []
        for other in standing if number in standing else ():
            pair = (min(number, other), max(number, other))
            first, then = (self.clocks.get(each) for each in pair)
            if number == other or pair in self.met or first is None or then is None:
                continue
            if first[0] - first[1] > then[0] + then[1]:
                pairs.append(list(pair))
                self.met.add(pair)
        for each in {number for pair in pairs for number in pair}:
            self.stopped.setdefault(each, set()).add(entry)
        return sorted(pairs)

    def open_before(self, hit: int) -> list[int]:
        """Claims at earlier places that may still be rejected, or turn out to be for the tier:
        not behind whose place somebody is confirmed, for they would act where they are read."""
        places = self.places()
        last = max((place for place, n in enumerate(places) if n in self.confirmed), default=-1)
        settled = self.rejected | {*self.confirmed}
        settled |= self.unread & ({*places[: last + 1]} | self.void)
        return [n for n in places[: places.index(hit)] if n not in settled]

    def possible_amounts(self, hit: int) -> list[int]:
        """What the hit comes to by every outcome of the claims before it."""
        before = self.open_before(hit)
        at = max(n for n, each in enumerate(self.timeline) if self._acts(each) and each[1] == hit)
        until_then = replace(self, timeline=self.timeline[: at + 1], reversed={}, confirmed={})
        acting, amounts = tuple(until_then.places()), []
        for standing in product((True, False), repeat=len(before)):
            out = {n for n, stands in zip(before, standing, strict=True) if not stands}
            out |= self.rejected | (self.unread - set(before))
            question = (at, acting, tuple(n in out for n in acting))
            if question not in self._noted:
                self._noted[question] = until_then.play(out, set())[f"hit {hit}"]
            amounts.append(max(self._noted[question], self.confirmed.get(hit, 0)))
        return amounts

    def give_what_is_over(self) -> None:
        """A hit that was reversed gives the pool all that it holds, whatever came to it since."""
        balances = self.play()
        for number, held in self.reversed.items():
            if (over := balances[f"hit {number}"] - held) > 0:
                self.timeline.append(("back", over, {}))
                self.reversed[number] += over

    def may_adjust(self, into: str, amount: int, why_low: str | None) -> bool:
        """Whether the account has it to give, and a low pool its reason."""
        leaves = self.play()[f"royal:{into}"] + amount
        if leaves < 0 or into == "reserve" or amount > 0 or why_low is not None:
            return leaves >= 0
        return leaves >= max(self.terms.reset, 1)

    def play(self, out: set[int] | None = None, unread: set[int] | None = None) -> dict[str, int]:
        """Every account, and what each hit that stands comes to."""
        out = self.rejected if out is None else out
        unread = self.unread if unread is None else unread
        till = Till(self.terms)
        for what, *details in self.timeline:
            if what in ("hit", "actions here"):
                number = details[0]
                elsewhere = what == "hit" and number in self.moved
                if number not in out and number not in unread and not elsewhere:
                    till.hit(number, counts_display=what == "hit")
            else:
                getattr(till, what)(*details)
        held = till.held
        for number in held:  # what was confirmed stays; the operator covers the rest
            short = self.reversed.get(number, self.confirmed.get(number, 0)) - held[number]
            if short > 0:
                till.give("operator", short)
                held[number] += short
        unconfirmed = sum(held.values()) - sum(self.confirmed.get(n, 0) for n in held)
        unconfirmed -= sum(held[n] - self.confirmed[n] for n in self.reversed)
        return {
            **{f"royal:{name}": amount for name, amount in till.has.items()},
            **till.sources,
            "royal:held": unconfirmed,
            **{f"hit {number}": amount for number, amount in held.items()},
        }
