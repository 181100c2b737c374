"""The cage: all payees of a claim in one table, identified and paid there.

Each line is judged by itself: what failed is said at it, what was typed stays, the others are paid.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from jackpot.hits.columns import PayeeLine
from jackpot.hits.states import DECIDED
from jackpot.models import Entry, Hit
from jackpot.writer import commands
from settlement.claims import services as claims
from settlement.claims.claim_status import status_of_payment
from settlement.claims.detail import detail_of
from settlement.claims.lookup import claim_named
from settlement.core.errors import NotPermitted, RuleBroken, WrongPassword
from settlement.core.gaming_day import today
from settlement.evidence import identification
from settlement.evidence import records as evidence
from settlement.evidence import sharers as sharing
from settlement.exclusions import stops as exclusions
from settlement.jurisdiction.forms_due import FormDue, forms_by_line
from settlement.jurisdiction.payments import (
    Duty,
    PayeeStatement,
    PaymentRequirements,
    requirements,
)
from settlement.jurisdiction.rules import PackError, rules_at
from settlement.models import Action, Claim, Payout, Sharer
from settlement.pages.claims.actions import REFUSED, queue_words, refusal_text
from settlement.pages.claims.panels.parts import capacity
from settlement.pages.claims.queue.next_action import blocked_reason
from settlement.pages.payments.cage_form import PayeeForm, SignForm
from settlement.pages.shared.decorators import opens_for
from settlement.payments.cage import LinePayment, pay_lines
from settlement.payments.form_drafts import may_draft
from settlement.people.rights.permissions import Reauthenticated, name_of
from settlement.signatures import policy
from settlement.signatures.signing import sign_or_reauthenticate

Failed = Mapping[int, list[str]]  # by line, in words


@dataclass
class Row:
    """A payee in the table; `form` where something can be paid now."""

    line: PayeeLine
    capacity: str
    identified: identification.Recorded | None
    payouts: list[tuple[Payout, str]]  # with the cashier's name
    queued: Action | None
    form: PayeeForm | None
    player: identification.Player | None = None
    failed: list[str] = field(default_factory=list)
    forms: list[FormDue] = field(default_factory=list)  # that its payments ask for
    excluded: tuple[exclusions.Match, ...] = ()  # lists of excluded persons that the player is on
    needed: PaymentRequirements | None = None  # what paying all of it asks for
    residence: str = ""  # of its player, as said at an earlier payment or by the identification
    sharers: list[Sharer] = field(default_factory=list)  # who sat nowhere and shares what it won
    is_first: bool = False  # of those that can be paid now

    @property
    def is_open(self) -> bool:
        """Whether a telephone shows its form before somebody unfolds it."""
        return self.is_first or (self.form is not None and not self.form.is_empty)

    @property
    def duties(self) -> list[Duty]:
        return self.needed.duties(self.residence) if self.needed else []

    @property
    def net(self) -> int:
        """What is handed over of all that is due, by what is known of the player."""
        tax = self.needed.tax(PayeeStatement(self.residence)) if self.needed else 0
        return self.line.rest - tax

    @property
    def percents(self) -> dict[str, str]:
        """The part that is withheld by residence, and of whom gives no taxpayer number."""
        return {
            f"{home}{'-without' if bare else ''}": f"{self.needed.percent(each):f}"
            for home in ("any", *Payout.Residence.values)
            for bare in (False, True)
            if self.needed is not None
            for each in [PayeeStatement(home, bare)]
        }


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@opens_for("pay_claim")
def cage(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """The payees of a claim; a POST identifies players, pays one line, or all that was typed."""
    claim = claim_named(request.method, system, number)
    if request.method != "POST":
        return _page(request, claim)
    if request.POST.get("do") == "look":
        return _looked(request, claim)
    if request.POST.get("do") == "identify":
        return _identified(request, claim)
    return _paid(request, claim)


@sensitive_variables()
def _looked(request: HttpRequest, claim: Claim) -> HttpResponse:
    """The same table with who they are: what was typed stays, and the look is recorded."""
    try:
        players = identification.look(claim, request.user, "pay")
    except NotPermitted as error:
        raise PermissionDenied(str(error)) from error
    return _page(request, claim, players=players)


@sensitive_variables()
def _identified(request: HttpRequest, claim: Claim) -> HttpResponse:
    """Record the players that were typed; amounts that were typed stay."""
    failed: dict[int, list[str]] = {}
    count = 0
    typed = [row.form for row in _rows(claim, request.POST) if row.form and row.form.names_somebody]
    for form in typed:
        form.is_valid()  # amounts may still be wrong: nothing is paid here
        if why := _identify(claim, request.user, form):
            failed[form.line] = why
        else:
            count += 1
    if not count and not failed:
        messages.error(
            request, _("Type who a player is: the name, the date of birth, the document.")
        )
    if count:
        messages.success(
            request,
            ngettext("%(count)s player identified.", "%(count)s players identified.", count)
            % {"count": count},
        )
    status = REFUSED if failed or not count else 200
    return _page(request, claim, status, failed=failed)


@sensitive_variables()
def _identify(claim: Claim, user: Any, form: PayeeForm) -> list[str]:
    """Record who the player of this line is; what is wrong with it, in words."""
    if any(name in form.errors for name in ("name", "born", "document", "document_number")):
        return [_("The player is not identified yet: see the fields.")]
    player, key = form.player, form.cleaned_data.get("key")
    try:
        if player:
            once = uuid.uuid5(key, "player") if key else None  # a form sent twice is one
            identification.identify(
                claim, user, identification.PlayerIdentity(seat=form.seat, **player), key=once
            )
    except RuleBroken as error:
        return [refusal_text(error)]
    return []


def _paid(request: HttpRequest, claim: Claim) -> HttpResponse:
    """Pay what was typed: of one line, or of all, with the password once."""
    rows = [row for row in _rows(claim, request.POST) if row.form and not row.form.is_empty]
    if "line" in request.POST:
        rows = [row for row in rows if str(row.line.line) == request.POST["line"]]
    if not rows:
        messages.error(request, _("Nothing was paid: enter what is handed over to a payee."))
        return _page(request, claim, REFUSED)
    try:
        person = sign_or_reauthenticate(request, request.POST.get("password", ""))
    except WrongPassword as error:
        sign = SignForm(request.POST)
        sign.add_error("password", str(error))
        return _page(request, claim, REFUSED, sign=sign)
    failed, payments = _carry_out(claim, person, [row.form for row in rows if row.form])
    if any(answer.seq is None for answer in payments.values()):
        messages.warning(request, queue_words(claim))
    elif payments:
        text = ngettext(
            "Paid: one payee. Print the slips and have them signed.",
            "Paid: %(count)s payees. Print the slips and have them signed.",
            len(payments),
        )
        messages.success(request, text % {"count": len(payments)})
    if failed:
        text = _(
            "Not paid: %(count)s. The reason is shown at each payee; your entries are still there."
        ) % {"count": len(failed)}
        messages.error(request, text)
        return _page(request, claim, REFUSED, failed=failed)
    return redirect(request.path)


@sensitive_variables()
def _carry_out(
    claim: Claim, person: Reauthenticated, forms: list[PayeeForm]
) -> tuple[dict[int, list[str]], dict[int, commands.Answer]]:
    """By line: why it was not paid; the writer's answer where it was."""
    failed: dict[int, list[str]] = {}
    line_payments = {}
    for form in forms:
        if not form.is_valid():
            failed[form.line] = [_("See the fields.")]
        elif why := _identify(claim, person.user, form):
            failed[form.line] = why
        elif any(form.parts.values()):
            key = form.cleaned_data["key"]
            line_payments[form.line] = LinePayment(form.parts, key, form.statement)
    payments = {}
    for line, outcome in pay_lines(claim, person, line_payments).items():
        if isinstance(outcome, RuleBroken):
            failed[line] = [refusal_text(outcome)]
        else:
            payments[line] = outcome
    return failed, payments


