"""What a person shows beside the password: codes of an app, passkeys, recovery codes.

A code is taken by a statement that moves its count on, so that of two requests with the same code
one is refused, in whatever process. Wrong ones count for the lock like wrong passwords.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import secrets
import time
from base64 import b32encode
from dataclasses import dataclass
from typing import Any

from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.signals import user_login_failed
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import NotPermitted, WrongPassword, WrongState
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import EnrolmentCode, RecoveryCode, SecondFactor
from settlement.people.factors import totp
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.shared import sealing
from settlement.people.shared.security_log import What, note
from tables.alarms import raise_alarm

Kind = SecondFactor.Kind
RESETS = "reset_second_factor"
RECOVERY = "recovery"  # how somebody came in, beside the kinds
PROVIDER = "provider"  # at the log-in provider, where the house takes that for one
FACTOR_KEY = "factor"  # in a session: the kind and number of the factor that its person showed
PURPOSE = "authenticator app"  # of what is sealed here
MOST = 10  # of one person
MOST_WRONG = 10  # codes with the right password; counted until something else is shown
RECOVERY_CODES = 10
_RECOVERY_BYTES = 10
_PASSWORD_PROOF_BYTES = 32
_CODE = re.compile(r"[0-9]{6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class LogInFactor:
    """How somebody came in; `number`: of the factor, None for a recovery code."""

    kind: str
    number: int | None


def factors_of(person: Any) -> QuerySet[SecondFactor]:
    """Those that hold."""
    return SecondFactor.objects.filter(person_id=person.pk, ended_at=None)


def codes_left(person: Any) -> int:
    """How many recovery codes are good."""
    return _good_codes(person).count()


def _good_codes(person: Any) -> QuerySet[RecoveryCode]:
    return RecoveryCode.objects.filter(person_id=person.pk, used_at=None, ended_at=None)


# --- to show one ------------------------------------------------------------------------------
def show(request: HttpRequest, person: Any, typed: str) -> LogInFactor | None:
    """Take a code of an app or a recovery code: how the person came in, None for a wrong one.

    Where the person or the address is locked nothing is looked at, and the answer becomes that
    of the lock. No code at all is no wrong one.
    """
    code = re.sub(r"[\s-]", "", typed).upper()
    if not code:
        note_missing(request, person)
        return None
    if is_locked(request, person):
        return None
    factor = _use_code(person, code)
    if factor is None:
        _count_wrong(person, code)
        fails(request, person)
    return factor


def note_missing(request: HttpRequest, person: Any) -> None:
    """Somebody has the password: it stands in the security log before they have the factor."""
    by_provider = len(getattr(person, "proof", None) or b"") > _PASSWORD_PROOF_BYTES
    proof = "an account at the provider" if by_provider else "a right password"
    words = f"of {proof}, the second factor missing"
    note(request, What.CAME_FROM, person.get_username(), words)


def is_locked(request: HttpRequest, person: Any) -> bool:
    """Whether too many codes or passwords were wrong recently: then the lock answers."""
    credentials = {"username": person.get_username()}
    AxesProxyHandler.update_request(request)
    if AxesProxyHandler.is_allowed(request, credentials):
        return False
    http: Any = request
    http.axes_locked_out = True
    http.axes_credentials = credentials
    return True


def fails(request: HttpRequest, person: Any) -> None:
    """Count a wrong code or passkey like a wrong password."""
    user_login_failed.send(
        sender=__name__, credentials={"username": person.get_username()}, request=request
    )


def _use_code(person: Any, code: str) -> LogInFactor | None:
    if not _CODE.fullmatch(code):
        used = _good_codes(person).filter(digest=_digest(person, code))
        if not used.update(used_at=timezone.now()):
            return None
        forgive(person)
        return LogInFactor(RECOVERY, None)
    for factor in _apps(person).filter(wrong__lt=MOST_WRONG):
        secret = sealing.unseal(bytes(factor.material), PURPOSE)
        step = secret and totp.step_of(secret, code, time.time(), after=factor.count)
        if step and advance(factor, step):
            return LogInFactor(Kind.TOTP, factor.pk)
    return None


def _apps(person: Any) -> QuerySet[SecondFactor]:
    return factors_of(person).filter(kind=Kind.TOTP)


def _count_wrong(person: Any, code: str) -> None:
    """Slow guessing: what the lock forgets is counted on here, and ends the app's codes."""
    if not _CODE.fullmatch(code):
        return
    counted = _apps(person).filter(wrong__lt=MOST_WRONG).update(wrong=F("wrong") + 1)
    if counted and takes_no_codes(person):
        name = person.get_username()
        raise_alarm(
            "factor_guessed",
            name,
            HouseAlarm.GUESSED_CODES % {"count": MOST_WRONG, "name": name},
        )


def takes_no_codes(person: Any) -> bool:
    """Whether too many codes were wrong for codes of the app to be taken."""
    return _apps(person).filter(wrong__gte=MOST_WRONG).exists()


def forgive(person: Any, wrong: int = MOST_WRONG) -> None:
    """Count so many wrong codes no more: their person has shown a factor."""
    _apps(person).filter(wrong__gt=0).update(wrong=Greatest(F("wrong") - wrong, 0))


