"""Drafts of forms with the data filled in, for those who may see who players are.

Nothing of a draft is kept: the look at the identification is, with its purpose. Which form a
payment asks for says `settlement.jurisdiction.forms_due`, and no other is drawn.
"""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from jackpot.labels.figures import write_count
from settlement.core.errors import NotPermitted, WrongState
from settlement.core.words.translation import in_english
from settlement.evidence import sharers
from settlement.evidence.identification import (
    PlayerIdentity,
    identities_on_form,
    identity_on_form,
    sharer_on_form,
)
from settlement.jurisdiction.filers import filer_of
from settlement.jurisdiction.forms_due import FormDue, forms_of
from settlement.jurisdiction.layouts import Layout, Section, load_layout
from settlement.jurisdiction.rules import paper_of
from settlement.jurisdiction.words import with_standing
from settlement.models import Payout
from settlement.payments.form_facts import (
    Payment,
    Style,
    facts_of,
    payments_of,
    person_facts,
    rows_of,
)
from settlement.payments.form_pdf import Cell, Draft, Part, draw
from settlement.payments.sharers import Place, sharer_rows, shares_of
from settlement.people.rights.permissions import may, name_of
from tables.models import JackpotSystem

DRAFTED_BY = ("pay_claim", "export_reports")  # beside the right to see who players are


def may_draft(user: Any, system: JackpotSystem) -> bool:
    """Who sees who players are, and pays or reports."""
    return may(user, "view_identification", system) and any(
        may(user, permission, system) for permission in DRAFTED_BY
    )


@sensitive_variables()
def draft_form(payout: Payout, draft: str, user: Any, sharer: int = 0) -> bytes:
    """The PDF of a form that this payment asks for, in the English of its authority. The look is
    recorded. `sharer`: of whom, by number, where that is not the payee."""
    system = payout.claim.system
    if not may_draft(user, system):
        raise NotPermitted(_("Your role does not allow this. Ask a colleague whose role does."))
    due = _due(payout, draft, sharer)
    layout, payments = load_layout(draft), payments_of(due)
    payment = next(each for each in payments if each.payout.pk == payout.pk)
    style = Style.of(layout, payout)
    shares = shares_of(due, payment, style.zone) if _names_sharers(layout) else []
    place = Place(0, sharer) if sharer else Place(payout.seat)
    players = _players(payout, user, place, everybody=bool(shares))
    if place not in players:
        raise WrongState(_("Nobody identified this player: do so first."))
    with in_english():
        filer = filer_of(payout.claim.system.casino)
        facts = facts_of(due, payment, payments, filer, style)
        facts |= person_facts(players[place], style)
        rows = {
            "payouts": rows_of(payments, style),
            "sharers": sharer_rows(shares, players, style),
        }
        return draw(
            Draft(
                layout=layout,
                casino=filer.name,
                parts=[_part(each, facts, rows) for each in layout.sections],
                foot=_foot(due, payments, user),
                condition=due.condition,
                paper=layout.paper or paper_of(system.casino),
            )
        )


def _names_sharers(layout: Layout) -> bool:
    return any(section.rows == "sharers" for section in layout.sections)


@sensitive_variables()
def _players(
    payout: Payout, user: Any, place: Place, *, everybody: bool
) -> dict[Place, PlayerIdentity]:
    """No more of them than the form names. One look is recorded."""
    numbers = {each.pk: each.identification_id for each in sharers.standing(payout.claim)}
    if everybody:
        seats, by_number = identities_on_form(payout.claim, user)
        return {Place(seat): player for seat, player in seats.items()} | {
            Place(0, number): by_number[identification]
            for number, identification in numbers.items()
        }
    if place.sharer:
        player = sharer_on_form(payout.claim, numbers[place.sharer], user)
    else:
        player = identity_on_form(payout.claim, place.seat, user)
    return {} if player is None else {place: player}


def _due(payout: Payout, draft: str, sharer: int) -> FormDue:
    casino = payout.claim.system.casino
    for each in forms_of(casino, [payout]).get(payout.pk, ()):
        of = {(part.payout, part.sharer) for part in each.payouts}
        if each.rule.draft == draft and (payout.pk, sharer) in of:
            return each
    raise WrongState(_("The local rules require no such form for this payment."))


@sensitive_variables()
def _part(section: Section, facts: dict[str, str], rows: dict[str, list[dict[str, str]]]) -> Part:
    if section.rows is None:
        hint = _("to be filled in by hand")
        cells = [
            Cell(box.box, box.name, facts[box.fact], box.width, hint)
            if box.fact
            else Cell(box.box, box.name, box.text, box.width)
            for box in section.boxes
        ]
        return Part(section.title, cells)
    heads = [Cell("", column.name, "", column.width) for column in section.columns]
    lines = [
        [row[column.fact] if column.fact else column.text for column in section.columns]
        for row in rows.get(section.rows, ())
    ]
    if section.rows != "payouts":
        lines += [[""] * len(heads)] * (section.count - len(lines))
    return Part(section.title, heads, lines)


def _foot(due: FormDue, payments: list[Payment], user: Any) -> list[str]:
    """Where the draft is from: nothing of it names the player."""
    casino = payments[0].payout.claim.system.casino
    now = timezone.now().astimezone(ZoneInfo(casino.timezone))
    entries = ", ".join(
        _("%(system)s entry %(entry)s")
        % {"system": each.detail.hit.system.name, "entry": write_count(each.payout.entry_seq)}
        for each in payments
    )
    return [
        _("%(rule)s: %(source)s.")
        % {"rule": with_standing(_("Rule"), due.rule), "source": due.rule.source},
        _("Payments in the order: %(entries)s.") % {"entries": entries},
        _("Drafted by %(who)s, %(at)s. No copy is kept; that the player was looked up is recorded.")
        % {"who": name_of(user), "at": f"{now:%-d %B %Y, %H:%M:%S %Z}"},
    ]
