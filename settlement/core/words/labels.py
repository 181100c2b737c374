"""The ledger, the order and the quarantine in words: one vocabulary for pages and exports."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping

from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_noop as _

from settlement.core.words.translation import Labels

_SPANS = (
    (365 * 86_400, ngettext_lazy("%(count)s year", "%(count)s years", "count")),
    (86_400, ngettext_lazy("%(count)s day", "%(count)s days", "count")),
    (3600, ngettext_lazy("%(count)s hour", "%(count)s hours", "count")),
    (60, ngettext_lazy("%(count)s minute", "%(count)s minutes", "count")),
    (1, ngettext_lazy("%(count)s second", "%(count)s seconds", "count")),
)

# By the reason of a transfer, whether it added to the pool, and what stands on its other side
MOVES = Labels(
    {
        "opening+operator": _("Opened with the reset amount"),
        "contribution+operator": _("Contribution by the operator"),
        "contribution+pot": _("Contribution from the pot"),
        "contribution+commission": _("Contribution from the commission"),
        "contribution+drop": _("Contribution from the drop"),
        "hold-held": _("Reserved for a claim"),
        "release+held": _("Returned from a claim"),
        "reset+operator": _("Topped up to the reset amount by the operator"),
        "reset+reserve": _("Topped up to the reset amount from the reserve"),
        "reset+overflow": _("Topped up to the reset amount from the overflow"),
        "reset-operator": _("Reset taken back, to the operator"),
        "reset-reserve": _("Reset taken back, to the reserve"),
        "reset-overflow": _("Reset taken back, to the overflow"),
        "prize+operator": _("Operator's part of the fixed prize"),
        "prize-operator": _("Operator's part of the fixed prize returned"),
        "cover+operator": _("Covered by the operator: confirmed before a rejection was reversed"),
        "cover-operator": _("Operator’s cover returned"),
        "rounding+rounding": _("Rounding added by the operator"),
        "rounding-rounding": _("Rounding returned to the operator"),
        "reversal+payable": _("Reversed claim: not handed over"),
        "reversal+unclaimed": _("Reversed claim: not claimed"),
        "reversal+held": _("Reversed claim: not confirmed"),
        "reversal+paid_chips": _("Reversed claim: recovered in chips"),
        "reversal+paid_cash": _("Reversed claim: recovered in cash"),
        "reversal+paid_equivalent": _("Reversed claim: recovered in cash equivalent"),
        "reversal+withheld_tax": _("Reversed claim: tax withheld, not remitted"),
        "reversal+operator": _("Reversed claim: not recovered, given by the operator"),
        "forfeit+payable": _("Forfeited prize returned"),
        "forfeit+unclaimed": _("Forfeited prize returned, unclaimed before"),
        "adjustment+operator": _("Adjusted up by the operator"),
        "adjustment+pot": _("Adjusted up from the pot"),
        "adjustment+commission": _("Adjusted up from the commission"),
        "adjustment+drop": _("Adjusted up from the drop"),
        "adjustment+to_return": _("Adjusted up from what is to be returned to players"),
        "adjustment-to_return": _("Adjusted down, to be returned to players"),
        "adjustment-operator": _("Adjusted down, to the operator"),
        "adjustment-pot": _("Adjusted down, to the pot"),
        "adjustment-commission": _("Adjusted down, to the commission"),
        "adjustment-drop": _("Adjusted down, to the drop"),
        "closing+pool": _("From the pool of a prize that was closed"),
        "closing+overflow": _("From the overflow of a prize that was closed"),
        "closing-pool": _("Prize closed: to the pool of another"),
        "closing-operator": _("Prize closed: to the operator"),
        "closing-adjustments": _("Prize closed: kept until it is decided where it goes"),
    }
)
# What a pool's history can be narrowed to, see `settlement.pools.history`.
KINDS = Labels(
    {
        "contributions": _("Contributions"),
        "claims": _("Claims"),
        "resets": _("Resets"),
        "prizes": _("Fixed prizes"),
        "covers": _("Covered by the operator"),
        "rounding": _("Rounding"),
        "opening": _("Opening"),
        "reversals": _("Reversals and forfeits"),
        "adjustments": _("Adjustments"),
    }
)
ENTRIES = Labels(
    {
        "session_opened": _("Table opened"),
        "session_changed": _("Session changed"),
        "session_closed": _("Table closed"),
        "round_started": _("Round started"),
        "round_completed": _("Round completed"),
        "rounds_missed": _("Missed rounds reported"),
        "void_requested": _("Void requested"),
        "hand_called": _("Hand called"),
        "hand_reported": _("Hand reported"),
        "hand_withdrawn": _("Withdrawal requested"),
        "events_lost": _("Events declared lost"),
        "period_closed": _("Period of a high hand ended"),
        "display_dark": _("Display dark: table suspended"),
        "gap_released": _("Missing events no longer waited for"),
        "put_terms": _("Terms put into effect"),
        "suspend": _("Suspended"),
        "resume": _("Resumed"),
        "close_tier": _("Prize closed"),
        "move_table": _("Table moved to another system"),
        "receive_table": _("Table received from another system"),
        "reset_boots": _("Boot counter reset"),
        "amend_hand": _("Report amended"),
        "reject_claim": _("Claim rejected"),
        "confirm_claim": _("Claim confirmed"),
        "pay": _("Payout"),
        "withhold": _("Payment withheld"),
        "release": _("Payment released"),
        "unclaimed": _("Payment booked as unclaimed"),
        "forfeit": _("Payment forfeited"),
        "adjust_pool": _("Pool adjusted"),
        "reverse_claim": _("Claim reversed"),
        "reverse_rejection": _("Rejection reversed"),
        "dispute": _("Claim disputed"),
        "resolve_dispute": _("Dispute resolved"),
        "hold_claim": _("Held by the regulator"),
        "lift_hold": _("Regulator's hold lifted"),
        "settle_order": _("Order in question settled"),
        "void_round": _("Round declared void"),
        "cancel_round": _("Round cancelled"),
        "missed_rounds": _("Missed rounds credited"),
        "accept_rounds": _("Held rounds accepted"),
        "refuse_rounds": _("Held rounds refused"),
        "missed_rounds:completion": _("Missed completion credited"),
        "enter_hand": _("Hand entered on the console"),
        "name_round": _("Round of the hand named"),
        "separate_hand": _("Kept apart from the hand entered on the console"),
        "attach_file": _("File attached"),
        "delegate_claim": _("Decision delegated"),
        "release_excluded": _("Excluded person: payment released"),
        "same_player": _("Numbers of a player decided on"),
        "seal_records": _("Records taken into the order"),
        "close_day": _("Gaming day closed"),
        "close_month": _("Month closed"),
        "count_drop": _("Drop counted"),
        "enter_balance": _("Bank balance entered"),
        "remit_tax": _("Withheld tax remitted"),
        "reverse_remittance": _("Remittance of tax reversed"),
        "unpair_hand": _("Pairing with the unit’s hand undone"),
    }
)
FLAGS = Labels(
    {
        "repeat": _("repeated; no effect"),
        "late": _("came late"),
        "ahead_of_gap": _("taken before missing events"),
        "no_start": _("button not pressed"),
        "no_session": _("table was not open"),
        "overtaken": _("superseded by a newer message; no effect"),
        "not_participating": _("did not take part"),
        "not_in_play": _("no prize can be won with this game and deck"),
        "request": _("a supervisor decides"),
        "test": _("test mode"),
        "void": _("round is void (20.1)"),
        "cancelled": _("round was cancelled"),
        "adjusted_before": _("round was adjusted before: the difference was posted"),
        "figures_differ": _("figures differ from those that were credited: an incident"),
        "set_aside": _("skipped by two people; no effect"),
        "suspended": _("not in play when the round began"),
        "moved": _("the table had moved to another system"),
        "unknown_tier": _("prize not known at this table"),
        "paired": _("the hand was entered on the console before"),
        "perhaps_entered": _("perhaps a hand that was entered on the console"),
        "after_decision": _("claim was already decided"),
        "over_pace": _("button pressed too often: held for a supervisor"),
        "in_question": _("table clocks suggest a different order: both claims are on hold"),
        "no_verdict": _("the rules of the console fail on the hand: it keeps its place"),
        "pot_missing": _("pot not given"),
        "commission_missing": _("commission not given"),
        "drop_missing": _("drop not given"),
        "pot_implausible": _("pot implausible; ignored"),
        "uncalled_implausible": _("uncalled amount implausible; ignored"),
        "commission_implausible": _("commission implausible; ignored"),
        "drop_implausible": _("drop implausible; ignored"),
        "uncalled_above_pot": _("uncalled is more than the pot"),
        "drop_variance": _("drop differs from the posted steps"),
        "drop_not_posted": _("drop taken, none posted"),
        "to_return": _("players’ money that no prize at the table can take: to be returned"),
        "commission_on_blinds_only": _("commission on blinds only (8.6)"),
        "commission_above_posted": _("more commission than is posted (8.2, 8.7)"),
        "commission_on_tie": _("commission on equal hands alone (8.8)"),
    }
)
QUARANTINE = Labels(
    {
        "undecodable": _("Not readable as JSON"),
        "bad_schema": _("Does not match the protocol"),
        "unknown_field": _("Unknown field"),
        "unknown_version": _("Another version of the protocol"),
        "oversize": _("Too long"),
        "wrong_mac": _("Signature missing or wrong"),
        "implausible_boot": _("Boot number implausible"),
        "wrong_topic": _("Names another table"),
        "bad_topic": _("A topic that no unit writes to"),
        "unknown_table": _("Unknown table"),
        "table_moved": _("A table that moved to another system"),
        "conflict": _("Same number, other content"),
        "internal": _("The console could not process it"),
    }
)
ALARMS = Labels(
    {
        "quarantine": _("Quarantine"),
        "repeats": _("Repeated events not answered"),
        "presses": _("Button pressed too often"),
        "unit_key_shut": _("Key of a unit does not open"),
        "certificate_ends": _("Certificate of a device ends soon"),
        "screen_silent": _("Screen not responding"),
        "rehearsal_played": _("Play goes into a rehearsal that passed"),
        "broker_accounts": _("Broker has not taken the devices' accounts"),
        "unclosed_day": _("Gaming day not closed in time"),
        "unclosed_month": _("Month not closed in time"),
        "comparison_missed": _("Closed days not compared last night"),
        "closed_days": _("Closed days differ from their entries"),
        "day_totals": _("Totals of days differ from their entries"),
        "report_failed": _("Scheduled report failed"),
        "report_delivery": _("Scheduled report not delivered"),
        "webhook_dead": _("Webhook given up"),
        "notification_undelivered": _("Mail or push messages not sent"),
        "program_token_ends": _("Access token of a program ends soon"),
        "program_without_owner": _("Program without an owner"),
        "backup_unproved": _("Backups are not proved"),
        "standby_missing": _("Database without a standby"),
        "disk_full": _("Disk full soon"),
        "factor_missing": _("People without the second factor that their role needs"),
        "checkpoints": _("Checkpoint not made"),
        "witness": _("Witness does not cosign"),
        "quarantine_limit": _("Flood of bad messages"),
        "event_limit": _("Flood of events"),
        "reading_limit": _("Flood of readings"),
        "era_begun": _("Restored from a backup"),
        "order_after_restore": _("Order after the restore"),
        "identity_conflict": _("Identity conflict"),
        "system_halt": _("System halted"),
        "set_aside": _("Entry skipped"),
        "log_in_locked": _("Log-in locked"),
        "log_in_provider": _("Log-in provider does not work"),
        "password_log_in": _("Log-in by password opened for one person"),
        "factor_reset": _("Second factors reset"),
        "password_code": _("Code for a new password issued"),
        "factor_after_reset": _("First second factor after a reset"),
        "key_endorsed": _("Passkey of a colleague endorsed"),
        "factor_guessed": _("Codes of an app guessed"),
        "factor_demand": _("A role needs no second factor any more"),
        "jurisdiction_pack": _("Local rules: a file, or a yearly amount"),
        "excluded_person_paid": _("Excluded person was paid"),
        "exclusion_file_failed": _("Import of excluded persons failed"),
        "paid_unidentified": _("Paid without the identification that the rules ask for"),
        "forms_overdue": _("Forms not filed in time"),
        "role_password": _("Database role with another password"),
        "no_verdict": _("Hand the rules fail on"),
        "to_return": _("Money to be returned to players"),
        "commission_above_posted": _("Commission above the posted limit"),
        "reconciliation": _("Out of balance"),
        "reconciliation_overdue": _("Reconciliation overdue"),
        "payout_without_action": _("Payout without cashier record"),
    }
)


# States and flags of claims, prizes, parts of payments and the like: what `pill` says of them.
STATES = Labels(
    {
        "called": _("Called"),
        "reported": _("Reported"),
        "verified": _("Verified"),
        "held": _("Held"),
        "confirmed": _("Confirmed"),
        "closed": _("Closed"),
        "rejected": _("Rejected"),
        "reversed": _("Reversed"),
        "withdrawn": _("Withdrawn"),
        "paired": _("Paired"),
        "outranked": _("Outranked"),
        "due": _("Due"),
        "part_paid": _("Part paid"),
        "paid": _("Paid"),
        "withheld": _("Withheld"),
        "unclaimed": _("Unclaimed"),
        "forfeited": _("Forfeited"),
        "queued": _("Queued"),
        "proposed": _("Proposed"),
        "test": _("Test"),
        "open": _("Open"),
        "suspended": _("Suspended"),
        "halted": _("Halted"),
        "no_longer_posted": _("No longer posted"),
        "out_of_balance": _("Out of balance"),
        "regulator_hold": _("Regulator hold"),
        "excluded_person": _("Excluded person"),
        "disputed": _("Disputed"),
        "order_in_question": _("Order in question"),
        "no_verdict": _("No verdict"),
        "entered": _("Entered"),
        "round_unknown": _("Round unknown"),
        "unit_differs": _("Unit differs"),
        "perhaps_entered": _("Perhaps entered"),
        "corrected_since": _("Corrected since"),
        "rejection_proposed": _("Rejection proposed"),
        "rejection_reversed": _("Rejection reversed"),
        "provisional": _("Provisional"),
        "supplement": _("Supplement"),
        "void_round": _("Void round"),
        "waits_for_pot": _("Waits for the pot"),
        "late": _("Late"),
    }
)


def plain(code: str) -> str:
    """A state or flag in the language of now; a code without words, as it stands."""
    return STATES.get(code, code.replace("_", " ").capitalize())


def clock_words(off: dt.timedelta) -> str:
    """How far a clock is off, in the coarsest unit; above zero it is fast: `3 hours slow`."""
    seconds = int(abs(off).total_seconds())
    size, words = next((span for span in _SPANS if seconds >= span[0]), _SPANS[-1])
    text = gettext("%(span)s fast") if off > dt.timedelta() else gettext("%(span)s slow")
    return text % {"span": words % {"count": seconds // size}}


# Accounts of the ledger
ACCOUNTS = Labels(
    {
        "operator": _("Operator"),
        "pot": _("Pots"),
        "commission": _("Commission"),
        "drop": _("Drop"),
        "rounding": _("Operator, rounding"),
        "payable": _("Confirmed, not paid out"),
        "paid_chips": _("Paid in chips"),
        "paid_cash": _("Paid in cash"),
        "paid_equivalent": _("Paid in cash equivalent"),
        "withheld_tax": _("Withheld tax, not remitted"),
        "remitted_tax": _("Withheld tax, remitted"),
        "adjustments": _("From closed prizes"),
        "unclaimed": _("Unclaimed"),
        "to_return": _("To be returned to players"),
    }
)
ACCOUNTS_OF_PRIZE = Labels(
    {
        "pool": _("%(prize)s: prize pool"),
        "reserve": _("%(prize)s: reserve"),
        "overflow": _("%(prize)s: overflow"),
        "held": _("%(prize)s: reserved for claims"),
    }
)


def account_name(code: str) -> str:
    """What an account is called; a code without words, as it stands.

    >>> account_name("royal:pool"), account_name("pot"), account_name("x")
    ('royal: prize pool', 'Pots', 'x')
    """
    prize, _colon, kind = code.rpartition(":")
    if prize and kind in ACCOUNTS_OF_PRIZE:
        return ACCOUNTS_OF_PRIZE[kind] % {"prize": prize}
    return ACCOUNTS.get(code, code)


class AccountNames(Mapping[str, str]):
    """The same as a mapping: words of a column."""

    def __getitem__(self, code: str) -> str:
        return account_name(code)

    def __iter__(self) -> Iterator[str]:
        return iter(ACCOUNTS)

    def __len__(self) -> int:
        return len(ACCOUNTS)
