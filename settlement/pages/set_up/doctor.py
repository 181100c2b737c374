"""The check-up: how the installation is, as far as the web process may see."""

from __future__ import annotations

from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from settlement.doctor.examination import State
from settlement.doctor.subjects import on_page
from settlement.pages.shared.choices import choice_of
from settlement.pages.shared.decorators import opens_for
from tables.visibility.scope import sees_all


@require_safe
@opens_for("set_up_casino")
def doctor(request: HttpRequest) -> HttpResponse:
    """Every point by subject, for whoever sees every casino."""
    if not sees_all():
        raise Http404
    results = on_page()
    state = choice_of(request, "state", [each.value for each in State])
    chosen = [each for each in results if state in ("", each.state.value)]
    context = {
        "state": state,
        "subjects": [
            (subject, list(points))
            for subject, points in groupby(chosen, key=lambda each: each.subject)
        ],
        "counts": {state.value: sum(each.state == state for each in results) for state in State},
    }
    return render(request, "console/set_up/doctor.html", context)
