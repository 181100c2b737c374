"""Proposing to adjust a pool: amount, other side, closed reason, evidence; where it leaves it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.core.words.rule_words import REASONS_TO_ADJUST
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.pools.views import pool_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.forms import AdjustForm
from settlement.pools import adjustments


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("propose_adjustment")
def pool_adjust(request: HttpRequest, system: str, tier: str) -> HttpResponse:
    """The form; nothing moves before a second person agrees."""
    pool = pool_or_404(system, tier)
    casino = pool.system.casino
    data = request.POST if request.method == "POST" else None
    form = AdjustForm(data, digits=casino.minor_digits, begin=request.GET)
    preview = None
    if form.is_valid():
        try:
            adjustment = adjustments.PoolAdjustment(pool.tier, **form.adjustment)
            body = adjustments.body_of(adjustment)
            preview = adjustments.adjustment_preview(pool.tier, body, request.user.get_username())
            if form.is_seen:
                key = form.cleaned_data["key"]
                adjustments.propose(adjustment, request.user, key=key)
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
            form.renew_key()
        else:
            if form.is_seen:
                messages.success(
                    request,
                    _(
                        "Proposed: nothing moves until somebody else approves it, with the"
                        " password."
                    ),
                )
                return redirect(reverse("pool", args=[system, tier]))
        form.note_seen()
    context = {
        "form": form,
        "pool": pool,
        "casino": casino,
        "preview": preview,
        "reasons": [
            {"code": code, "text": text, "chosen": form["reason"].value() == code}
            for code, text in REASONS_TO_ADJUST.items()
        ],
    }
    status = REFUSED if form.is_bound and (preview is None or preview.refused) else 200
    return render(request, "console/pools/adjust.html", context, status=status)
