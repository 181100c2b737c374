"""Hands that a supervisor enters on the console while a table's unit is offline (19.20).

While the unit is heard two people enter it, at the same screen: the place is taken at once.
The entry takes its place in the order at once. What the unit sends later is paired with it by its
round; where that cannot be, a person says which hand of the unit it is, or that it is none.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.domain.command_handlers.entered_hands import EnterHand
from jackpot.hits.states import HitState
from jackpot.models import Hit
from jackpot.writer import commands
from settlement.approvals import action_log
from settlement.approvals.action_log import Decision
from settlement.claims.pairing import is_awaited, is_paired, is_required
from settlement.claims.services import catch_up, hit_of
from settlement.claims.typed_reports import read_report
from settlement.core import guards
from settlement.core.errors import (
    BadReport,
    OwnHand,
    SamePerson,
    SecondNeeded,
    WrongState,
)
from settlement.core.input import required_text
from settlement.floor.rulings import answer_of, queued
from settlement.models import Action, Claim, Ruling
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated, require
from tables.intake.presence import is_heard
from tables.models import GamingTable, UnitPresence

SECOND = "rule_round"  # of supervisors and managers
_OWN = gettext_noop(
    "One of you is recorded as playing at this table: somebody else must enter its hand."
)
_ONLINE = gettext_noop(
    "The unit of this table is online: let the dealer call the hand on the"
    " handset, which takes the same place. If the handset does not work, a"
    " second supervisor or a manager signs here with name and password."
)


def newest_claim(table: GamingTable) -> int:
    """The highest number of a claim of this table: what whoever enters a hand has seen."""
    hits = Hit.objects.filter(system=table.system_id, table=table)
    return hits.aggregate(newest=Max("number"))["newest"] or 0


def open_claims(table: GamingTable) -> list[Hit]:
    """Open claims of this table, the newest first: one of them may be the hand."""
    hits = Hit.objects.filter(system=table.system_id, table=table, state=HitState.HELD)
    return list(hits.order_by("-number"))


@dataclass(frozen=True, slots=True)
class EnteredHand:
    """A hand with what is known of it, and why it is entered here."""

    game: str
    seats: Sequence[int]
    note: str
    deck: int = 52
    round: int | None = None
    tier: str | None = None
    report: Mapping[str, Any] | None = None


def enter(
    table: GamingTable,
    user: Any,
    hand: EnteredHand,
    *,
    newest: int,
    second: Reauthenticated | None = None,
    key: uuid.UUID | None = None,
) -> commands.Answer:
    """Enter a hand with what is known of it; the writer's answer names its claim.

    `newest`: `newest_claim` as the form showed it. A hand that came since is looked at first.
    `second`: who signs beside it. Asked for while the table's unit is heard; nobody waits for a
    proposal, as the place of the hand is now.
    """
    require(user, "enter_hand", table.system)
    note = required_text(
        hand.note, _("Enter why the hand is entered here: what is wrong with the unit.")
    )
    heard = is_online(table)
    beside = second.user if second is not None else None
    _require_second(table, heard, user, beside)
    people = [user, *([beside] if beside is not None else [])]
    at_play = staff_play.playing().filter(staff_play.counting(), table=table)
    if at_play.filter(person__in=people).exists():
        raise OwnHand(_(_OWN))
    if hand.round is not None:
        for each in people:
            staff_play.require_apart_of_round(table, hand.round, each)
    if hand.report is None and not hand.seats:
        raise BadReport(_("Enter the seat of the hand."))
    body: dict[str, Any] = {"table": table.code, "game": hand.game, "deck": hand.deck}
    body |= {"round": hand.round, "seats": list(hand.seats), "tier": hand.tier}
    body |= {"seen": newest, "note": note}
    body |= {"unit": "online" if heard else "offline"}
    body |= {"report": read_report(hand.report)} if hand.report is not None else {}
    try:
        msgspec.convert(body, EnterHand)
    except msgspec.ValidationError as fault:
        raise BadReport(
            _("This hand cannot be read: %(fault)s. Nothing was entered.") % {"fault": fault}
        ) from fault
    ruling = Ruling(kind=Ruling.Kind.ENTER, table=table, round=hand.round, note=note)
    # Somebody sat down a moment ago, or the unit came back.
    with guards.in_words((("own_hand: ", OwnHand, _OWN), ("unit_online: ", SecondNeeded, _ONLINE))):
        ruling = queued(ruling, body, user, key=key, beside=beside)
    answer = answer_of(ruling)
    catch_up(table.system)
    return answer


def is_online(table: GamingTable) -> bool:
    """Whether the table's unit was heard recently: then the dealer has a handset."""
    presence = UnitPresence.objects.filter(table=table).first()
    return presence is not None and is_heard(presence, timezone.now())


