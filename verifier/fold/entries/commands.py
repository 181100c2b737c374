"""What people decided, judged at the decision's own place. One function a kind of command.

A decision that cannot take effect is refused: it takes its place and moves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

from verifier.database.rows import Entry
from verifier.fold.books.pools import OUT, Adjustment
from verifier.fold.books.rounds import TO_RETURN
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Hit
from verifier.fold.claims.hands import report_shape
from verifier.fold.claims.payout_bounds import is_settled, safe
from verifier.fold.claims.shares import due
from verifier.fold.claims.unjudged_hands import lift
from verifier.fold.entries.closes import CLOSES
from verifier.fold.entries.device_events import Body, Outcome, read, stands
from verifier.fold.entries.entered_hands import ENTERED
from verifier.fold.entries.lifecycle import LIFECYCLE
from verifier.fold.entries.payments import (
    ANY,
    EVIDENCE,
    PARTS,
    PAYMENTS,
    hit_of,
    not_stopped,
    two_people,
)
from verifier.fold.entries.records import RECORDS
from verifier.fold.entries.rulings import RULINGS
from verifier.fold.entries.stops import STOPS
from verifier.fold.entries.wrong_rejection import reverse_rejection
from verifier.fold.terms.misdeals import DEAD_HANDS, MISDEALS
from verifier.fold.terms.payees import METHODS, ROLES, TAX, Line
from verifier.fold.terms.shapes import each, fields, flag, maybe, one_of, require, text, whole

REASONS = tuple(f"R{number:02d}" for number in range(1, 15))
IRREGULARITIES = {  # misdeals (20.1) and dead hands, where one is named
    "R08": tuple(chain.from_iterable(MISDEALS.values())),
    "R10": DEAD_HANDS,
}
ADJUSTMENTS = tuple(f"A{number:02d}" for number in range(1, 11))
MOST_MINOR = 10**11  # what people lift a pool to; displays can say ten times that


def amend_hand(state: State, entry: Entry, body: Body) -> Outcome:
    """A report in the place of the one before; it acts at the hand's own place (19.21)."""
    fields(body, {"hit": ANY, "report": report_shape})
    hit = hit_of(state, body)
    require(hit.state in ("held", "withdrawn"), "it is decided")
    require(not hit.is_required, "nobody has said whether it was entered on the console")
    if "who" in hit.pairing:
        hit.pairing["differs"] = None
    read(state, hit, body["report"], entry.seq)
    return stands(state, hit)


def reject_claim(state: State, entry: Entry, body: Body) -> Outcome:
    """Two people reject a claim: the tier's story is played without it."""
    fields(
        body,
        {
            "hit": ANY,
            "report_entry": maybe(ANY),
            "reason": text(2**31),
            "evidence": text(2**31),
            "affected": flag,
        },
        {"irregularity": maybe(text(2**31))},
    )
    two_people(entry)
    hit = _open(state, body)
    require(body["report_entry"] == hit.report_entry, "the report was amended since")
    one_of(*REASONS)(body["reason"])
    one_of(None, *IRREGULARITIES.get(body["reason"], ()))(body.get("irregularity"))
    hit.state, hit.held = "rejected", 0
    lift(state, hit)
    if hit.tier is not None:
        state.replay(hit.tier)
    state.decided(hit)
    return {"hit": hit.number, "tier": hit.tier}


def confirm_claim(state: State, entry: Entry, body: Body) -> Outcome:
    """Verifier and confirmer agree on what is safe now, and who gets it (19.12)."""
    payee = {"seat": ANY, "amount": whole(1)}
    role = {"role": one_of(*ROLES)}
    fields(
        body,
        {
            "hit": ANY,
            "report_entry": maybe(ANY),
            "amount": ANY,
            "payees": each(lambda line: fields(line, payee, role)),
        },
    )
    two_people(entry)
    hit, amount, payees = hit_of(state, body), body["amount"], body["payees"]
    over = hit.state in ("reversed", *OUT)
    require(not over, "it is rejected, reversed, withdrawn or outranked")
    require(hit.strength is None or hit.ended is not None, "its period has not ended")
    require(hit.tier is not None, "nobody has said which prize the hand is for")
    require(not state.round(hit.table, hit.round, None).is_void, "its round is void")
    require(body["report_entry"] == hit.report_entry, "the report was amended since")
    not_stopped(hit)
    require(hit.pairing.get("differs") is None, "what its unit said differs from it")
    require(amount == safe(state, hit) - hit.confirmed, "another amount is due")
    require(amount > 0 or _ends_with_nothing(state, hit), "nothing is due")
    seats = {line["seat"] for line in payees}
    require(len(seats) == len(payees), "somebody is to be paid twice")
    shares = sum(line["amount"] for line in payees)
    require(shares == amount, "the shares do not come to the amount")
    if hit.report is not None:
        parts = {(each["seat"], each.get("role", "winner"), each["amount"]) for each in payees}
        require(parts == due(state, hit, amount), "the payees are not those of the reported hand")
    state.move(f"{hit.tier}:held", "payable", amount)
    hit.state = "confirmed" if amount else "paid"
    hit.confirmed += amount
    for line in payees:
        role_of = line.get("role", "winner")
        hit.payees.append(Line(len(hit.payees) + 1, line["seat"], role_of, line["amount"]))
    state.decided(hit)
    return {"hit": hit.number, "tier": hit.tier, "confirmed": amount}


