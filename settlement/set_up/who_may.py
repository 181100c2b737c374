"""Who may do what: every permission of a role in words, made from what the database holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import Group, Permission
from django.utils.translation import gettext

from settlement.people.rights.roles import ROLE_NAMES, ROLES


@dataclass(frozen=True)
class PermissionRow:
    """One permission, and which of the roles have it, in their order."""

    words: str
    roles: Sequence[bool]


def role_names() -> list[str]:
    """The roles in their order, in the language of now."""
    return [ROLE_NAMES[role] for role in ROLES]


def permission_rows() -> list[PermissionRow]:
    """What somebody may, in the order of the roles that may it first."""
    groups = Group.objects.filter(name__in=ROLES).prefetch_related("permissions")
    held = {group.name: {each.codename for each in group.permissions.all()} for group in groups}
    order = list(dict.fromkeys(code for codes in ROLES.values() for code in codes))
    words = dict(
        Permission.objects.filter(content_type__app_label="settlement").values_list(
            "codename", "name"
        )
    )
    everything = sorted(set().union(*held.values()), key=lambda code: _place(order, code))
    return [
        PermissionRow(gettext(words[code]), [code in held.get(role, ()) for role in ROLES])
        for code in everything
    ]


def _place(order: list[str], code: str) -> int:
    return order.index(code) if code in order else len(order)
