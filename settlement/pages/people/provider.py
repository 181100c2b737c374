"""To the log-in provider and back: logging in, opening a locked screen, confirming, linking.

The way back is a GET, as the provider sends the browser (docs/decisions/0128); it counts once, and
in the browser that began it.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LogoutView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from jackpot.web.rehearsal_address import outside
from settlement.core.errors import RuleBroken, WrongPassword
from settlement.people.factors.reauthentication import by_password
from settlement.people.factors.second_factor import PROVIDER, LogInFactor, factors_of
from settlement.people.log_ins.log_in import BY_PROVIDER, come_in, wait_for_factor
from settlement.people.provider import attempts, house, links
from settlement.people.provider.attempts import Answer, Purpose
from settlement.people.provider.faults import TEXTS, Fault, ProviderFault
from settlement.people.sessions import screen_lock, tablets
from settlement.people.sessions.screen_lock import Outcome
from settlement.people.shared.presence import say_address

_WRONG = 422


@require_POST
@never_cache
def provider_log_in(request: HttpRequest) -> HttpResponse:
    """To the provider, to log in."""
    if SESSION_KEY in request.session:
        return redirect(next_page(request))
    return go(request, Purpose.LOG_IN)


@require_POST
@never_cache
@login_required
def provider_again(request: HttpRequest, purpose: str) -> HttpResponse:
    """To the provider, for somebody who is logged in: they log in there again."""
    session: Any = request.session
    allowed = (Purpose.UNLOCK,) if session.is_locked else (Purpose.CONFIRM, Purpose.LINK)
    if purpose not in allowed:
        raise Http404
    return go(request, purpose)


def go(request: HttpRequest, purpose: str, secret: str = "") -> HttpResponse:
    """A page that leads there: no form is sent on to another site by its answer (CSP)."""
    try:
        shared = tablets.here(request) is not None
        address = attempts.begin(request, purpose, next_page(request), secret, is_shared=shared)
    except ProviderFault as fault:
        return refusal(request, fault)
    context = {"address": address, "provider": house.name()}
    return render(request, "registration/provider_go.html", context)


@require_safe
@never_cache
def provider_back(request: HttpRequest) -> HttpResponse:
    """From the provider: the worker asks it, and the next page waits for that."""
    try:
        attempts.take_back(request)
    except ProviderFault as fault:
        return refusal(request, fault)
    answer = redirect("provider-wait")
    answer["Referrer-Policy"] = "no-referrer"
    return answer


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def provider_wait(request: HttpRequest) -> HttpResponse:
    """Until the worker has asked; then what was begun is done."""
    try:
        answer = attempts.answer(request)
        if answer is None:
            return render(request, "registration/provider_wait.html", {"provider": house.name()})
        say_address()  # a GET that logs in
        return _ACTS[Purpose(answer.attempt.purpose)](request, answer)
    except ProviderFault as fault:
        return refusal(request, fault)


def refusal(request: HttpRequest, fault: ProviderFault) -> HttpResponse:
    """What went wrong, and what to do."""
    text = TEXTS[fault.fault] % {"provider": house.name()}
    context = {"text": text, "provider": house.name(), "fault": fault.fault}
    return render(request, "registration/provider_fault.html", context, status=_WRONG)


def _logged_in(request: HttpRequest, answer: Answer) -> HttpResponse:
    person: Any = get_user_model().objects.filter(pk=answer.person or 0, is_active=True).first()
    attempts.forget(request)
    if person is None:  # locked since the worker asked
        raise attempts.refused(request, Fault.LOCKED)
    person.proof = answer.proof
    address = answer.attempt.next_page
    if not answer.has_factor and factors_of(person).exists():
        try:
            wait_for_factor(request, person)
        except RuleBroken as wrong:  # of the key that seals
            messages.error(request, str(wrong))
            return redirect("login")
        code = redirect("log-in-code")
        code["Location"] += f"?{urlencode({'next': address})}"
        return code
    come_in(request, person, LogInFactor(PROVIDER, None) if answer.has_factor else None)
    return redirect(address)


def _unlocked(request: HttpRequest, answer: Answer) -> HttpResponse:
    attempts.require_own(request, answer)
    attempts.forget(request)
    if screen_lock.unlock_by_provider(request, answer.proof) == Outcome.OPEN:
        return redirect(answer.attempt.next_page)
    return redirect("locked")


def _confirmed(request: HttpRequest, answer: Answer) -> HttpResponse:
    attempts.confirm(request, answer)
    context = {"provider": house.name(), "minutes": 2}
    return render(request, "registration/provider_confirmation.html", context)


def _linked(request: HttpRequest, answer: Answer) -> HttpResponse:
    """With the password, so that a log-in that was taken over gets no second way in."""
    if not request.user.is_authenticated:
        return redirect("login")
    wrong = ""
    if request.method == "POST":
        password = request.POST.get("password", "")
        try:
            if not password:  # what was confirmed at the provider is no password
                raise WrongPassword(_("Enter the password of this console."))
            links.link(by_password(request, password), answer.proof)
        except RuleBroken as refused:
            wrong = str(refused)
        else:
            attempts.forget(request)
            messages.success(request, _("Linked: from now on you log in there."))
            return redirect("account")
    context = {"provider": house.name(), "refusal": wrong}
    status = _WRONG if wrong else 200
    return render(request, "registration/provider_link.html", context, status=status)


def _invited(request: HttpRequest, answer: Answer) -> HttpResponse:
    attempts.forget(request)
    try:
        links.accept_invitation(answer.attempt.secret, answer.proof)
    except RuleBroken as refused:
        messages.error(request, str(refused))
    else:
        messages.success(
            request, _("Welcome. Log in with %(provider)s.") % {"provider": house.name()}
        )
    return redirect("login")


_ACTS = {
    Purpose.LOG_IN: _logged_in,
    Purpose.UNLOCK: _unlocked,
    Purpose.CONFIRM: _confirmed,
    Purpose.LINK: _linked,
    Purpose.INVITE: _invited,
}


@require_POST
@login_required
def provider_unlink(request: HttpRequest) -> HttpResponse:
    """End one's own link."""
    try:
        links.end(request.user, request.user)
    except RuleBroken as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The link has ended: log in with your password."))
    return redirect("account")


class LogOut(LogoutView):
    """Django's; who came in by the provider reads that they are logged in there still."""

    def post(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        by_provider = request.session.get(BY_PROVIDER, False)
        super().post(request, *args, **options)
        answer = redirect(outside(reverse("login")))  # whoever comes next begins outside
        if by_provider:
            answer["Location"] += "?out=1"
        return answer


def next_page(request: HttpRequest) -> str:
    """Where to go afterwards: a page of the console, never another site."""
    address = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        address, {request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours else outside(reverse("home"))
