"""Asking the provider who came back, and checking the ID token that it signs (PyJWT).

Checked: signature by a key of the provider, of a kind with two keys; issuer, audience, time, nonce;
and where somebody is to log in again, when they did.
"""

from __future__ import annotations

import base64
import hmac
import math
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import jwt
from django.conf import settings

from settlement.people.provider import house, metadata
from settlement.people.provider.faults import Fault, ProviderFault
from settlement.people.provider.metadata import Metadata

# None with a shared secret: who knows the public key would sign.
ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
_NEEDED = ("iss", "sub", "aud", "exp", "iat")
_LONGEST_SUBJECT = 255
_WORD = re.compile(r"[a-z_]{1,40}")


@dataclass(frozen=True, slots=True)
class LogInStart:
    """What the browser was sent to the provider with. `fresh_since`: seconds since 1970 from when
    on the person must have logged in there; None: whenever it was."""

    code: str
    verifier: str
    nonce: str
    fresh_since: float | None


@dataclass(frozen=True, slots=True)
class Identity:
    """Who came back. `groups` None: the token does not say; nor when they logged in there."""

    subject: str
    groups: tuple[str, ...] | None
    has_factor: bool
    auth_time: int | None


def ask(attempt: LogInStart) -> Identity:
    """Exchange the code, and check what comes of it. ProviderFault."""
    house.require_good()
    house.require_known_casinos()
    provider = metadata.read()
    token = _exchanged(provider, attempt)
    claims = checked(token, provider, attempt)
    return _identity(claims)


def _exchanged(provider: Metadata, attempt: LogInStart) -> str:
    form = {
        "grant_type": "authorization_code",
        "code": attempt.code,
        "redirect_uri": house.redirect_address(),
        "code_verifier": attempt.verifier,
        "client_id": settings.OIDC_CLIENT_ID,
    }
    headers, secret = {}, house.client_secret()
    if secret and "client_secret_basic" in provider.methods:
        pair = f"{quote(settings.OIDC_CLIENT_ID, safe='')}:{quote(secret, safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    elif secret:
        form["client_secret"] = secret
    body = metadata.ask(provider.token, urlencode(form).encode(), headers)
    if "error" in body:
        word = str(body["error"])
        is_client = word in ("invalid_client", "unauthorized_client")
        reason = word if _WORD.fullmatch(word) else "an error without a name"
        raise ProviderFault(Fault.CLIENT if is_client else Fault.CODE, reason)
    token = body.get("id_token")
    if not isinstance(token, str):
        raise ProviderFault(Fault.TOKEN, "no ID token came: is the scope openid missing?")
    return token


def checked(token: str, provider: Metadata, attempt: LogInStart) -> dict[str, Any]:
    """The claims of a token that holds. ProviderFault."""
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            _key(token, provider),
            algorithms=list(ALGORITHMS),
            audience=settings.OIDC_CLIENT_ID,
            issuer=settings.OIDC_ISSUER,
            leeway=settings.OIDC_CLOCK_S,
            options={"require": list(_NEEDED)},
        )
    except (jwt.ExpiredSignatureError, jwt.ImmatureSignatureError) as fault:
        raise ProviderFault(Fault.CLOCK, type(fault).__name__) from fault
    except jwt.PyJWTError as fault:
        raise ProviderFault(Fault.TOKEN, type(fault).__name__) from fault
    if not _is_same(claims.get("nonce"), attempt.nonce):
        raise ProviderFault(Fault.TOKEN, "the nonce is another one")
    is_for_several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if (is_for_several or "azp" in claims) and claims.get("azp") != settings.OIDC_CLIENT_ID:
        raise ProviderFault(Fault.TOKEN, "it was made for another client (azp)")
    if attempt.fresh_since is not None:
        at = _auth_time(claims)
        if at is None or at < attempt.fresh_since - settings.OIDC_CLOCK_S:
            raise ProviderFault(Fault.STALE, "auth_time is missing, or too old")
    return claims


def _key(token: str, provider: Metadata) -> jwt.PyJWK:
    """That of the provider which the token names; looked for again where it is not known."""
    header = jwt.get_unverified_header(token)
    kind = header.get("alg")
    if kind not in ALGORITHMS:
        raise jwt.InvalidAlgorithmError
    key = _of(provider.keys, header.get("kid"), kind)
    if key is None:
        key = _of(metadata.read(fetch=True).keys, header.get("kid"), kind)
    if key is None:
        raise ProviderFault(Fault.TOKEN, "the provider has no such key")
    return key


def _of(keys: Iterable[dict[str, Any]], name: object, kind: str) -> jwt.PyJWK | None:
    """Without a name the only key of that kind."""
    fit = []
    for each in keys:
        if each.get("use", "sig") != "sig" or (name is not None and each.get("kid") != name):
            continue
        try:
            fit.append(jwt.PyJWK(each, algorithm=each.get("alg") or kind))
        except jwt.PyJWTError:  # of another kind
            continue
    fit = [each for each in fit if each.algorithm_name == kind]
    return fit[0] if len(fit) == 1 else None


def _is_same(value: object, expected: str) -> bool:
    return isinstance(value, str) and hmac.compare_digest(value.encode(), expected.encode())


def _identity(claims: dict[str, Any]) -> Identity:
    subject = claims.get(settings.OIDC_PERSON_CLAIM)
    if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_SUBJECT:
        raise ProviderFault(Fault.CLAIM, f"{settings.OIDC_PERSON_CLAIM} is no text")
    if "\0" in subject:
        raise ProviderFault(Fault.CLAIM, f"{settings.OIDC_PERSON_CLAIM} is no text")
    groups = _groups(claims)
    if groups is None and house.mapped():
        raise ProviderFault(Fault.GROUPS, f"{settings.OIDC_GROUPS_CLAIM} is missing, or no list")
    return Identity(subject, groups, _has_factor(claims), _auth_time(claims))


def _auth_time(claims: dict[str, Any]) -> int | None:
    """When they logged in there, in seconds since 1970; of no time to come, by which everything
    later were old."""
    at = claims.get("auth_time")
    if not isinstance(at, int | float) or isinstance(at, bool) or not math.isfinite(at):
        return None
    return int(at) if 0 <= at <= time.time() + settings.OIDC_CLOCK_S else None


def _groups(claims: dict[str, Any]) -> tuple[str, ...] | None:
    """Where the claim lies deeper, its name has dots, as Keycloak's `realm_access.roles`."""
    path = settings.OIDC_GROUPS_CLAIM
    value: Any = claims
    for part in [path] if path in claims else path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if not isinstance(value, list) or not all(map(_is_text, value)):
        return None
    return tuple(value)


def _has_factor(claims: dict[str, Any]) -> bool:
    """Whether the person showed a second factor there, by what the house takes for one."""
    methods = claims.get("amr")
    names = set(methods) if isinstance(methods, list) and all(map(_is_text, methods)) else set()
    level = claims.get("acr")
    return bool(names & set(settings.OIDC_FACTOR_AMR)) or (
        _is_text(level) and level in settings.OIDC_FACTOR_ACR
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)