def _require_second(table: GamingTable, heard: bool, user: Any, beside: Any) -> None:
    """While the unit is heard nobody takes a place on the console alone."""
    if beside is None:
        if heard:
            raise SecondNeeded(_(_ONLINE))
        return
    if beside.pk == user.pk:
        raise SamePerson(_("The second person must be somebody else."))
    require(beside, SECOND, table.system)


def name_round(
    claim: Claim, user: Any, round_: int | None, note: str, *, key: uuid.UUID | None = None
) -> commands.Answer:
    """Say in which round the hand of this claim was; a hand of the unit in it is the same one.

    None: the unit recorded nothing of it, and is waited for no longer.
    """
    note_text = required_text(note, _("Enter the evidence: the unit's counter, footage reference."))
    with action_log.locked(claim):
        action = _begin(claim, Action.Kind.NAME_ROUND, user, key, round=round_, note=note_text)
        if action is None:
            hit = hit_of(claim)
            if not is_awaited(hit):
                raise WrongState(_("The round of this hand is known: nothing was changed."))
            body = {"hit": hit.number, "table": hit.table.code, "round": round_, "note": note_text}
            action = _queued(claim, Action.Kind.NAME_ROUND, user, hit, body, key)
    return action_log.answer_of(claim, action)


def separate(
    claim: Claim, user: Any, note: str, *, key: uuid.UUID | None = None
) -> commands.Answer:
    """Say that the unit's hand of this claim is none of those that were entered here."""
    note_text = required_text(
        note, _("Enter the evidence that these are two hands: footage reference.")
    )
    with action_log.locked(claim):
        action = _begin(claim, Action.Kind.SEPARATE, user, key, note=note_text)
        if action is None:
            hit = hit_of(claim)
            if not is_required(hit):
                raise WrongState(
                    _("It is already decided which hand this is: nothing was changed.")
                )
            body = {"hit": hit.number, "note": note_text}
            action = _queued(claim, Action.Kind.SEPARATE, user, hit, body, key)
    return action_log.answer_of(claim, action)


def unpair(claim: Claim, user: Any, note: str, *, key: uuid.UUID | None = None) -> commands.Answer:
    """Say that what the unit sent is not the hand of this claim, though it was paired with it."""
    note_text = required_text(
        note, _("Enter the evidence that these are two hands: footage reference.")
    )
    with action_log.locked(claim):
        action = _begin(claim, Action.Kind.UNPAIR, user, key, note=note_text)
        if action is None:
            hit = hit_of(claim)
            if not is_paired(hit):
                raise WrongState(_("No hand of the table unit is paired with this one."))
            body = {"hit": hit.number, "note": note_text}
            action = _queued(claim, Action.Kind.UNPAIR, user, hit, body, key)
    return action_log.answer_of(claim, action)


def _begin(claim: Claim, kind: str, user: Any, key: uuid.UUID | None, **body: Any) -> Action | None:
    require(user, "enter_hand", claim.system)
    return action_log.already_done(claim, kind, user, key, **body)


def _queued(
    claim: Claim, kind: str, user: Any, hit: Hit, body: dict[str, Any], key: uuid.UUID | None
) -> Action:
    number = action_log.queue(claim, kind, body, user)
    fields: dict[str, Any] = {name: body[name] for name in ("round", "note") if name in body}
    return action_log.record(claim, hit, user, Decision(kind, fields, number), key)
