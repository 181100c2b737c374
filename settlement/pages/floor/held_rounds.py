"""Held rounds of a table: what was pressed, and whether it was played."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from jackpot.domain.command_handlers.held_rounds import MOST_HELD
from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.floor import held_rounds
from settlement.models import Proposal
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.choices import table_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.forms import ActionForm
from settlement.people.rights.permissions import name_of

MOST_SHOWN = 200
_RANGE = re.compile(r"(?P<first>[1-9]\d{0,15})(-(?P<last>[1-9]\d{0,15}))?", re.ASCII)


class HeldForm(ActionForm):
    """Rounds by their numbers and ranges of them, and what was seen."""

    rounds = forms.CharField(
        label=gettext_lazy("Rounds"),
        help_text=gettext_lazy("Numbers and ranges, like 18, 20-34."),
        max_length=10_000,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Enter the rounds.")},
    )
    note = forms.CharField(
        label=gettext_lazy("What you saw"),
        help_text=gettext_lazy(
            "Footage reference with camera and time, the dealer's word, count of the drop."
        ),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"class": "input", "rows": 3}),
        error_messages={"required": gettext_lazy("Describe what you saw.")},
    )

    def clean_rounds(self) -> list[int]:
        """Every number that is meant, in rising order."""
        try:
            return read_ranges(self.cleaned_data["rounds"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error


def read_ranges(text: str) -> list[int]:
    """Round numbers of what was typed. ValueError says what is wrong with it.

    >>> read_ranges("18, 20-22")
    [18, 20, 21, 22]
    """
    rounds: set[int] = set()
    for piece in text.replace(",", " ").split():
        ends = _RANGE.fullmatch(piece)
        if ends is None:
            raise ValueError("Write round numbers and ranges, like 18, 20-34.")
        low, high = int(ends["first"]), int(ends["last"] or ends["first"])
        if high - low >= MOST_HELD or len(rounds) > MOST_HELD:
            raise ValueError(f"At most {MOST_HELD:,} rounds at once.")
        rounds.update(range(low, high + 1))
    if not 0 < len(rounds) <= MOST_HELD:
        raise ValueError(f"From 1 to {MOST_HELD:,} rounds at once.")
    return sorted(rounds)


def ranges(numbers: Iterable[int]) -> str:
    """As they are typed.

    >>> ranges([18, 20, 21, 22])
    '18, 20-22'
    """
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in spans)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def rounds_held(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """Accept or refuse them; refusing rounds with figures is proposed to a second person."""
    gaming_table, user = table_or_404(system, table), request.user
    rounds = held_rounds.rounds_of(gaming_table)
    posted = request.POST if request.method == "POST" else None
    form = HeldForm(posted, initial={"rounds": ranges(each.round for each in rounds)})
    if form.is_valid():
        values = form.cleaned_data
        action = held_rounds.accept if request.POST.get("do") == "accept" else held_rounds.refuse
        try:
            outcome = action(gaming_table, user, values["rounds"], values["note"], values["key"])
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
            form.renew_key()
        else:
            _tell(request, outcome, values["rounds"])
            return redirect(request.path)
    context: dict[str, Any] = {
        "form": form,
        "table": gaming_table,
        "casino": gaming_table.system.casino,
        "rounds": rounds[:MOST_SHOWN],
        "count": len(rounds),
        "with_figures": sum(each.has_figures for each in rounds),
        "may_rule": user.has_perm("settlement.rule_round"),
        "may_agree": user.has_perm("settlement.second_missed"),
        "longest_note": LONGEST_TEXT,
    }
    if waiting := held_rounds.open_refusal(gaming_table):
        context |= {
            "proposal": waiting,
            "who": name_of(waiting.person),
            "own": waiting.person_id == user.pk,
            "proposed": ranges(waiting.body["rounds"]),
        }
    status = REFUSED if form.is_bound else 200
    return render(request, "console/floor/held_rounds.html", context, status=status)


def _tell(request: HttpRequest, outcome: Any, rounds: Sequence[int]) -> None:
    count = f"{len(rounds):,} round{'' if len(rounds) == 1 else 's'}"
    if isinstance(outcome, Proposal):
        messages.success(
            request,
            _("Proposed for %(count)s: some have figures. A second person must approve it.")
            % {"count": count},
        )
    elif outcome.seq is None:
        messages.warning(request, _("Queued: it is carried out when the system resumes."))
    else:
        messages.success(request, _("Decided for %(count)s.") % {"count": count})