def advance(factor: SecondFactor, count: int, since: dt.datetime | None = None) -> bool:
    """Note that it was used; False where another request was quicker, or it has ended.

    `since`: by the database's clock, when what was signed had been asked for: good once, too,
    where the factor counts nothing.
    """
    before = SecondFactor.objects.filter(pk=factor.pk, ended_at=None)
    if factor.kind == Kind.TOTP or count or factor.count:  # some passkeys count nothing
        before = before.filter(count__lt=count)
    if since is not None:
        before = before.filter(Q(used_at=None) | Q(used_at__lt=since))
    return bool(before.update(count=count, used_at=timezone.now()))


# --- to add and to end one ----------------------------------------------------------------------
def add_app(person: Reauthenticated, name: str, secret: bytes, code: str) -> SecondFactor:
    """An authenticator app, confirmed by a code of it. WrongPassword where that is wrong.

    WrongState for a secret that the person has had before, as of a double click.
    """
    step = totp.step_of(secret, re.sub(r"[\s-]", "", code), time.time(), after=0)
    if step is None:
        raise WrongPassword(_("That code does not match this key. Check the phone's clock."))
    earlier = SecondFactor.objects.filter(person_id=person.user.pk, kind=Kind.TOTP)
    if any(sealing.unseal(bytes(each.material), PURPOSE) == secret for each in earlier):
        raise WrongState(_("This key was added already."))
    return add(person, Kind.TOTP, name, sealing.seal(secret, PURPOSE), step)


def hold(person: Reauthenticated) -> None:
    """Until the transaction ends nobody else adds a factor for this person."""
    people = get_user_model().objects.select_for_update(no_key=True)
    people.only("pk").get(pk=person.user.pk)


def add(person: Reauthenticated, kind: str, name: str, material: bytes, count: int) -> SecondFactor:
    """A factor of the person; WrongState where there are too many."""
    number = factors_of(person.user).count()
    if number >= MOST:
        raise WrongState(_("You have %(most)s second factors: end one first.") % {"most": MOST})
    if not number:
        _tell_of_first(person.user)
    return SecondFactor.objects.create(
        person_id=person.user.pk, kind=kind, name=name, material=material, count=count
    )


@transaction.atomic
def new_codes(person: Reauthenticated) -> list[str]:
    """A fresh set of recovery codes, which is shown here and never again; those before end."""
    _good_codes(person.user).update(ended_at=timezone.now())
    secret_codes = [secrets.token_bytes(_RECOVERY_BYTES) for _ in range(RECOVERY_CODES)]
    codes = [b32encode(each).decode() for each in secret_codes]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(person_id=person.user.pk, digest=_digest(person.user, code)) for code in codes
    )
    return ["-".join(code[start : start + 4] for start in range(0, 16, 4)) for code in codes]


@transaction.atomic
def end(person: Reauthenticated, number: int, *, needs_one: bool) -> SecondFactor | None:
    """End a factor of one's own; None where none of that number holds.

    WrongState for the last one of somebody whose role needs one.
    """
    mine = list(factors_of(person.user).select_for_update())
    factor = next((each for each in mine if each.pk == number), None)
    if factor is None:
        return None
    if len(mine) == 1 and needs_one:
        raise WrongState(_("Your role needs a second factor: add another one before you end this."))
    _end([factor], person.user)
    if len(mine) == 1:
        _good_codes(person.user).update(ended_at=timezone.now())
    return factor


def _who_reset(by: Any) -> str:
    return by.get_username() if by is not None else HouseAlarm.DATABASE_OWNER.value


def _tell_of_first(person: Any) -> None:
    """Whoever reset it might have added it, too: an alarm names both."""
    last = SecondFactor.objects.filter(person_id=person.pk).exclude(ended_at=None)
    reset = last.select_related("ended_by").order_by("-ended_at", "-id").first()
    if reset is None or reset.ended_by_id == person.pk:
        return
    name, who = person.get_username(), _who_reset(reset.ended_by)
    raise_alarm(
        "factor_after_reset",
        f"{name} by {who}",
        HouseAlarm.FIRST_FACTOR % {"name": name, "by": who},
    )


def _end(factors: list[SecondFactor], by: Any) -> None:
    SecondFactor.objects.filter(pk__in=[each.pk for each in factors]).update(
        ended_at=timezone.now(), ended_by_id=by and by.pk
    )


def _digest(person: Any, code: str) -> str:
    return hashlib.sha256(f"{person.pk}:{code}".encode()).hexdigest()


def has_shown(request: HttpRequest, person: Any) -> bool:
    """Whether this log-in showed a factor that still holds, or a recovery code beside one."""
    mark = request.session.get(FACTOR_KEY)
    if not isinstance(mark, list):
        return False
    kind, number = mark
    if kind == PROVIDER:
        after_reset = EnrolmentCode.objects.filter(person_id=person.pk, used_at=None, ended_at=None)
        return _provider_counts() and not after_reset.exists()
    held = factors_of(person)
    return (held if number is None else held.filter(pk=number)).exists()


def _provider_counts() -> bool:
    return bool(settings.OIDC_FACTOR_AMR or settings.OIDC_FACTOR_ACR)


def require_shown(request: HttpRequest, person: Any) -> None:
    """Who has a factor changes factors only in a log-in that showed one. NotPermitted."""
    if not has_shown(request, person) and factors_of(person).exists():
        raise NotPermitted(_("Log in again with your second factor, and then do this."))
