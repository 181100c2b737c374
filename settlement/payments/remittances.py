"""Handing withheld tax over to the tax authority: entered by its person, reversed where wrong.

A remittance is a row and a command of the same transaction, so that the order says it, too. What
the order refuses moved nothing and stays as a row that says so.
"""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from jackpot.domain.command_handlers.remittances import MOST
from jackpot.domain.state.books import TAX_ACCOUNTS
from jackpot.labels.figures import write_exact
from jackpot.models import Account, Entry
from jackpot.writer import commands
from settlement.core import guards
from settlement.core.errors import USED, BadFigure, Declined, KeyUsed, WrongState
from settlement.core.input import required_text
from settlement.models import TaxRemittance
from settlement.models.payouts import LONGEST_REFERENCE, REMIT, REVERSE
from settlement.people.rights.permissions import require
from tables.models import JackpotSystem


@dataclass(frozen=True, slots=True)
class TaxBalance:
    """What a system withheld, in micros: `due` to the tax authority, and `remitted` to it."""

    due: int
    remitted: int


@dataclass(frozen=True, slots=True)
class Remittance:
    """A row of the list. `refused`: why the order did not take it; `is_queued`: it waits."""

    row: TaxRemittance
    refused: str
    is_queued: bool
    reversed_by: TaxRemittance | None

    @property
    def can_be_reversed(self) -> bool:
        return self.row.kind == REMIT and not (self.refused or self.is_queued or self.reversed_by)


def balance(system: JackpotSystem) -> TaxBalance:
    held = dict(
        Account.objects.filter(system=system, code__in=TAX_ACCOUNTS).values_list("code", "balance")
    )
    return TaxBalance(*(held.get(account, 0) for account in TAX_ACCOUNTS))


def remit(
    system: JackpotSystem, user: Any, amount: int, reference: str, *, key: uuid.UUID | None = None
) -> TaxRemittance:
    """Enter that so much withheld tax (micros) was remitted, under the reference of the transfer.

    BadFigure where less is withheld; Declined where the order judged otherwise at its place.
    """
    require(user, "remit_tax", system)
    reference = required_text(
        reference, _("Enter the reference of the transfer."), LONGEST_REFERENCE
    )
    row = TaxRemittance(kind=REMIT, amount=amount, reference=reference)
    if (earlier := _remittance_of_key(system, user, key, row)) is not None:
        return earlier
    due = balance(system).due
    if not 0 < amount <= min(due, MOST):
        words = {"due": write_exact(due, system.casino.minor_digits)}
        raise BadFigure(_("Withheld and not remitted are %(due)s: enter no more.") % words)
    return _enter(system, user, row, {"amount": amount, "reference": reference}, key)


def reverse(
    remittance: TaxRemittance, user: Any, reason: str, *, key: uuid.UUID | None = None
) -> TaxRemittance:
    """Undo a remittance that did not take place, or not so: the tax is withheld again."""
    system = remittance.system
    require(user, "remit_tax", system)
    reason = required_text(reason, _("Enter why it is reversed."))
    row = TaxRemittance(kind=REVERSE, amount=remittance.amount, reverses=remittance, reason=reason)
    if (earlier := _remittance_of_key(system, user, key, row)) is not None:
        return earlier
    if remittance.kind != REMIT or TaxRemittance.objects.filter(reverses=remittance).exists():
        raise WrongState(_("This remittance is reversed already."))
    if not Entry.objects.filter(
        system=system, command=remittance.command, outcome__remitted__isnull=False
    ).exists():
        raise WrongState(
            _("This remittance has no sequence number yet: there is nothing to reverse.")
        )
    body = {"remittance": remittance.command, "amount": row.amount, "reason": reason}
    return _enter(system, user, row, body, key)


def _remittance_of_key(
    system: JackpotSystem, user: Any, key: uuid.UUID | None, row: TaxRemittance
) -> TaxRemittance | None:
    """What this key entered before: a second click answers for the first."""
    remittance = TaxRemittance.objects.filter(key=key).first() if key else None
    if remittance is None:
        return None
    same = ("kind", "amount", "reference", "reverses_id", "reason")
    is_it = (remittance.system_id, remittance.person_id) == (system.pk, user.pk)
    if not is_it or any(getattr(remittance, name) != getattr(row, name) for name in same):
        raise KeyUsed(USED)
    return remittance


def _enter(
    system: JackpotSystem,
    user: Any,
    row: TaxRemittance,
    body: dict[str, Any],
    key: uuid.UUID | None,
) -> TaxRemittance:
    row.system, row.person, row.key = system, user, key or uuid.uuid4()
    with guards.in_words():
        row.command = commands.queue(system, row.kind, body, first=user.get_username())
        row.save(force_insert=True)
    answer = commands.wait(system, row.command)
    if answer.refused:
        raise Declined(answer.refused)
    return row


def remittances_of(system: JackpotSystem, since: dt.datetime | None = None) -> list[Remittance]:
    """All of a system, or those since then; the newest first."""
    rows = TaxRemittance.objects.filter(system=system).select_related("person", "reversed_by")
    if since is not None:
        rows = rows.filter(at__gte=since)
    rows = rows.order_by("-pk")
    outcomes = dict(
        Entry.objects.filter(system=system, command__in=[row.command for row in rows]).values_list(
            "command", "outcome"
        )
    )
    return [
        Remittance(
            row,
            outcomes.get(row.command, {}).get("refused", ""),
            row.command not in outcomes,
            getattr(row, "reversed_by", None),
        )
        for row in rows
    ]
