"""Who is at the screen shows it once more before money moves, and a second person beside them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.utils.translation import gettext as _

from settlement.core.errors import WrongPassword
from settlement.people.factors import passkeys, second_factor
from settlement.people.factors.demand import needs_one
from settlement.people.provider import attempts
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.shared.presence import show_password

PROVIDER_FIELD = "confirmed"  # of a form, beside an empty password: at the log-in provider
PASSKEY_FIELD = "passkey"  # of a form, beside an empty password: what the browser signed


def reauthenticate(request: HttpRequest, password: str) -> Reauthenticated:
    """Ask for the password once more before money is released, or in its place for a passkey or
    what was confirmed at the log-in provider.

    Failures count for the lock.
    """
    signed = request.POST.get(PASSKEY_FIELD, "")
    if signed and not password:
        return by_passkey(request, signed)
    return by_password(request, password)


def by_passkey(request: HttpRequest, signed: str) -> Reauthenticated:
    """WrongPassword where none of the person's passkeys signed this session's challenge."""
    if passkeys.show(request, request.user, signed, passkeys.CONFIRM) is None:
        raise WrongPassword(_("The passkey did not confirm it: try again, or enter your password."))
    return Reauthenticated(request.user)


def by_password(request: HttpRequest, password: str) -> Reauthenticated:
    """The password alone, whose proof the database asks for: `user.proof`.

    Whoever confirmed it at the log-in provider shows both halves of that.
    """
    user: Any = request.user
    if not password and (proof := attempts.confirmed(request)) is not None:
        user.proof = proof
        return Reauthenticated(user)
    account: AbstractBaseUser | None = None
    if password:
        account = authenticate(request, username=user.get_username(), password=password)
    if account is None or account.pk != user.pk:
        raise WrongPassword(_("That is not your password: enter it again to confirm."))
    user.proof = getattr(account, "proof", None)
    return Reauthenticated(user)


def sign_beside(request: HttpRequest, name: str, password: str, code: str = "") -> Reauthenticated:
    """A second person who signs at the same screen: name, password and, who has one, a code."""
    account: AbstractBaseUser | None = None
    if name and password:
        account = authenticate(request, username=name, password=password)
    if account is None:
        raise WrongPassword(_("The second person's name and password do not match."))
    if second_factor.factors_of(account).exists():
        if second_factor.show(request, account, code) is None:
            raise WrongPassword(
                _("The second person's code is missing, or is not the current one.")
            )
    elif needs_one(account):
        raise WrongPassword(_("The second person needs a second factor: log in and add one."))
    show_password(account)
    return Reauthenticated(account)
