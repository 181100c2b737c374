"""Sharers: people who sat nowhere and have a part of what a seat won, as its player said.

The player is paid all of it and takes it for them; forms name each with the own part. Who they are
is an identification like that of a player: sealed, looked at by a recorded look, held against lists
of excluded persons. A wrong row is reversed by a further one, and never changed; after a payment
both are corrections, which say why.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from jackpot.hits.states import DECIDED, PayeeState
from jackpot.labels.figures import write_amount
from jackpot.models import Hit
from settlement.approvals import action_log
from settlement.core.errors import USED, BadSharer, KeyUsed, WrongState
from settlement.core.input import clean_text, required_text
from settlement.evidence.identification import (
    PlayerIdentity,
    identify_sharer,
    is_identified_as,
)
from settlement.models import Action, Claim, Sharer
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import require
from tables.models import Casino

PERMISSION = "add_identification"
Kind = Sharer.Kind


@dataclass(frozen=True, slots=True, repr=False)
class NewSharer:
    """A sharer of what `who.seat` won: `amount` of it, in micros. `replaces`: the number of the
    sharer in whose place this one is entered; `who` is the same person where no name was typed.
    `reason`: why, where that is so or something was paid already."""

    who: PlayerIdentity
    amount: int
    replaces: int | None = None
    reason: str = ""


@sensitive_variables()
def add(claim: Claim, user: Any, new: NewSharer, *, key: uuid.UUID | None = None) -> Sharer:
    """Enter somebody who shares what a seat won.

    BadSharer where that is not so, or more than it won, BadIdentification for who cannot be kept,
    WrongState after a payment without a reason, KeyUsed.
    """
    require(user, PERMISSION, claim.system)
    seat, reason = new.who.seat, clean_text(new.reason)
    if new.replaces:
        reason = required_text(reason, _("Enter why it is replaced."))
    if not new.who.name and (new.who.tax_number or new.who.address or new.who.country):
        raise BadSharer(_("Enter the name, the date of birth and the document."))
    with action_log.locked(claim):
        row = Sharer(claim=claim, seat=seat, kind=Kind.ADDED, amount=new.amount, reason=reason)
        if (earlier := _of_key(key, user, row)) is not None:
            _require_same_person(earlier, new)
            return earlier
        staff_play.require_apart(claim, user)
        _require_reason(claim, seat, reason)
        others = {each.pk: each for each in standing(claim) if each.seat == seat}
        replaced = others.pop(new.replaces) if new.replaces in others else None
        if new.replaces and replaced is None:
            raise WrongState(_("There is no such sharer of this seat: open the page again."))
        _require_left(claim, seat, new.amount, others.values())
        if replaced is not None:
            _enter(_reversal(replaced, reason), user, None)
        if replaced is not None and not new.who.name:
            row.identification_id = replaced.identification_id
        else:
            row.identification_id = identify_sharer(claim, user, new.who)
            _require_somebody_else(claim, row, others.values())
        return _enter(row, user, key)


def withdraw(sharer: Sharer, user: Any, reason: str, *, key: uuid.UUID | None = None) -> Sharer:
    """Take a sharer back, with a reason: the part is the player's own again."""
    claim = sharer.claim
    require(user, PERMISSION, claim.system)
    reason = required_text(reason, _("Enter why this sharer is withdrawn."))
    with action_log.locked(claim):
        row = _reversal(sharer, reason)
        if (earlier := _of_key(key, user, row)) is not None:
            return earlier
        staff_play.require_apart(claim, user)
        if sharer not in standing(claim):
            raise WrongState(_("This sharer is withdrawn already."))
        return _enter(row, user, key)


def of_claim(claim: Claim) -> list[Sharer]:
    """Every row, reversals too, in their order; nothing of who it is."""
    return list(claim.sharers.select_related("person", "reversed_by__person").order_by("pk"))


def standing(claim: Claim) -> list[Sharer]:
    """Those that nobody withdrew."""
    return [
        each
        for each in of_claim(claim)
        if each.kind == Kind.ADDED and not hasattr(each, "reversed_by")
    ]


def won_by_seat(hit: Hit) -> dict[int, int]:
    """What each seat won in a confirmed claim, but what was reversed before anything of it was
    paid; micros."""
    won: dict[int, int] = {}
    for line in hit.payee_lines if hit.state in DECIDED else ():
        if line.state != PayeeState.REVERSED or line.payments:
            won[line.seat] = won.get(line.seat, 0) + line.amount
    return won


