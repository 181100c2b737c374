"""What the house says of its log-in provider, in settings, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.urls import reverse

from jackpot.web.rehearsal_address import outside
from settlement.people.provider.faults import Fault, ProviderFault
from settlement.people.rights.roles import ROLES
from tables.models import Casino

_HERE = ("127.0.0.1", "::1", "localhost")
# They change and are given to somebody else, who would come in as the person of before.
_REASSIGNED = ("email", "preferred_username", "upn", "unique_name", "name", "nickname")
Role = tuple[str, str | None]  # its name, and the code of the casino; None: in every casino


def is_offered() -> bool:
    """Whether people log in by a provider here; it must know where the console is."""
    return bool(settings.OIDC_ISSUER and settings.OIDC_CLIENT_ID and settings.CONSOLE_ORIGIN)


def name() -> str:
    """How people call the provider."""
    return str(settings.OIDC_NAME)


def redirect_address() -> str:
    """Where the provider sends people back to; it is registered there."""
    return str(settings.CONSOLE_ORIGIN) + outside(reverse("provider-back"))


def log_out_address(page: str) -> str:
    """That of the provider's page to log out, which leads back; empty where it has none."""
    if not page:
        return ""
    back = str(settings.CONSOLE_ORIGIN) + outside(reverse("login"))
    query = urlencode({"client_id": settings.OIDC_CLIENT_ID, "post_logout_redirect_uri": back})
    return f"{page}{'&' if '?' in page else '?'}{query}"


def client_secret() -> str:
    """Empty for a client that has none. ProviderFault where its file cannot be read."""
    if settings.OIDC_CLIENT_SECRET or not settings.OIDC_CLIENT_SECRET_FILE:
        return str(settings.OIDC_CLIENT_SECRET)
    try:
        return Path(settings.OIDC_CLIENT_SECRET_FILE).read_text().strip()
    except OSError as fault:
        raise ProviderFault(Fault.SETTINGS, "OIDC_CLIENT_SECRET_FILE cannot be read") from fault


def mapped() -> dict[str, list[Role]]:
    """By group the roles that need it. ProviderFault for a map that is none."""
    by_group: dict[str, list[Role]] = {}
    if not isinstance(settings.OIDC_ROLES, dict):
        raise ProviderFault(Fault.SETTINGS, "OIDC_ROLES is no object of JSON")
    for group, roles in settings.OIDC_ROLES.items():
        texts = [roles] if isinstance(roles, str) else roles
        if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
            raise ProviderFault(Fault.SETTINGS, "OIDC_ROLES has something else than roles")
        by_group[group] = [_role(text) for text in texts]
    for role in (role for each in by_group.values() for role, _casino in each):
        if role not in ROLES:  # its group would bind nobody
            raise ProviderFault(
                Fault.SETTINGS, f"OIDC_ROLES names a role that is none here: {role}"
            )
    return by_group


def require_known_casinos() -> None:
    """ProviderFault where the map names a casino that is none here: its group would bind nobody."""
    codes = {casino for each in mapped().values() for _role, casino in each if casino is not None}
    unknown = codes - set(Casino.objects.filter(code__in=codes).values_list("code", flat=True))
    if unknown:
        raise ProviderFault(
            Fault.SETTINGS,
            f"OIDC_ROLES names a casino that is none here: {', '.join(sorted(unknown))}",
        )


def _role(text: str) -> Role:
    role, at, casino = text.partition("@")
    return (role.strip(), casino.strip() if at else None)


def roles_of(groups: Collection[str]) -> list[Role]:
    """Those whose group is among these."""
    by_group = mapped()
    return [role for group in groups for role in by_group.get(group, ())]


def require_good() -> None:
    """ProviderFault where the settings let somebody in who should not be."""
    if settings.OIDC_PERSON_CLAIM in _REASSIGNED:
        raise ProviderFault(Fault.SETTINGS, "OIDC_PERSON_CLAIM may name somebody else tomorrow")
    if not is_safe(settings.OIDC_ISSUER):
        raise ProviderFault(Fault.SETTINGS, "OIDC_ISSUER is no address of HTTPS")


def is_safe(address: object) -> bool:
    """Whether nobody on the way reads or changes what is sent there: HTTPS, or this machine."""
    if not isinstance(address, str):
        return False
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    if not parts.hostname or parts.username is not None:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _HERE)
