"""Amending, rejecting, confirming and reversing a claim (19.11, 19.12, 19.21)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jackpot.domain.command_handlers.basis import (
    STATE_WORDS,
    Body,
    Reason,
    Refused,
    hit_of,
    open_hit,
    two_people,
)
from jackpot.domain.command_handlers.payment import Parts, back_to_pool
from jackpot.domain.command_handlers.stops import require_no_stop
from jackpot.domain.payout.division import UndividedError, UnjudgedError, divide
from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.domain.play.hands import Report, outcome_of, take_report
from jackpot.domain.play.high_hands import outrank
from jackpot.domain.play.pairing import note
from jackpot.domain.state.books import WITHHELD_TAX, Books, Hit, tier_account
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.domain.state.rebalance import rebalance
from jackpot.domain.state.verdicts import lift, verdict_of
from jackpot.hits.payees import METHODS, TAX, held_in, new_line, rest
from jackpot.hits.states import DECIDED, OUT, HitState, PayeeState
from jackpot.terms.document import Role
from rules.dead_hands import DEAD_HANDS, MISDEALS, Irregularity
from rules.phrases import Phrase

REJECTIONS = {
    "R01": ("19.5", Phrase("The hand is below the posted terms")),
    "R02": ("19.7(a)", Phrase("The game or the deck is not eligible")),
    "R03": ("19.3", Phrase("The table was not participating when the round started")),
    "R04": ("19.17", Phrase("The hand had been folded")),
    "R05": ("19.17", Phrase("The player refused to expose the hole cards when asked")),
    "R06": ("19.18", Phrase("The hand was made on a later board")),
    "R07": ("19.21", Phrase("The flop was corrected: the hand no longer counts")),
    "R08": ("20.1", Phrase("Misdeal")),
    "R09": ("20.1(h)", Phrase("Defective deck, found before the pot was pushed")),
    "R10": ("20.1(f)(g), 20.33", Phrase("The hand was dead")),
    "R11": ("19.11", Phrase("Called in error, or called twice")),
    "R12": ("19.5", Phrase("A posted minimum was not met")),
    "R13": ("7.6, 7.7", Phrase("Influence or disclosure")),
    "R14": ("19.5", Phrase("The person is not eligible by the posted terms or by law")),
}
# Which misdeal it was, or what made the hand dead: people name one of these with the reason.
IRREGULARITIES: dict[str, Mapping[str, Irregularity]] = {"R08": MISDEALS, "R10": DEAD_HANDS}
# Once confirmed a claim is not rejected any more; the same reasons undo it, at their own place.
REVERSALS = REJECTIONS


def rejection_words(reason: str, irregularity: str | None = None) -> tuple[str, Phrase]:
    """The rule and the words of a reason, with those of the misdeal or dead hand that was named."""
    rule, text = REJECTIONS[reason]
    if irregularity is None:
        return rule, text
    entry = IRREGULARITIES[reason][irregularity]
    return entry.rule, Phrase("%(reason)s: %(irregularity)s", reason=text, irregularity=entry.text)


class AmendHand(Body, frozen=True, kw_only=True):
    """A report in the place of the one before."""

    hit: int
    report: Report


class RejectClaim(Body, frozen=True, kw_only=True):
    """A closed reason, on the report as both people read it."""

    hit: int
    report_entry: int | None
    reason: str
    evidence: str
    affected: bool
    irregularity: str | None = None  # of IRREGULARITIES


class Payee(Body, frozen=True, kw_only=True):
    """A seat, in what capacity it is paid, and its share in micros."""

    seat: int
    amount: Annotated[int, Meta(ge=1)]
    role: Role = "winner"


class ConfirmClaim(Body, frozen=True, kw_only=True):
    """The amount that is confirmed now and its payees, on the report as it was verified."""

    hit: int
    report_entry: int | None
    amount: int
    payees: list[Payee]


class ReverseClaim(Body, frozen=True, kw_only=True):
    """A confirmed or paid claim is undone; `recovered`: what came back, in micros."""

    hit: int
    reason: str
    evidence: Reason
    recovered: Parts = Parts()
    irregularity: str | None = None  # of IRREGULARITIES


def amend_hand(books: Books, entry: CommandEntry, body: AmendHand) -> Outcome:
    """A supervisor corrects a report; it acts at the hand's own place (19.21)."""
    hit = hit_of(books, body.hit)
    if hit.state != HitState.WITHDRAWN:  # its hand may still have other claims
        open_hit(books, body.hit)
    if hit.is_required:  # the pages say it in newer words; this text stands in outcomes
        raise Refused("First say whether this is the hand that was entered on the console.")
    if hit.is_entered:  # whatever differed from what the unit said is settled by this
        note(books, hit, differs=None)
    take_report(books, hit, msgspec.to_builtins(body.report), entry.seq)
    return outcome_of(books, hit)