def part_of(won: int, percent: Decimal, casino: Casino) -> int:
    """So much of what a seat won, in whole minor units: what is left over is the player's."""
    unit = 10 ** (6 - casino.minor_digits)
    return int(won * percent / 100 / unit) * unit


def is_paid(claim: Claim, seat: int) -> bool:
    """Whether somebody paid, or is about to pay, something to that seat."""
    return claim.actions.filter(kind=Action.Kind.PAY, body__seat=seat).exists()


def number_of(sharer: Sharer) -> int:
    """The number by which the person is known: that of the first identification by the document."""
    return _number("number_of_player(%s)", sharer.identification_id) or 0


def _number(call: str, *values: int) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {call}", values)
        (number,) = cursor.fetchone()
    return number


def _require_reason(claim: Claim, seat: int, reason: str) -> None:
    if not reason and is_paid(claim, seat):
        raise WrongState(
            _("Seat %(seat)s is paid: enter why you correct who shares it.") % {"seat": seat}
        )


def _require_left(claim: Claim, seat: int, amount: int, others: Iterable[Sharer]) -> None:
    """Raise BadSharer where the seat has not won so much more."""
    casino = claim.system.casino
    hit = Hit.objects.get(system=claim.system_id, number=claim.number)
    won = won_by_seat(hit).get(seat, 0)
    if not won:
        raise BadSharer(_("Choose a seat that won a part of this confirmed claim."))
    left = won - sum(each.amount for each in others)
    if amount <= 0 or amount % 10 ** (6 - casino.minor_digits):
        raise BadSharer(_("Enter an amount above zero, in whole units of the currency's coins."))
    if amount > left:
        values = {
            "left": write_amount(left, casino.minor_digits),
            "won": write_amount(won, casino.minor_digits),
            "seat": seat,
        }
        if left == won:
            raise BadSharer(_("Enter at most %(left)s: seat %(seat)s won no more.") % values)
        raise BadSharer(
            _("Enter at most %(left)s: seat %(seat)s won %(won)s, and others share it.") % values
        )


def _require_somebody_else(claim: Claim, row: Sharer, others: Iterable[Sharer]) -> None:
    """Raise BadSharer for the player, and for somebody who shares it already."""
    number = number_of(row)
    if number == _number("player_reference(%s, %s::smallint)", claim.pk, row.seat):
        raise BadSharer(
            _("This is the player of seat %(seat)s: enter only who shares the prize with them.")
            % {"seat": row.seat}
        )
    if number in {number_of(each) for each in others}:
        raise BadSharer(_("This person shares it already: replace that entry."))


def _reversal(sharer: Sharer, reason: str) -> Sharer:
    return Sharer(
        claim=sharer.claim,
        seat=sharer.seat,
        kind=Kind.WITHDRAWN,
        identification_id=sharer.identification_id,
        amount=sharer.amount,
        reverses=sharer,
        reason=reason,
    )


def _of_key(key: uuid.UUID | None, user: Any, row: Sharer) -> Sharer | None:
    """What this key entered before: a second click answers for the first."""
    earlier = Sharer.objects.filter(key=key).first() if key else None
    if earlier is None:
        return None
    names = ("claim_id", "seat", "kind", "amount", "reverses_id", "reason")
    differs = any(getattr(earlier, name) != getattr(row, name) for name in names)
    if differs or earlier.person_id != user.pk:
        raise KeyUsed(USED)
    return earlier


@sensitive_variables()
def _require_same_person(earlier: Sharer, new: NewSharer) -> None:
    """Raise KeyUsed where the key entered somebody else."""
    if new.who.name or not new.replaces:
        is_same = is_identified_as(earlier.identification_id, new.who)
    else:
        replaced = Sharer.objects.filter(claim=earlier.claim_id, pk=new.replaces)
        is_same = replaced.filter(identification=earlier.identification_id).exists()
    if not is_same:
        raise KeyUsed(USED)


def _enter(row: Sharer, user: Any, key: uuid.UUID | None) -> Sharer:
    row.person, row.key = user, key or uuid.uuid4()
    row.save(force_insert=True)
    return row
