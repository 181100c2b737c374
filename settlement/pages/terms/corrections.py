"""Putting wrong terms right, step by step: terms, pools, open claims, displays."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from jackpot.labels.figures import write_exact
from settlement.pages.shared.choices import number_of, system_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.terms.corrections import REASON, PoolStep, Right, putting_right
from settlement.terms.figures import moves


@require_safe
@opens_for("view_claim")
def put_right(request: HttpRequest, system: str, jackpot: str) -> HttpResponse:
    """What is to be done, in its order, with a link to each action; `version`: the wrong terms."""
    correction = putting_right(system_or_404(system), jackpot, number_of(request, "version"))
    if correction is None:
        raise Http404(_("Nobody ever posted such terms."))
    casino, terms = correction.system.casino, correction.wrong.terms
    before = correction.before.terms if correction.before else None
    return render(
        request,
        "console/terms/corrections.html",
        {
            "right": correction,
            "system": correction.system,
            "casino": casino,
            "terms": terms,
            "moves": [
                {
                    "label": move.figure.label,
                    "before": move.figure.text_of(move.before, casino),
                    "after": move.figure.text_of(move.figure.value, casino),
                    "words": move.words,
                }
                for move in moves(before, terms, casino)
            ],
            "pools": [(step, _adjust(correction, step)) for step in correction.pools],
            "may_propose": request.user.has_perm("settlement.propose_terms"),
            "may_adjust": request.user.has_perm("settlement.propose_adjustment"),
            "may_suspend": request.user.has_perm("settlement.suspend_jackpot"),
            "may_report": request.user.has_perm("settlement.report_incident"),
            "crumbs": [(_("Terms"), reverse("terms")), (correction.system.name, None)],
        },
    )


def _adjust(correction: Right, step: PoolStep) -> str:
    """The form of the adjustment, filled in; whoever proposes it still looks at it."""
    casino = correction.system.casino
    query = {
        "into": "pool",
        "way": "down" if step.left > 0 else "up",
        "amount": write_exact(step.size, casino.minor_digits),
        "source": "operator",
        "reason": REASON,
        "evidence": _("Terms No. %(wrong_number)s were wrong")
        % {"wrong_number": correction.wrong.number},
    }
    address = reverse("pool-adjust", args=[correction.system.code, step.pool.tier.code])
    return f"{address}?{urlencode(query)}"