def reject_claim(books: Books, entry: CommandEntry, body: RejectClaim) -> Outcome:
    """Two people reject a claim: the tier is replayed without the hit."""
    two_people(entry)
    hit = open_hit(books, body.hit)
    if body.report_entry != hit.report_entry:
        raise Refused("The report was amended after the proposal: read it and propose again.")
    if body.reason not in REJECTIONS:
        raise Refused("Choose one of the closed reasons R01 to R14.")
    _require_listed(body)
    if hit.tier is not None:
        rebalance(books, hit.tier, entry.seq, without=[hit])
    hit.state, hit.held = HitState.REJECTED, 0
    lift(books, hit)
    books.dirty_hits.add(hit.number)
    return {"hit": hit.number, "tier": hit.tier}


def _require_listed(body: RejectClaim | ReverseClaim) -> None:
    """Which misdeal or dead hand it was, if that is said, is one of the list of its reason."""
    if body.irregularity not in (None, *IRREGULARITIES.get(body.reason, ())):
        raise Refused("Choose one of the misdeals of 20.1 for R08, or of the dead hands for R10.")


def confirm_claim(books: Books, entry: CommandEntry, body: ConfirmClaim) -> Outcome:
    """Verifier and confirmer agree on the amount and the payees (19.12).

    While earlier claims are open that is the safe amount; what their decision adds is a
    supplement with its own confirmation. A hand that won an empty pool is confirmed for nothing,
    which closes the claim.
    """
    two_people(entry)
    hit = hit_of(books, body.hit)
    if hit.state in (HitState.REVERSED, *OUT):
        raise Refused(f"This claim has been {STATE_WORDS[hit.state]} already: nothing was changed.")
    if hit.tier is None:
        raise Refused("Nobody has said which prize this hand is for: amend the report first.")
    if books.rounds[hit.table, hit.round].void is not None:
        raise Refused("The round is void (20.1), no hand of it wins: reject the claim.")
    if body.report_entry != hit.report_entry:
        raise Refused("The report was amended after the verification: verify it again.")
    require_no_stop(hit)
    if hit.pairing.get("differs") is not None:
        raise Refused(
            "What the table unit said later differs from what was entered: amend the report, or"
            " send it again unchanged."
        )
    _confirmable(books, hit, body.amount)
    seats = {payee.seat for payee in body.payees}
    total = sum(payee.amount for payee in body.payees)
    if total != body.amount or len(seats) != len(body.payees) or (body.amount and not seats):
        raise Refused("The payees' amounts do not come to the amount: nothing is confirmed.")
    _by_the_rules(books, hit, body)
    held = tier_account(hit.tier, "held")
    books.move(entry.seq, held, "payable", body.amount, "confirm", hit.number)
    hit.state = HitState.CONFIRMED if body.amount else HitState.PAID
    hit.confirmed += body.amount
    for payee in body.payees:
        number = len(hit.payees) + 1
        hit.payees.append(new_line(number, payee.seat, payee.role, payee.amount))
    books.dirty_hits.add(hit.number)
    outrank(books, hit)
    return {"hit": hit.number, "tier": hit.tier, "confirmed": body.amount}


