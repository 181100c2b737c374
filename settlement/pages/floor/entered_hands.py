"""Entering a hand while a table's unit is offline, and saying which hand of the unit it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from jackpot.display.values import in_effect
from jackpot.models import Head
from jackpot.terms.document import tiers_at
from jackpot.writer import commands
from settlement.claims.lookup import claim_named
from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.floor import entered_hands
from settlement.floor.table_status import standing_of
from settlement.models import Claim
from settlement.pages.claims.actions import REFUSED, address_of, refusal_text
from settlement.pages.claims.report_forms import MOST_HANDS, NEW_HAND, HandForms, report_of
from settlement.pages.floor.entered_hand_form import EnterForm
from settlement.pages.shared.choices import table_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.people.factors.reauthentication import sign_beside
from settlement.people.rights.permissions import Reauthenticated, somebody_else_may
from tables.models import GamingTable
from tables.protocol.messages import MAX_INTEGER

_QUEUED = gettext_noop("Queued: it takes its place when the system resumes. Do not enter it twice.")


DECISIONS = ("round", "none", "apart", "unpair")


class PlaceForm(forms.Form):
    """In which round a hand was, or that nothing more comes of it."""

    key = forms.UUIDField()
    decision = forms.ChoiceField(choices=[(each, each) for each in DECISIONS])
    round = forms.IntegerField(required=False, min_value=1, max_value=MAX_INTEGER)
    note = forms.CharField(required=False, max_length=LONGEST_TEXT)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@opens_for("enter_hand")
def enter_hand(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """A hand at a table: called only, or with its cards."""
    row = table_or_404(system, table)
    digits = row.system.casino.minor_digits
    options: dict[str, Any] = {"digits": digits, "tiers": _tiers(row)}
    (standing,) = standing_of([row])
    if request.method != "POST":
        session = standing.session or {}
        begin = {"game": session.get("game"), "deck": session.get("deck", 52)}
        begin["newest"] = entered_hands.newest_claim(row)
        form = EnterForm(initial=begin, **options)
        return _page(request, row, standing, form, HandForms(initial=[NEW_HAND], prefix="hand"))
    if "add" in request.POST or "draw" in request.POST:
        form, hands = _as_typed(request, options)
        return _page(request, row, standing, form, hands)
    form = EnterForm(request.POST, **options)
    hands = HandForms(request.POST, prefix="hand")
    valid = form.is_valid()
    if has_cards := bool(form.cleaned_data.get("board")):
        valid = hands.is_valid() and valid
    if not has_cards and "board" not in form.errors:  # without cards no hand is judged
        _, hands = _as_typed(request, options)
    if not valid:
        return _page(request, row, standing, form, hands, REFUSED)
    values = form.cleaned_data
    try:
        answer = entered_hands.enter(
            row,
            request.user,
            _hand(form, hands if has_cards else None),
            newest=values["newest"],
            second=_beside(request, values),
            key=values["key"],
        )
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        form.renew_key()
        form.see(entered_hands.newest_claim(row))  # what was reported meanwhile is looked at first
        return _page(request, row, standing, form, hands, REFUSED)
    if answer.seq is None:
        messages.warning(request, gettext(_QUEUED))
        return redirect("table", row.system.code, row.code)
    messages.success(request, gettext("Entered: here is the hand's place."))
    return redirect("claim", row.system.code, answer.outcome["hit"])


def _hand(form: EnterForm, hands: Any) -> entered_hands.EnteredHand:
    """The hand as typed; without `hands`, its cards are not known."""
    values = form.cleaned_data
    return entered_hands.EnteredHand(
        game=values["game"],
        seats=values["seats"] or [],
        note=values["note"],
        deck=int(values["deck"]),
        round=values["round"],
        tier=values["tier"] if values["tier"] in form.prizes else None,
        report=report_of(form, hands) if hands is not None else None,
    )


def _beside(request: HttpRequest, values: Mapping[str, Any]) -> Reauthenticated | None:
    """The second person who signs in the form, where one is named."""
    name, password = values["second"], values["second_password"]
    return sign_beside(request, name, password, values["second_code"]) if name else None


@require_POST
@opens_for("enter_hand")
def hand_place(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """A person says in which round the hand was, or that it is another one."""
    claim, form = claim_named(request.method, system, number), PlaceForm(request.POST)
    if not form.is_valid():
        if {"key", "decision"} & form.errors.keys():
            raise BadRequest(gettext("The form arrived incomplete: open the page again."))
        messages.error(request, gettext("Write the number of the round."))
        return redirect(address_of(claim))
    values = form.cleaned_data
    if values["decision"] == "round" and values["round"] is None:
        messages.error(request, gettext("Write the number of the round."))
        return redirect(address_of(claim))
    if values["decision"] == "apart":
        return _placed(
            request,
            claim,
            lambda: entered_hands.separate(claim, request.user, values["note"], key=values["key"]),
            gettext("These are two hands: this one acts at its own place."),
        )
    if values["decision"] == "unpair":
        return _placed(
            request,
            claim,
            lambda: entered_hands.unpair(claim, request.user, values["note"], key=values["key"]),
            gettext("The pairing is undone: enter the round of this hand."),
        )
    round_ = values["round"] if values["decision"] == "round" else None
    return _placed(
        request,
        claim,
        lambda: entered_hands.name_round(
            claim, request.user, round_, values["note"], key=values["key"]
        ),
        gettext("Noted. What the unit sends of this round belongs to this claim.")
        if round_
        else gettext("The console no longer waits for the unit's hand."),
    )


def _placed(
    request: HttpRequest, claim: Claim, service: Callable[[], commands.Answer], notice: str
) -> HttpResponse:
    try:
        answer = service()
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        if answer.seq is None:
            messages.warning(request, gettext("Queued: it is carried out when the system resumes."))
        else:
            messages.success(request, notice)
    return redirect(address_of(claim))


def _as_typed(request: HttpRequest, options: dict[str, Any]) -> tuple[EnterForm, Any]:
    """The same form again with what was typed, unjudged; with one more hand if asked for."""
    data = request.POST
    names = EnterForm(**options).fields
    form = EnterForm(initial={name: data.get(name) for name in names}, **options)
    rows = []
    for each in HandForms(data, prefix="hand").forms:
        row = {name: each[name].data for name in each.fields}
        if not row.get("DELETE"):
            rows.append(row)
    if "add" in data and len(rows) < MOST_HANDS:
        rows.append(dict(NEW_HAND))
    return form, HandForms(initial=rows, prefix="hand")


def _tiers(table: GamingTable) -> list[tuple[str, str]]:
    """What can be won at the table, the highest first."""
    newest = Head.objects.filter(pk=table.system_id).values_list("terms_number", flat=True).first()
    terms = in_effect(table.system_id, newest or 0)
    return [(tier.code, tier.name) for tier in tiers_at(terms, table.code)]


def _page(
    request: HttpRequest,
    table: GamingTable,
    standing: Any,
    form: EnterForm,
    hands: Any,
    status: int = 200,
) -> HttpResponse:
    newest = entered_hands.newest_claim(table)
    context = {
        "table": table,
        "casino": table.system.casino,
        "standing": standing,
        "form": form,
        "hand_forms": hands,
        "online": entered_hands.is_online(table),
        "may_add": len(hands.forms) < MOST_HANDS,
        "at_this_table": entered_hands.open_claims(table),
        "newest": newest,
        "nobody_to_verify": not somebody_else_may(request.user, "verify_claim", table.system),
        "crumbs": [
            (gettext("Tables"), reverse("tables")),
            (table.name, reverse("table", args=[table.system.code, table.code])),
        ],
    }
    return render(request, "console/floor/enter_hand.html", context, status=status)
