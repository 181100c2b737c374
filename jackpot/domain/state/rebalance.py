"""Moving the books to what a tier's replay says when a hit joins it or leaves it.

A hit, a rejection, an amendment and a hand whose prize becomes known later are one thing: the
difference between two replays of the tier, each hit acting at its own place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from msgspec.structs import replace

from jackpot.domain.state.books import Books, BooksError, Hit, tier_account
from jackpot.domain.state.hits import (
    Closing,
    Correction,
    Element,
    Start,
    TierReplay,
    correct,
    hold,
    replay_tier,
)
from jackpot.domain.state.placed_hits import closing_of, placed_hit_of
from jackpot.domain.state.verdicts import strength_of
from jackpot.hits.payees import standing_of
from jackpot.hits.states import DECIDED, HitState
from jackpot.terms.contributions import TO_RETURN, Contribution


def reassign_tier(
    books: Books, hit: Hit, tier: str | None, seq: int, *, is_back: bool = False
) -> None:
    """Let the hit act on that tier, at its own place.

    Where a later hit of the tier is already confirmed, the hit acts here instead: what was
    confirmed for somebody is never lowered by a correction. `is_back`: but not one that comes back
    because its rejection was wrong; what the tier then does not give for others the operator
    covers. A candidate for a high hand acts at the end of its period.
    """
    if hit.strength is not None:
        _leave(books, hit, seq)
    if tier in books.periods:
        _stand_for(books, hit, tier, seq, is_back=is_back)
        return
    old = hit.tier
    pinned = (
        tier is not None
        and not is_back
        and any(
            later.state != HitState.HELD and later.acts_at > hit.acts_at
            for later in books.hits_of(tier)
        )
    )
    if old is not None:
        rebalance(books, old, seq, without=[hit])
    if pinned:
        hit.act_at(seq, books.fed)
    hit.held, hit.before = 0, None
    if tier is not None:
        rebalance(books, tier, seq, adding=[hit])
    hit.tier = tier


def weigh(books: Books, hand: Iterable[Hit], seq: int) -> None:
    """Compare candidates for a high hand again, where the report or a figure changed."""
    for hit in hand:
        if hit.state != HitState.HELD or hit.tier is None or hit.strength is None:
            continue
        if hit.strength != strength_of(books, hit, hit.tier):
            reassign_tier(books, hit, hit.tier, seq)


def _leave(books: Books, hit: Hit, seq: int) -> None:
    """It is no candidate any more, and acts at its own place."""
    if hit.tier is not None:
        rebalance(books, hit.tier, seq, without=[hit])
    hit.tier = hit.strength = hit.closing = hit.moved_to = None


def _stand_for(books: Books, hit: Hit, tier: str, seq: int, *, is_back: bool) -> None:
    """Make it a candidate of the period in which its place lies, or of the present one.

    The latter where it would lower what is confirmed for somebody.
    """
    if hit.tier is not None:
        rebalance(books, hit.tier, seq, without=[hit])
    hit.held, hit.before, hit.moved_fed = 0, None, None
    end = closing_of(books, hit, tier)
    hit.strength = strength_of(books, hit, tier)
    hit.tier = tier
    books.dirty_hits.add(hit.number)
    if end is None:
        return
    hit.closing = end.place
    if not is_back and _lowers(books, tier, hit):
        hit.closing, hit.moved_to = None, seq
        return
    rebalance(books, tier, seq, adding=[hit])
    group = (other for other in books.hits_of(tier) if other.closing == hit.closing)
    if hit.before is None and any(other.state != HitState.HELD for other in group):
        hit.state = HitState.OUTRANKED


def _lowers(books: Books, tier: str, hit: Hit) -> bool:
    """Whether what is confirmed for somebody would be lowered with this hit in the replay."""
    others = [other for other in books.hits_of(tier) if other is not hit]
    start = start_of(books, tier)
    before, after = (
        replay_tier(start, timeline(books, tier, hits)).covers for hits in (others, [*others, hit])
    )
    return any(more > before.get(number, 0) for number, more in after.items())


def rebalance(
    books: Books,
    tier: str,
    seq: int,
    *,
    adding: Collection[Hit] = (),
    without: Collection[Hit] = (),
) -> None:
    """Move what the tier's replay is with these hits instead of the present ones.

    Every transfer runs through the pool, givers first, so that each held amount can be read
    from the transfers of its hit.
    """
    joining, leaving = {hit.number for hit in adding}, {hit.number for hit in without}
    old = [hit for hit in books.hits_of(tier) if hit.number not in joining]
    new = [hit for hit in old if hit.number not in leaving]
    new = sorted([*new, *adding], key=lambda hit: (hit.acts_at, hit.number))
    for hit in adding:
        hit.tier = tier
    books.joined |= joining
    start, now = start_of(books, tier), books.fed[tier]
    before = replay_tier(start, timeline(books, tier, old), now)
    after = replay_tier(start, timeline(books, tier, new), now)
    pool = tier_account(tier, "pool")
    changes = _changes(tier, before, after)
    for account, hit_number, reason, change in changes:
        if change < 0:
            books.move(seq, account, pool, -change, _reason(reason, change), hit_number)
    for account, hit_number, reason, change in changes:
        if change > 0:
            books.move(seq, pool, account, change, _reason(reason, change), hit_number)
    over = _note(books, tier, seq, new, after)
    if tier in books.periods:
        books.rolled[tier] = after.balances.rolled
    if replace(after.balances, pool=after.balances.pool + over) != books.balances_of(tier):
        raise BooksError(f"the balances of {tier} do not agree with its course")
    if over:
        books.add_step(tier, Correction(seq, books.fed[tier], pool=over))


def _note(books: Books, tier: str, seq: int, hits: list[Hit], after: TierReplay) -> int:
    """What each hit holds now; a reversed one gives the pool what came to it since: how much."""
    holds, over = after.held, 0
    before_by_hit = {holding.placed_hit.hit: holding.before for holding in after.holdings}
    for hit in hits:
        # A candidate that was beaten found nothing at its place.
        held, before = holds.get(hit.number, 0), before_by_hit.get(hit.number)
        if (hit.held, hit.before) == (held, before):
            continue
        if hit.state == HitState.REVERSED:
            held_in, pool = (tier_account(tier, kind) for kind in ("held", "pool"))
            books.move(seq, held_in, pool, held - hit.held, "reversal", hit.number)
            over += held - hit.held
        hit.held, hit.before = held, before
        if hit.state in DECIDED:
            hit.state = standing_of(hit)
        books.dirty_hits.add(hit.number)
    return over


def take_back(books: Books, seq: int, parts: Iterable[Contribution]) -> None:
    """Give contributions back to where they came from, at this place; never refused.

    A tier gives from the account that each was meant for, then from the other; what it does not
    hold any more the operator gives. So of what was kept to be returned to players.
    """
    of_tier: dict[str, list[Contribution]] = defaultdict(list)
    for part in parts:
        if part.tier == TO_RETURN:
            refund = min(part.amount, books.balances[TO_RETURN])
            books.move(seq, TO_RETURN, part.source, refund, "adjustment")
            books.move(seq, "operator", part.source, part.amount - refund, "adjustment")
            continue
        tier, _, is_pool = books.pool_of(part.tier).partition(":")
        if is_pool:  # of a tier that was closed, where its pools went
            of_tier[tier].append(Contribution(tier, part.into, part.source, part.amount))
        elif tier != part.source:
            books.move(seq, tier, part.source, part.amount, "adjustment")
    for tier, of_table in of_tier.items():
        back = {
            kind: -sum(part.amount for part in of_table if part.into == kind)
            for kind in ("pool", "reserve")
        }
        balances, correction = books.balances_of(tier), Correction(seq, books.fed[tier], **back)
        becomes, short = correct(balances, correction)
        givers = {
            tier_account(tier, "pool"): balances.pool - becomes.pool,
            tier_account(tier, "reserve"): balances.reserve - becomes.reserve,
            "operator": short,
        }
        for part in of_table:
            due = part.amount
            for giver, has in givers.items():
                amount = min(due, has)
                if giver != part.source:  # who gives to himself gives nothing
                    books.move(seq, giver, part.source, amount, "adjustment")
                givers[giver] -= amount
                due -= amount
        books.add_step(tier, correction)


def start_of(books: Books, tier: str) -> Start:
    """Where the loaded replay of a tier starts: behind its anchor, or at the opening of the tier.

    The anchor is the last decided hit before the earliest open one of the system, which nothing
    changes any more; where there is none, the tier had no hit before.
    """
    anchor = books.anchors.get(tier)
    if anchor is None:
        return Start()
    hits = (
        hit
        for hit in books.hits.values()
        if (hit.tier, hit.acts_at) == (tier, anchor) and hit.before is not None
    )
    hit = min(hits, key=lambda hit: hit.number, default=None)
    if hit is None or hit.before is None:
        raise BooksError(f"the course of {tier} cannot be taken up at entry {anchor}")
    placed_hit = placed_hit_of(books, hit, tier)
    return Start(
        hold(hit.before, placed_hit).after, placed_hit.fed, books.limit_at(tier, anchor), anchor
    )


def timeline(books: Books, tier: str, hits: Iterable[Hit]) -> list[Element]:
    """Those hits of a tier, with its corrections and limits, in the order of their places."""
    anchor = books.anchors.get(tier, 0)
    steps = [
        step
        for step in books.steps.get(tier, [])
        if step.place > anchor and not (isinstance(step, Closing) and step.prize == 0)
    ]
    placed_hits = [placed_hit_of(books, hit, tier) for hit in hits]
    return sorted([*steps, *placed_hits], key=lambda element: element.place)


_Side = tuple[str, int | None, str]  # account, hit, reason of the transfer


def _changes(
    tier: str, before: TierReplay, after: TierReplay
) -> list[tuple[str, int | None, str, int]]:
    """How each account but the pool differs between two replays: its side, and the change."""
    was, becomes = _sides(tier, before), _sides(tier, after)
    keys = sorted(was.keys() | becomes.keys(), key=lambda key: (key[0], key[1] or 0, key[2]))
    changes = [(*key, becomes.get(key, 0) - was.get(key, 0)) for key in keys]
    return [change for change in changes if change[3]]


def _sides(tier: str, tier_replay: TierReplay) -> dict[_Side, int]:
    held = tier_account(tier, "held")
    return {
        ("rounding", None, "rounding"): -tier_replay.rounding,
        ("operator", None, "reset"): -tier_replay.operator,
        ("operator", None, "prize"): -tier_replay.prizes,
        ("operator", None, "cover"): -sum(tier_replay.covers.values()),
        (tier_account(tier, "reserve"), None, "reset"): tier_replay.balances.reserve,
        (tier_account(tier, "overflow"), None, "reset"): tier_replay.balances.overflow,
        **{(held, hit, "hold"): amount for hit, amount in tier_replay.held.items()},
    }


def _reason(reason: str, change: int) -> str:
    return "release" if reason == "hold" and change < 0 else reason
