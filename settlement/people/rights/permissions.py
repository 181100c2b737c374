"""Who acts: permission, asked by the services, not by the pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.utils.translation import gettext as _

from settlement.core.errors import NotPermitted
from settlement.people.rights.role_holders import holders
from settlement.people.rights.roles import held
from tables.models import JackpotSystem


@dataclass(frozen=True, slots=True)
class Reauthenticated:
    """A person who has just shown who they are again. Made in `reauthentication` only."""

    user: Any


def require(user: Any, permission: str, system: JackpotSystem | None = None) -> None:
    """The person's role must allow it in the casino of that system, where one is named.

    `permission` is a code name of `settlement.people.rights.roles`.
    """
    if not may(user, permission, system):
        raise NotPermitted(_("Your role does not allow this. Ask a colleague whose role does."))


def may(user: Any, permission: str, system: JackpotSystem | None = None) -> bool:
    """Whether one of the person's roles allows it, in the casino of that system if one is named."""
    return user.is_active and held(user).may(
        permission, system.casino_id if system is not None else None
    )


def who_may(
    permission: str,
    logins: Mapping[str, Collection[str]] | None = None,
    system: JackpotSystem | None = None,
) -> list[Any]:
    """Everybody whose role allows it, or to whom `logins` gives it, by log-in."""
    by_role = holders(permission, system.casino_id if system is not None else None)
    usernames = [
        login for login, permissions in (logins or {}).items() if permission in permissions
    ]
    condition = Q(pk__in=by_role.values("pk")) | Q(username__in=usernames, is_active=True)
    people = get_user_model().objects.filter(condition)
    return list(people.defer("password").order_by("username"))


def somebody_else_may(user: Any, permission: str, system: JackpotSystem) -> bool:
    """Whether anybody but this person could do it."""
    return bool(holders(permission, system.casino_id).exclude(pk=user.pk).exists())


def name_of(user: Any) -> str:
    """A person's name as it stands on pages and slips."""
    return user.get_full_name() or user.get_username()


def names_of(logins: Iterable[str]) -> dict[str, str]:
    """The names of those who are known by their log-in only; who is nobody's keeps it."""
    names = {login: login for login in logins}
    for user in get_user_model().objects.filter(username__in=names):
        names[user.get_username()] = name_of(user)
    return names
