"""What people gather on a claim: the deck counted off, footage reviewed, notes.

Nothing here moves money, and nothing is changed afterwards: a correction is a new row.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable
from typing import Any, TypedDict, Unpack

from django.utils.translation import gettext as _

from jackpot.hits.states import HitState
from settlement.approvals import action_log
from settlement.approvals.capacities import require_for
from settlement.claims.services import hit_of
from settlement.core.errors import USED, BadEvidence, KeyUsed, WrongState
from settlement.core.input import text_within
from settlement.evidence import deck
from settlement.evidence.assessment import examine
from settlement.models import Claim, Footage, Note
from settlement.models.evidence import FINDING_LENGTH, NAME_LENGTH, NOTE_LENGTH
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import require


def count_deck(
    claim: Claim, user: Any, cards: Iterable[str], taken_back: Iterable[str] = ()
) -> int:
    """Tick cards off, or take ticks back; how many changed. Several people may count at once."""
    require_for(claim, user, "verify_claim")
    with action_log.locked(claim):
        staff_play.require_apart(claim, user)
        hit = hit_of(claim)
        if hit.state != HitState.HELD:
            raise WrongState(_("The claim is decided: its deck can no longer be counted."))
        remaining = examine(hit).remaining
        if not remaining:
            raise WrongState(
                _("There is only a call so far: the deck is counted once the hand is reported.")
            )
        before = deck.count_of(claim, remaining)
        return deck.tick(claim, user, before, set(cards), set(taken_back))


class Review(TypedDict):
    """Who of surveillance looked at which camera, from when to when, and what was seen."""

    reviewer: str
    camera: str
    since: dt.datetime
    until: dt.datetime
    reference: str
    finding: str


def add_footage(
    claim: Claim, user: Any, *, key: uuid.UUID | None = None, **review: Unpack[Review]
) -> None:
    """Keep that surveillance reviewed the footage (19.12)."""
    require(user, "add_footage", claim.system)
    texts = {
        "reviewer": _text(_("The reviewer"), review["reviewer"], NAME_LENGTH),
        "camera": _text(_("The camera"), review["camera"], NAME_LENGTH),
        "reference": _text(_("The reference"), review["reference"], NAME_LENGTH),
        "finding": _text(_("What was seen"), review["finding"], FINDING_LENGTH),
    }
    since, until = review["since"], review["until"]
    if until < since:
        raise BadEvidence(_("The footage ends before it begins: correct its times."))
    row = Footage(
        claim=claim, person=user, since=since, until=until, key=key or uuid.uuid4(), **texts
    )
    with action_log.locked(claim):
        staff_play.require_apart(claim, user)
        _keep(row)


def add_note(claim: Claim, user: Any, text: str, *, key: uuid.UUID | None = None) -> None:
    """Write something down for whoever reads the claim next."""
    require(user, "add_note", claim.system)
    note = Note(
        claim=claim,
        person=user,
        text=_text(_("The note"), text, NOTE_LENGTH),
        key=key or uuid.uuid4(),
    )
    with action_log.locked(claim):
        staff_play.require_apart(claim, user)
        _keep(note)


def _keep(row: Footage | Note) -> None:
    """Write it down; a form that was sent twice is one row, and with other words KeyUsed."""
    rows: Any = type(row)._default_manager
    rows.bulk_create([row], ignore_conflicts=True)
    names = [field.attname for field in row._meta.concrete_fields]
    columns = [name for name in names if name not in ("id", "at")]
    if rows.values_list(*columns).get(key=row.key) != tuple(getattr(row, name) for name in columns):
        raise KeyUsed(USED)


def _text(what: str, raw_text: str, longest: int) -> str:
    """What was typed, as it can be kept."""
    text = text_within(raw_text, longest)
    if text is None:
        raise BadEvidence(
            _("%(what)s is too long: at most %(longest)s characters.")
            % {"what": what, "longest": longest}
        )
    if not text:
        raise BadEvidence(_("%(what)s is missing.") % {"what": what})
    return text