def _confirmable(books: Books, hit: Hit, amount: int) -> None:
    bounds = bounds_of(books, hit)
    if bounds.due == 0 and hit.state != HitState.HELD:
        raise Refused("This claim has been confirmed already: nothing was changed.")
    if hit.strength is not None and hit.closing is None:
        raise Refused("The period of this high hand has not ended: nobody has won it yet.")
    if bounds.due == 0 and bounds.waits_for:
        raise Refused("Nothing is safe while earlier claims are open: decide them first.")
    if bounds.due == 0 and not bounds.is_nothing:
        raise Refused("This hand did not win its period: there is nothing to confirm.")
    if amount != bounds.due:
        raise Refused("The amount changed while you looked at it: read it again, then confirm.")


def _by_the_rules(books: Books, hit: Hit, body: ConfirmClaim) -> None:
    """The payees are those of the reported hand, by the posted share plan (19.13)."""
    if hit.report is None or hit.tier is None:
        return  # nothing to judge; people verify no claim without a report
    tier, round_ = books.tier_terms(hit.tier, hit.terms), books.rounds[(hit.table, hit.round)]
    try:
        due = divide(tier, round_.game, hit.report, verdict_of(books, hit), body.amount, hit.payees)
    except UndividedError as error:
        if isinstance(error, UnjudgedError):
            books.unjudged.add(books.hand_of(hit)[0].number)
        raise Refused(str(error)) from error
    if sorted(map(msgspec.to_builtins, body.payees), key=_seat) != sorted(due, key=_seat):
        raise Refused("The payees are not those of the reported hand: read it again.")


def _seat(payee: dict[str, Any]) -> int:
    seat: int = payee["seat"]
    return seat


def reverse_claim(books: Books, entry: CommandEntry, body: ReverseClaim) -> Outcome:
    """Two people undo a confirmed or paid claim, at this place.

    Everything that it held enters the present pool: what was not handed over, what was
    recovered, tax that was withheld and not remitted, and for the rest, which is the operator's
    loss, money of the operator.
    """
    two_people(entry)
    hit = hit_of(books, body.hit)
    if hit.state not in DECIDED:
        raise Refused("Only a confirmed or paid claim is reversed; an open one is rejected.")
    if body.reason not in REVERSALS:
        raise Refused("Choose one of the closed reasons R01 to R14.")
    _require_listed(body)
    earlier = bounds_of(books, hit).waits_for
    if earlier:
        numbers = ", ".join(map(str, earlier))
        raise Refused(f"Hit {numbers} came before this one and is open: decide it first.")
    amounts = [(held_in(line), rest(line)) for line in hit.payees]
    amounts.append((tier_account(hit.tier or "", "held"), hit.held - hit.confirmed))
    for method in METHODS:
        paid = sum(line["parts"][method] for line in hit.payees)
        recovered = getattr(body.recovered, method)
        if recovered > paid:
            raise Refused(f"More {method} were recovered than were paid: correct the figures.")
        amounts += [(f"paid_{method}", recovered), ("operator", paid - recovered)]
    tax = sum(line["parts"].get(TAX, 0) for line in hit.payees)
    not_remitted = min(tax, books.held_tax(WITHHELD_TAX))
    amounts += [(WITHHELD_TAX, not_remitted), ("operator", tax - not_remitted)]
    back_to_pool(books, hit, entry.seq, amounts, "reversal")
    for line in hit.payees:
        if line["state"] != PayeeState.FORFEITED:
            line["state"] = PayeeState.REVERSED.value
    hit.state = HitState.REVERSED
    books.dirty_hits.add(hit.number)
    return {"hit": hit.number, "tier": hit.tier, "reversed": sum(amount for _, amount in amounts)}