# --- the table ------------------------------------------------------------------------------


def _rows(claim: Claim, data: Any, failed: Failed = MappingProxyType({})) -> list[Row]:
    """A row for each line of the claim; `data`: what was typed, `failed`: why, by line."""
    hit = claims.hit_of(claim)
    seats, is_shared = identification.recorded_with_sharers(claim)
    identified = {row.seat: row for row in seats}
    standing = sharing.standing(claim) if is_shared else []
    payouts = list(Payout.objects.filter(claim=claim).annotate(printed=Count("prints")))
    actions = list(claim.actions.filter(kind=Action.Kind.PAY).select_related("person"))
    names = {action.person.get_username(): name_of(action.person) for action in actions}
    queued = _queued(claim, actions)
    excluded = exclusions.of_claim(claim)
    roles = _identity_roles(hit)
    homes = {action.body["seat"]: _residence(action) for action in actions}
    needed = _needed(claim, hit)
    rows = []
    for line in hit.payee_lines:
        number, seat = line.line, line.seat
        home = homes.get(seat) or (needed[number].home if number in needed else "")
        payable = hit.state in DECIDED and line.is_payable
        form = None
        if payable and number not in queued and seat not in excluded:
            is_due = line.role in roles or _is_identification_due(needed.get(number))
            asks = seat not in identified and is_due
            bound = data if data is not None and f"l{number}-key" in data else None
            form = PayeeForm(
                bound,
                line=line,
                digits=claim.system.casino.minor_digits,
                asks=asks,
                needed=needed.get(number),
                residence=home,
            )
            if number in failed:
                form.renew_key()
        rows.append(
            Row(
                line,
                capacity(line.role, (each.role for each in hit.payee_lines)),
                identified.get(seat),
                [(each, names[each.cashier]) for each in payouts if each.line == number],
                queued.get(number),
                form,
                excluded=excluded.get(seat, ()) if line.rest else (),
                failed=list(failed.get(number, ())),
                needed=needed.get(number) if form else None,
                residence=home,
                sharers=[each for each in standing if each.seat == seat],
            )
        )
    return rows