def _ends_with_nothing(state: State, hit: Hit) -> bool:
    """Whether it won a pool that held nothing, and nothing before it can change that."""
    won = hit.strength is None or hit.is_best
    return hit.state == "held" and won and is_settled(state, hit)


def reverse_claim(state: State, entry: Entry, body: Body) -> Outcome:
    """Two people undo a confirmed or paid claim; all that it held enters the present pool."""
    parts = {"recovered": lambda amounts: fields(amounts, {}, PARTS)}
    further = {**parts, "irregularity": maybe(text(2**31))}
    fields(body, {"hit": ANY, "reason": one_of(*REASONS), "evidence": EVIDENCE}, further)
    one_of(None, *IRREGULARITIES.get(body["reason"], ()))(body.get("irregularity"))
    two_people(entry)
    hit = hit_of(state, body)
    require(hit.state in ("confirmed", "paid"), "it is neither confirmed nor paid")
    require(is_settled(state, hit), "an earlier claim is open")
    sources = [(line.account, line.rest) for line in hit.payees]
    sources.append((f"{hit.tier}:held", hit.held - hit.confirmed))
    for method in METHODS:
        handed = sum(line.parts[method] for line in hit.payees)
        back = body.get("recovered", {}).get(method, 0)
        require(back <= handed, "more came back than was handed over")
        sources += [(f"paid_{method}", back), ("operator", handed - back)]
    tax = sum(line.parts.get(TAX, 0) for line in hit.payees)
    here = min(tax, state.balances["withheld_tax"])  # the rest has been remitted
    sources += [("withheld_tax", here), ("operator", tax - here)]
    total = sum(amount for _, amount in sources)
    state.correct(hit.tier or "", entry.seq, Adjustment(total), sources)
    for line in hit.payees:
        if line.state != "forfeited":
            line.state = "reversed"
    hit.state = "reversed"
    return {"hit": hit.number, "tier": hit.tier, "reversed": total}


def adjust_pool(state: State, entry: Entry, body: Body) -> Outcome:
    """Two people give to a pool or reserve, or take back, here (19.19, 19.20).

    Exactly so much, from or to that one alone; a pool is not left below its reset amount, or with
    nothing, without a reason for that.
    """
    fields(
        body,
        {
            "tier": text(2**31),
            "source": one_of("operator", "pot", "commission", "drop", "to_return"),
            "amount": whole(-(10**16), 10**16),
            "reason": one_of(*ADJUSTMENTS),
            "evidence": EVIDENCE,
        },
        {"into": one_of("pool", "reserve"), "below_reset": maybe(EVIDENCE)},
    )
    two_people(entry)
    tier, amount = body["tier"], body["amount"]
    require(tier in state.pools and amount != 0, "there is no such tier, or nothing to adjust")
    require(state.pool_account_of(tier) == f"{tier}:pool", "the tier was closed")
    now = state.pools[tier].now
    before = [now.pool, now.reserve]
    to_pool = body.get("into", "pool") == "pool"
    leaves = amount + (now.pool if to_pool else now.reserve)
    too_much = body["source"] == TO_RETURN and amount > state.balances[TO_RETURN]
    require(not too_much, "so much is not to be returned")
    require(leaves >= 0, "more would be taken back than is there")
    require(amount < 0 or leaves <= MOST_MINOR * state.unit, "no display could say it for long")
    if to_pool and amount < 0 and body.get("below_reset") is None:
        reset = state.tier(tier, len(state.terms)).reset
        require(0 < leaves >= reset, "nobody said why so little is left")
    adjustment = Adjustment(amount) if to_pool else Adjustment(reserve=amount)
    state.correct(tier, entry.seq, adjustment, [(body["source"], amount)])
    return {
        "tier": tier,
        "adjusted": amount,
        "before": before,
        "after": [now.pool, now.reserve],
    }


def _open(state: State, body: Any) -> Hit:
    hit = hit_of(state, body)
    require(hit.state == "held", "it is decided")
    return hit


COMMANDS: dict[str, Callable[[State, Entry, Body], Outcome]] = {
    **LIFECYCLE,
    "amend_hand": amend_hand,
    "reject_claim": reject_claim,
    "confirm_claim": confirm_claim,
    "reverse_claim": reverse_claim,
    "reverse_rejection": reverse_rejection,
    "adjust_pool": adjust_pool,
    **PAYMENTS,
    **STOPS,
    **RECORDS,
    **CLOSES,
    **RULINGS,
    **ENTERED,
}
