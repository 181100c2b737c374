"""Irregularities of the floor: what dealers ask for, missed rounds, and what was decided."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from jackpot.writer import commands
from rules.dead_hands import misdeals_asked_as
from settlement.approvals.proposals import open_proposals
from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.core.words.translation import translated
from settlement.floor import missed_rounds, rulings
from settlement.floor.table_status import standing_of
from settlement.models import Proposal, Ruling
from settlement.models.floor import missed_words
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.floor import decided_rulings
from settlement.pages.floor.ruling_forms import MissedForm, RulingForm
from settlement.pages.shared.choices import number_of, table_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.saved_views import has_views
from settlement.people.rights.permissions import name_of
from tables.models import GamingTable


@require_safe
@opens_for("view_claim")
@has_views("irregularities")
def irregularities(request: HttpRequest) -> HttpResponse:
    """Open requests first, then what shows missed rounds, then what was decided."""
    user = request.user
    waiting = open_proposals().filter(kind=Proposal.Kind.MISSED_ROUNDS)
    tables = list(GamingTable.objects.select_related("system").order_by("system__name", "pk"))
    return render(
        request,
        "console/floor/irregularities.html",
        {
            "requests": rulings.open_requests(*rulings.ON_ROUNDS),
            "signals": missed_rounds.signals(),
            "proposals": [
                {
                    "row": row,
                    "missed": _missed(row),
                    "who": name_of(row.person),
                    "own": row.person_id == user.pk,
                }
                for row in waiting
            ],
            "to_countersign": [
                (row, name_of(row.person)) for row in missed_rounds.to_countersign()
            ],
            "void_reasons": {code: translated(text) for code, (_, text) in rulings.VOIDS.items()},
            "may_rule": user.has_perm("settlement.rule_round"),
            "may_credit": user.has_perm("settlement.credit_missed"),
            "may_agree": user.has_perm("settlement.second_missed"),
            "may_countersign": user.has_perm("settlement.countersign_missed"),
            "longest_note": LONGEST_TEXT,
            "tables": [each for each in tables if each.moved_to_id is None],
            **decided_rulings.part_of(request, tables),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("rule_round")
def round_ruling(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """Declare a round void or cancel it, on a dealer's request or without one."""
    gaming_table, dealer_request = table_or_404(system, table), _dealer_request(request)
    first: dict[str, Any] = {
        "round": dealer_request.round if dealer_request else number_of(request, "round")
    }
    (standing,) = standing_of([gaming_table])
    game = (standing.session or {}).get("game")
    if dealer_request is not None and dealer_request.entry.type == "void_requested":
        first["reason"] = _as_asked(getattr(dealer_request.message, "reason", ""), game)
    data = request.POST if request.method == "POST" else None
    form = RulingForm(data, initial=first, game=game)
    if form.is_valid():
        kind, reason, misdeal = form.decided
        try:
            answer = rulings.decide(
                rulings.RoundRuling(
                    kind,
                    gaming_table,
                    form.cleaned_data["round"],
                    reason=reason,
                    note=form.cleaned_data["note"],
                    misdeal=misdeal,
                ),
                request.user,
                request=dealer_request,
                key=form.cleaned_data["key"],
            )
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
            form.renew_key()
        else:
            _tell(request, answer, gettext("Decided: the round is taken back in the order."))
            return redirect("irregularities")
    context = {
        "form": form,
        "table": gaming_table,
        "asked": dealer_request,
        "casino": gaming_table.system.casino,
    }
    status = REFUSED if form.is_bound else 200
    return render(request, "console/floor/round_ruling.html", context, status=status)


def _as_asked(reason: str, game: str | None) -> str:
    """The choice that the dealer's request comes to, where it is one."""
    codes = [each.code for each in misdeals_asked_as(reason, game)]
    return f"{Ruling.Kind.VOID}:{reason}:{codes[0]}" if len(codes) == 1 else ""


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("credit_missed")
def missed_credit(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """Credit missed rounds: alone within the limit, above it as a proposal."""
    gaming_table, report = table_or_404(system, table), _dealer_request(request)
    first: dict[str, Any] = {"count": getattr(report.message, "count", None) if report else None}
    if (number := number_of(request, "round")) is not None:
        first |= {"count": 1, "rounds": str(number)}
        first |= {"what": "completion"} if "completion" in request.GET else {}
    entry = report.entry.seq if report else number_of(request, "entry")
    digits = gaming_table.system.casino.minor_digits
    form = MissedForm(
        request.POST if request.method == "POST" else None, initial=first, digits=digits
    )
    if form.is_valid():
        try:
            outcome = missed_rounds.credit(
                gaming_table,
                request.user,
                form.missed([entry] if entry else []),
                request=report,
                key=form.cleaned_data["key"],
            )
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
            form.renew_key()
        else:
            if isinstance(outcome, Proposal):
                messages.success(
                    request,
                    gettext("Above today's limit: proposed, and a second person must approve it."),
                )
            else:
                _tell(request, outcome, gettext("Credited. A casino manager countersigns it."))
            return redirect("irregularities")
    context = {
        "form": form,
        "table": gaming_table,
        "asked": report,
        "entry": entry,
        "left": missed_rounds.left_today(gaming_table),
        "uncompleted": missed_rounds.uncompleted(gaming_table),
        "casino": gaming_table.system.casino,
    }
    status = REFUSED if form.is_bound else 200
    return render(request, "console/floor/missed_credit.html", context, status=status)


@require_POST
@opens_for("rule_round")
def request_refuse(request: HttpRequest, number: int) -> HttpResponse:
    """A request is not followed; the reason is kept. `number` is that of its event."""
    dealer_request = rulings.request_of(number)
    if dealer_request is None:
        raise Http404(gettext("There is no request %(number)s.") % {"number": number})
    try:
        rulings.refuse(dealer_request, request.user, request.POST.get("note", ""))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, gettext("Refused: nothing was changed, and the reason is kept."))
    return redirect("irregularities")


@require_POST
@opens_for("countersign_missed")
def missed_countersign(request: HttpRequest, number: int) -> HttpResponse:
    """A second person has looked at missed rounds that one credited alone."""
    ruling = get_object_or_404(Ruling, pk=number, kind=Ruling.Kind.MISSED)
    try:
        missed_rounds.countersign(ruling, request.user, request.POST.get("note", ""))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, gettext("Countersigned."))
    return redirect("irregularities")


def _missed(proposal: Proposal) -> str:
    body = proposal.body
    return missed_words(body["count"], is_completion=body.get("completion", False))


def _dealer_request(request: HttpRequest) -> rulings.Request | None:
    """The request that the address names, while nobody has decided on it."""
    number = number_of(request, "request")
    return rulings.request_of(number) if number is not None else None


def _tell(request: HttpRequest, answer: commands.Answer, notice: str) -> None:
    if answer.seq is None:
        messages.warning(request, gettext("Queued: it is carried out when the system resumes."))
    else:
        messages.success(request, notice)
