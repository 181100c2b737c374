"""Keys and switches of the environment, of the process in which the examination runs."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.transparency import notes
from jackpot.transparency.notes import KeyUnreadable
from settlement.core import signing
from settlement.core.errors import WrongState
from settlement.doctor.examination import Point, Subject, attention, good, series, wrong
from settlement.people.shared import sealing
from tables import keys as unit_keys
from tables.process.sealing_keys import SealingKeyFault, sealing_keys

LEAST_LENGTH, LEAST_CHARACTERS = 50, 5  # of SECRET_KEY, as Django asks
WEAK_LENGTH = 32


def look() -> None:
    """Settings are there already."""


KEYS = Subject("settings", gettext_noop("Keys and settings"), look, asks_database=False)
_OF_PROCESS = gettext_noop(
    "Set it in the environment of the processes that docs/operations.md names; run this command"
    " there, too, as each process has an environment of its own."
)


@KEYS.check("SECRET_KEY")
def secret_key(_facts: None) -> Point:
    key = str(settings.SECRET_KEY)
    advice = _(
        "Set a new one, long and random: openssl rand -base64 48. Everybody then logs in again."
    )
    if len(key) < WEAK_LENGTH or len(set(key)) < LEAST_CHARACTERS or "insecure" in key:
        return wrong(_("It can be guessed: log-ins could be forged."), advice)
    if len(key) < LEAST_LENGTH:
        return attention(
            _("It has %(length)d characters; %(least)d are better.")
            % {"length": len(key), "least": LEAST_LENGTH},
            advice,
        )
    return good(_("It is long enough."))


@KEYS.check("FACTOR_KEY")
def factor_key(_facts: None) -> Point:
    return _sealing("FACTOR_KEY", "second factor")


@KEYS.check("WEBHOOK_KEY")
def webhook_key(_facts: None) -> Point:
    return _sealing("WEBHOOK_KEY", sealing.WEBHOOK)


@KEYS.check("UNIT_KEYS_KEY")
def unit_keys_key(_facts: None) -> Point:
    try:
        is_set = bool(sealing_keys(unit_keys.SETTING))
    except SealingKeyFault as fault:
        return wrong(str(fault), _(_OF_PROCESS))
    if not is_set:
        return attention(
            _("UNIT_KEYS_KEY is not set in this process: web process and intake need it."),
            _(_OF_PROCESS),
        )
    return good(_("%(setting)s is set.") % {"setting": unit_keys.SETTING})


@KEYS.check("BUNDLE_SIGNING_KEY")
def bundle_key(_facts: None) -> Point:
    return _readable("BUNDLE_SIGNING_KEY", lambda: bool(signing.public_key()))


@KEYS.check("CHECKPOINT_SIGNING_KEY")
def checkpoint_key(_facts: None) -> Point:
    return _readable("CHECKPOINT_SIGNING_KEY", lambda: bool(notes.keys()))


@KEYS.check(gettext_noop("Switches that no casino has on"))
def switches(_facts: None) -> Point:
    on = [name for name in ("DEBUG", "DEMO") if getattr(settings, name)]
    if on:
        return wrong(
            _("On: %(names)s.") % {"names": series(on)},
            _("Take them out of the environment: they open pages and forge outcomes."),
        )
    return good(_("DEBUG and DEMO are off."))


@KEYS.check("HTTPS")
def https(_facts: None) -> Point:
    if not settings.HTTPS:
        return wrong(
            _("HTTPS is off: passwords and sessions can be read on the way."),
            _("Take HTTPS=0 out of the environment and let the proxy end TLS."),
        )
    plain = [each for each in settings.CSRF_TRUSTED_ORIGINS if not each.startswith("https://")]
    if plain:
        return attention(
            _("Origins without HTTPS: %(names)s.") % {"names": series(plain)},
            _("Name https:// origins in CSRF_TRUSTED_ORIGINS."),
        )
    return good(_("HTTPS is on."))


@KEYS.check(gettext_noop("Names of the console"))
def allowed_hosts(_facts: None) -> Point:
    wild = [each for each in settings.ALLOWED_HOSTS if each == "*" or each.startswith(".")]
    if wild:
        return attention(
            _("ALLOWED_HOSTS accepts names that are not the console's: %(names)s.")
            % {"names": series(wild)},
            _("Name exactly the hosts under which browsers reach the console."),
        )
    return good(_("ALLOWED_HOSTS names: %(names)s.") % {"names": series(settings.ALLOWED_HOSTS)})


def _sealing(setting: str, purpose: str) -> Point:
    """A key that seals secrets: without one it follows from SECRET_KEY, which others have, too."""
    is_set = bool(getattr(settings, setting) or getattr(settings, f"{setting}_FILE"))
    sealing.seal(b"", purpose)  # WrongState where it cannot be read
    if not is_set:
        return attention(
            _("%(setting)s is not set in this process: a key is derived from SECRET_KEY.")
            % {"setting": setting},
            _(_OF_PROCESS),
        )
    return good(_("%(setting)s is set.") % {"setting": setting})


def _readable(setting: str, is_set: Callable[[], bool]) -> Point:
    """A key that signs: nothing is signed without it."""
    try:
        if not is_set():
            return attention(
                _("%(setting)s is not set in this process.") % {"setting": setting}, _(_OF_PROCESS)
            )
    except (KeyUnreadable, WrongState) as fault:
        return wrong(str(fault), _("Create the key again as docs/operations.md says."))
    return good(_("%(setting)s is set.") % {"setting": setting})
