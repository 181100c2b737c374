"""Passkeys that sign: a person lets one sign, and endorses those of colleagues."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from settlement.core.errors import RuleBroken
from settlement.models import SecondFactor, SigningKey
from settlement.pages.shared.sign import to_sign
from settlement.people.factors import second_factor
from settlement.signatures import endorsements, keys, registration
from settlement.signatures.keys import KeyState
from settlement.signatures.signing import SignatureNeeded
from tables.models import Casino


@require_safe
@never_cache
@login_required
def signing_keys(request: HttpRequest) -> HttpResponse:
    """One's own passkeys, and the keys that wait for this person's endorsement."""
    states = keys.states_of(request.user)
    passkeys = second_factor.factors_of(request.user).filter(kind=SecondFactor.Kind.PASSKEY)
    waiting = keys.to_endorse(request.user)
    context = {
        "casino": Casino.objects.order_by("pk").first() or Casino(timezone="UTC"),
        "passkeys": [(each, states.get(each.pk, KeyState(None))) for each in passkeys],
        "others": [(key, KeyState(key)) for key in waiting if key.person_id != request.user.pk],
        "signs": any(state.signs for state in states.values()),
        "is_house_without": keys.is_house_without(),
    }
    return render(request, "console/people/signing_keys.html", context)


@require_POST
@never_cache
@login_required
def key_begin(request: HttpRequest, number: int) -> HttpResponse:
    """Let a passkey sign, signed with itself, in a log-in that showed a second factor."""
    try:
        second_factor.require_shown(request, request.user)
        origin = f"{request.scheme}://{request.get_host()}"
        key = registration.begin(request.user, number, origin)
    except SignatureNeeded as needed:
        return to_sign(request, needed)
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
    else:
        if key.is_first:
            messages.success(request, _("It signs now: it is the first of the house."))
        else:
            messages.success(request, _("It signs as soon as it is endorsed."))
    return redirect("signing-keys")


@require_POST
@never_cache
@login_required
def key_endorse(request: HttpRequest, number: int) -> HttpResponse:
    """Endorse a key, signed with one's own."""
    key = get_object_or_404(SigningKey.objects.select_related("person"), pk=number)
    try:
        endorsements.endorse(request.user, key)
    except SignatureNeeded as needed:
        return to_sign(request, needed)
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Endorsed: it signs now."))
    return redirect("signing-keys")
