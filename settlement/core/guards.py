"""What the guards of the database refuse, in words.

Services look first, so a guard refuses a forger, or somebody who was beaten: between the look and
the commit the writer took an entry into the order, or another person recorded something. Nothing
of the transaction is left then.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, transaction
from django.utils.translation import gettext, gettext_noop

from settlement.core.errors import (
    BadSharer,
    BadSignature,
    ChangedMeanwhile,
    ChecklistIncomplete,
    Excluded,
    KeyUsed,
    NotPermitted,
    OwnHand,
    RuleBroken,
    SamePerson,
    SecondManagerNeeded,
    Stopped,
    WrongState,
)
from settlement.core.record_limits import enough

Refusals = tuple[tuple[str, type[RuleBroken], str], ...]

_CHANGED = gettext_noop(
    "Something changed in the meantime. Nothing was saved: open the page again."
)
BAD_SIGNATURE = gettext_noop(
    "The signature is not valid: it is older than 15 minutes, or not from your key."
)
_REPEAT = gettext_noop("This form was sent a moment ago: open the page again.")
_ENTERED = gettext_noop("Somebody entered this a moment ago: open the page again.")
_DECIDED = gettext_noop("Somebody has just decided on this: reload the page.")
_NO_ROLE = gettext_noop("Your role does not allow this. Ask a colleague whose role does.")

# By words of what the database says, else by how the guard is named: a function of ours, or a
# constraint. The first that fits counts.
REFUSALS: Refusals = (
    ("permission: ", NotPermitted, _NO_ROLE),
    ("exclusions: ", NotPermitted, _NO_ROLE),
    ("identification: ", NotPermitted, _NO_ROLE),
    (
        "whoever_is_asked_may_decide",
        WrongState,
        gettext_noop(
            "The person who is to decide may not any more: withdraw the proposal, and ask somebody"
            " else."
        ),
    ),
    (
        "own_hand: person ",
        OwnHand,
        gettext_noop("You were dealt into this hand: somebody else decides."),
    ),
    (
        "own_hand: ",
        OwnHand,
        gettext_noop("One of you was dealt into this hand: somebody else decides."),
    ),
    (
        "list_in_work: ",
        WrongState,
        gettext_noop("A file of this list is being imported: wait until it is ready."),
    ),
    (
        "file_is_in: ",
        WrongState,
        gettext_noop("This file is not being imported: there is nothing to stop."),
    ),
    (
        "file_not_stopped: ",
        WrongState,
        gettext_noop("This file is not stopped: there is nothing to leave out."),
    ),
    (
        "file_is_past: ",
        WrongState,
        gettext_noop("This file cannot be imported any more: choose it again."),
    ),
    (
        "excluded: ",
        Excluded,
        gettext_noop("The player is on the list of excluded persons: call compliance."),
    ),
    (
        "stopped: ",
        Stopped,
        gettext_noop(
            "A dispute or a regulator's hold has just stopped this claim: open the page again."
        ),
    ),
    (
        "evidence: ",
        ChecklistIncomplete,
        gettext_noop("A requirement of the terms is missing. Check the checklist."),
    ),
    (
        "act_is_signed",
        BadSignature,
        gettext_noop(
            "This action now needs your signature. Send it again and sign it with your passkey."
        ),
    ),
    ("signature: ", BadSignature, BAD_SIGNATURE),
    (
        "large_adjustment_takes_two_managers",
        SecondManagerNeeded,
        gettext_noop("This needs a second manager: have it approved."),
    ),
    (
        "second_manager: ",
        SecondManagerNeeded,
        gettext_noop("This amount needs a second manager: have it approved first."),
    ),
    *(
        (
            guard,
            SamePerson,
            gettext_noop(
                "You have already acted on this claim in another capacity: recorder, verifier,"
                " confirmer and payer must be different people."
            ),
        )
        for guard in (
            "action_takes_two_people",
            "approver_is_somebody_else",
            "recorder_is_somebody_else",
        )
    ),
    (
        "two_people: ",
        SamePerson,
        gettext_noop("This needs two different people who can log in."),
    ),
    (
        "no active person",
        SamePerson,
        gettext_noop(
            "Somebody who is named in this may not log in any more: have their part done again by"
            " somebody else, or let them in again."
        ),
    ),
    (
        "missed_limit: ",
        WrongState,
        gettext_noop(
            "Today's limit of one person is reached at this table: send it again, and a second"
            " person approves it."
        ),
    ),
    (
        "closing: ",
        WrongState,
        gettext_noop(
            "What this close rests on has just changed: look at the checklist again. If nothing is"
            " open there, withdraw the proposal and propose it again."
        ),
    ),
    (
        "figures: ",
        WrongState,
        gettext_noop(
            "The terms in force changed since this was proposed, and other figures move far now:"
            " withdraw the proposal and propose it again."
        ),
    ),
    ("moving: ", WrongState, gettext_noop("Something changed meanwhile: reload the page.")),
    (
        "variance_opens_a_finding",
        WrongState,
        gettext_noop(
            "The amount from which on a variance is explained has just changed: enter it again."
        ),
    ),
    (
        "finding_takes_two_people",
        WrongState,
        gettext_noop("Somebody has just acted on this: reload the page."),
    ),
    ("what_was_proposed_is_said", WrongState, _DECIDED),
    ("set_aside_by_two_people", WrongState, _DECIDED),
    ("settlement_proposaldecision", WrongState, _DECIDED),
    ("settlement_ruling", WrongState, _DECIDED),
    (
        "approved_once_by_each",
        WrongState,
        gettext_noop("This adjustment is approved already: another manager agrees to it."),
    ),
    (
        "settlement_countersignature",
        WrongState,
        gettext_noop("This is countersigned already: nothing was changed."),
    ),
    (
        "settlement_incidentend",
        WrongState,
        gettext_noop("This incident is resolved already: nothing was changed."),
    ),
    (
        "settlement_exclusionend",
        WrongState,
        gettext_noop("This entry has been ended already."),
    ),
    (
        "settlement_staffplayend",
        WrongState,
        gettext_noop("The end of this play is recorded already."),
    ),
    (
        "settlement_staffplayword",
        WrongState,
        gettext_noop("Somebody has just confirmed or contradicted it."),
    ),
    (
        "sharers_too_much: ",
        BadSharer,
        gettext_noop("The seat did not win that much: others share it, too. Open the page again."),
    ),
    (
        "sharer_is_gone: ",
        WrongState,
        gettext_noop("Somebody has just withdrawn this sharer: open the page again."),
    ),
    (
        "sharer_after_payment: ",
        WrongState,
        gettext_noop(
            "Something was paid to this seat meanwhile: say why you correct who shares it."
        ),
    ),
    ("settlement_sharer_key", KeyUsed, _REPEAT),
    ("settlement_action_key", KeyUsed, _REPEAT),
    ("settlement_proposal_key", KeyUsed, _REPEAT),
    ("settlement_handover_key", KeyUsed, _REPEAT),
    ("settlement_incident_key", KeyUsed, _REPEAT),
    ("settlement_exclusionimport_key", KeyUsed, _REPEAT),
    ("settlement_exclusionfile_key", KeyUsed, _REPEAT),
    ("settlement_exclusionfile_confirmation_key", KeyUsed, _REPEAT),
    ("settlement_exclusionstop_key", KeyUsed, _REPEAT),
    *(
        (guard, WrongState, _ENTERED)
        for guard in (
            "drop_counted_once",
            "balance_entered_once",
            "settlement_moneycount",
            "settlement_taxremittance",
        )
    ),
)
_RAISED = "exec_stmt_raise"  # what carries out RAISE in PostgreSQL: the same in every language
_TWICE, _CHECK = "23505", "23514"

LOG_IN = "log-in: "  # how they begin to say that nobody shows who acts: people.shared.presence

log = logging.getLogger(__name__)


@contextmanager
def in_words(special: Refusals = ()) -> Iterator[None]:
    """A transaction; RuleBroken where a guard refuses it, now or at its end, for a reason that
    people understand. `special`: what is said otherwise here than everywhere."""
    try:
        with transaction.atomic():
            yield
    except DatabaseError as error:
        if (refusal := refusal_of(error, special)) is None:
            raise
        raise refusal from error


def refusal_of(error: DatabaseError, special: Refusals = ()) -> RuleBroken | None:
    """What a person reads of that; None where it is no refusal of a guard that people know."""
    guard = guard_of(error)
    if not guard:
        return None
    message = str(error.__cause__.diag.message_primary)  # type: ignore[union-attr]
    if (too_many := enough(message)) is not None:
        return too_many
    for words, kind, text in (*special, *REFUSALS):
        if words in message if " " in words else guard.startswith(words):
            return kind(gettext(text))
    return None


def guard_of(error: BaseException) -> str:
    """The guard that refused: a function of ours, or the constraint of what is there once or is
    checked; else empty."""
    diagnosis = getattr(error.__cause__, "diag", None)
    if not isinstance(error, DatabaseError) or diagnosis is None:
        return ""
    if diagnosis.source_function == _RAISED:
        name = re.search(r"(\w+)\(", diagnosis.context or "")  # of the innermost function
        return name[1] if name else ""
    return str(diagnosis.constraint_name or "") if diagnosis.sqlstate in (_TWICE, _CHECK) else ""


def last_word(error: BaseException) -> RuleBroken | None:
    """The same of what no service put in words; the log has the guard, and nobody's name.

    None for a bug: what is no guard's, or a constraint that no race breaks.
    """
    guard = guard_of(error)
    if not guard or not isinstance(error, DatabaseError) or str(error).startswith(LOG_IN):
        return None
    if error.__cause__.diag.sqlstate == _CHECK:  # type: ignore[union-attr]
        return None
    log.error("the guard %s refused what no service had seen coming", guard)
    return refusal_of(error) or ChangedMeanwhile(gettext(_CHANGED))