def _is_identification_due(needed: PaymentRequirements | None) -> bool:
    """Whether the rules of the place ask who the player is before that much is paid."""
    return needed is not None and any(rule.rule == "identification" for rule in needed.rules)


def _needed(claim: Claim, hit: Hit) -> Mapping[int, PaymentRequirements]:
    """By line what paying all that is due asks for; nothing where the pack cannot be read, which
    the payment itself would be refused for."""
    try:
        return requirements(
            claim, hit, [(line, line.rest) for line in hit.payee_lines if line.is_payable]
        )
    except PackError:
        return {}


def _pack_fault(claim: Claim) -> str:
    """Why no payment can be judged, where that is so."""
    casino = claim.system.casino
    try:
        rules_at(casino, today(casino))
    except PackError as fault:
        return str(fault)
    return ""


def _residence(action: Action) -> str:
    withheld: dict[str, Any] = action.body.get("withholding", {})
    return str(withheld.get("residence", ""))


def _identity_roles(hit: Hit) -> tuple[str, ...]:
    """Whose players are identified before they are paid: a share of the table asks nobody."""
    requirements = evidence.posted(hit).requirements(hit.confirmed)
    return ("winner", "loser") if "identity" in requirements else ()


def _queued(claim: Claim, actions: list[Action]) -> dict[int, Action]:
    """Payments by line that the order has not taken yet."""
    numbers = [action.command for action in actions]
    entries = Entry.objects.filter(system=claim.system_id, command__in=numbers)
    commands = set(entries.values_list("command", flat=True))
    return {action.body["line"]: action for action in actions if action.command not in commands}


def _page(
    request: HttpRequest,
    claim: Claim,
    status: int = 200,
    *,
    failed: Failed = MappingProxyType({}),
    players: list[identification.Player] | None = None,
    sign: SignForm | None = None,
) -> HttpResponse:
    """What was typed stays in the form."""
    detail = detail_of(claim)
    hit = detail.hit
    rows = _rows(claim, request.POST if request.method == "POST" else None, failed)
    paid = [payout for row in rows for payout, _cashier in row.payouts]
    forms = forms_by_line(hit.system.casino, paid) if may_draft(request.user, hit.system) else {}
    for row in rows:
        row.forms = forms.get(row.line.line, [])
        row.player = next((p for p in players or () if p.seat == row.line.seat), None)
    to_pay = [row for row in rows if row.form]
    for row in to_pay[:1]:
        row.is_first = True
    context = {
        "claim": claim,
        "hit": hit,
        "system": hit.system,
        "casino": hit.system.casino,
        "rows": rows,
        "to_pay": to_pay,
        "blocked_reason": blocked_reason(
            Action.Kind.PAY, status_of_payment(detail, {}), request.user
        ),
        "excluded": [
            exclusions.stopped_in_words(seat)
            for seat in dict.fromkeys(row.line.seat for row in rows if row.excluded)
        ],
        "sign": sign or SignForm(signed=policy.is_asked_of_action(claim, Action.Kind.PAY, {})),
        "pack_fault": "" if any(row.needed for row in rows) else _pack_fault(claim),
        "looked": players is not None,
        "may_look": any(row.identified for row in rows),
    }
    return render(request, "console/payments/cage.html", context, status=status)
