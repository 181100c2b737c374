"""What people decided, in the fold. Preconditions are judged here, at the decision's place,
so a double click or a race between two managers has one winner and one clear refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from jackpot.domain.command_handlers import (
    boot_counter,
    claims,
    closes,
    counts,
    delegation,
    entered_hands,
    evidence,
    exclusions,
    held_rounds,
    lifecycle,
    missed_rounds,
    payment,
    players,
    pools,
    remittances,
    rounds,
    stops,
    table_transfer,
    terms,
    wrong_rejection,
)
from jackpot.domain.command_handlers.basis import Body, Refused
from jackpot.domain.command_handlers.claims import (
    IRREGULARITIES,
    REJECTIONS,
    REVERSALS,
    rejection_words,
)
from jackpot.domain.command_handlers.pools import ADJUSTMENTS
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.hits.payees import METHODS, TAX
from rules.terms import TermsError

__all__ = [
    "ADJUSTMENTS",
    "COMMANDS",
    "IRREGULARITIES",
    "METHODS",
    "REJECTIONS",
    "REVERSALS",
    "TAX",
    "decide",
    "rejection_words",
]

COMMANDS: dict[str, tuple[type[Body], Callable[[Books, CommandEntry, Any], Outcome]]] = {
    "put_terms": (terms.PutTerms, terms.put_terms),
    "suspend": (lifecycle.Suspend, lifecycle.suspend),
    "resume": (lifecycle.Resume, lifecycle.resume),
    "close_tier": (lifecycle.CloseTier, lifecycle.close_tier),
    "close_day": (closes.CloseDay, closes.close_day),
    "close_month": (closes.CloseMonth, closes.close_month),
    "count_drop": (counts.CountDrop, counts.count_drop),
    "enter_balance": (counts.EnterBalance, counts.enter_balance),
    "move_table": (table_transfer.MoveTable, table_transfer.move_table),
    "receive_table": (table_transfer.ReceiveTable, table_transfer.receive_table),
    "reset_boots": (boot_counter.ResetBoots, boot_counter.reset_boots),
    "amend_hand": (claims.AmendHand, claims.amend_hand),
    "reject_claim": (claims.RejectClaim, claims.reject_claim),
    "confirm_claim": (claims.ConfirmClaim, claims.confirm_claim),
    "reverse_claim": (claims.ReverseClaim, claims.reverse_claim),
    "reverse_rejection": (wrong_rejection.ReverseRejection, wrong_rejection.reverse_rejection),
    "adjust_pool": (pools.AdjustPool, pools.adjust_pool),
    "enter_hand": (entered_hands.EnterHand, entered_hands.enter_hand),
    "name_round": (entered_hands.NameRound, entered_hands.name_round),
    "separate_hand": (entered_hands.SeparateHand, entered_hands.separate_hand),
    "unpair_hand": (entered_hands.UnpairHand, entered_hands.unpair_hand),
    "void_round": (rounds.OneRound, rounds.void_round),
    "cancel_round": (rounds.OneRound, rounds.cancel_round),
    "accept_rounds": (held_rounds.HeldRounds, held_rounds.accept_rounds),
    "refuse_rounds": (held_rounds.HeldRounds, held_rounds.refuse_rounds),
    "missed_rounds": (missed_rounds.MissedRounds, missed_rounds.missed_rounds),
    "pay": (payment.Pay, payment.pay),
    "withhold": (payment.Withhold, payment.withhold),
    "release": (payment.Release, payment.release),
    "unclaimed": (payment.Unclaimed, payment.unclaimed),
    "forfeit": (payment.Forfeit, payment.forfeit),
    "remit_tax": (remittances.RemitTax, remittances.remit_tax),
    "reverse_remittance": (remittances.ReverseRemittance, remittances.reverse_remittance),
    "dispute": (stops.Stop, stops.dispute),
    "resolve_dispute": (stops.Lift, stops.resolve_dispute),
    "hold_claim": (stops.Stop, stops.hold_claim),
    "lift_hold": (stops.Lift, stops.lift_hold),
    "settle_order": (stops.Lift, stops.settle_order),
    "delegate_claim": (delegation.DelegateClaim, delegation.delegate_claim),
    "release_excluded": (exclusions.ReleaseExcluded, exclusions.release_excluded),
    "same_player": (players.SamePlayer, players.same_player),
    "attach_file": (evidence.AttachFile, evidence.attach_file),
    "seal_records": (evidence.SealRecords, evidence.seal_records),
}


def decide(books: Books, entry: CommandEntry) -> Outcome:
    """Judge a command and carry it out. A refused one takes its place and moves nothing."""
    handler = COMMANDS.get(entry.kind)
    if handler is None:
        return {"refused": f"There is no decision called {entry.kind}."}
    body_type, carry_out = handler
    try:
        return carry_out(books, entry, msgspec.convert(entry.body, body_type))
    except msgspec.ValidationError as fault:
        return {"refused": f"The command cannot be read: {fault}."}
    except (Refused, TermsError) as refusal:
        hit = entry.body.get("hit")
        return {"refused": str(refusal)} | ({"hit": hit} if hit in books.hits else {})
