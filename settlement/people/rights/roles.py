"""Who may do what on the console, and in which casino. A role is a group, kept with its history.

The history is what counts (`settlement.models.roles`): the database writes down who gets a
group and what a group may, and a role of one casino has its row there alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.utils.translation import gettext_noop as _

from settlement.core.words.translation import Labels
from settlement.models import RoleChange
from settlement.models.access import PROGRAM_SCOPES
from settlement.people.rights.role_holders import holders
from settlement.people.rights.scopes import SCOPES
from tables.models import Casino
from tables.visibility.rehearsals import REHEARSAL, rehearses
from tables.visibility.scope import Visible

_CACHE_ATTRIBUTE = "_roles_held"  # on the object that stands for a person
CLEARS = "clear_alarm"
ADMINISTRATOR = "Administrator"
PROGRAM = "Program"  # of programs that are nobody's, and of no person

ROLE_NAMES = Labels(
    {
        "Game supervisor": _("Game supervisor"),
        "Casino manager": _("Casino manager"),
        "Cashier": _("Cashier"),
        "Surveillance": _("Surveillance"),
        "Compliance": _("Compliance"),
        "Administrator": _("Administrator"),
        "Program": _("Program"),
    }
)
ROLES: dict[str, tuple[str, ...]] = {
    "Game supervisor": (
        "view_claim",
        "add_note",
        "add_attachment",
        "add_footage",
        "add_identification",
        "view_identification",
        "verify_claim",
        "amend_claim",
        "propose_rejection",
        "propose_aside",
        "propose_adjustment",
        "propose_reversal",
        "open_dispute",
        "propose_resolution",
        "propose_terms",
        "suspend_jackpot",
        "propose_move",
        "propose_boots",
        "rule_round",
        "credit_missed",
        "report_incident",
        "resolve_incident",
        "enter_hand",
        "propose_delegation",
        "second_delegation",
    ),
    "Casino manager": (
        "view_claim",
        "view_dashboard",
        "add_note",
        "add_attachment",
        "view_identification",
        "confirm_claim",
        "propose_rejection",
        "second_rejection",
        "clear_alarm",
        "close_gap",
        "propose_aside",
        "second_aside",
        "propose_adjustment",
        "second_adjustment",
        "propose_reversal",
        "second_reversal",
        "withhold_payment",
        "book_unclaimed",
        "propose_forfeit",
        "second_forfeit",
        "open_dispute",
        "propose_resolution",
        "second_resolution",
        "second_lift",
        "propose_order",
        "print_slip",
        "export_bundle",
        "propose_terms",
        "second_terms",
        "suspend_jackpot",
        "propose_closing",
        "second_closing",
        "propose_move",
        "second_move",
        "propose_boots",
        "second_boots",
        "rule_round",
        "credit_missed",
        "second_missed",
        "countersign_missed",
        "report_incident",
        "resolve_incident",
        "propose_delegation",
        "second_delegation",
        "take_delegation",
        "propose_day_close",
        "second_day_close",
        "explain_finding",
        "sign_finding",
        "propose_excluded",
        "propose_same_player",
        "reset_second_factor",
        "set_factor_demand",
        "view_set_up",
        "propose_set_up",
        "second_set_up",
        "manage_screens",
    ),
    "Cashier": (
        "view_claim",
        "add_note",
        "add_attachment",
        "add_identification",
        "view_identification",
        "pay_claim",
        "withhold_payment",
        "propose_forfeit",
        "open_dispute",
        "print_slip",
        "count_drop",
    ),
    "Surveillance": (
        "view_claim",
        "add_note",
        "add_attachment",
        "add_footage",
        "report_incident",
    ),
    "Compliance": (
        "view_claim",
        "view_dashboard",
        "view_identification",
        "export_reports",
        "view_accessnote",
        "open_dispute",
        "place_hold",
        "propose_lift",
        "second_lift",
        "second_order",
        "export_bundle",
        "propose_delegation",
        "second_delegation",
        "take_delegation",
        "propose_day_close",
        "second_day_close",
        "count_drop",
        "enter_balance",
        "remit_tax",
        "file_form",
        "explain_finding",
        "sign_finding",
        "view_exclusions",
        "import_exclusions",
        "propose_excluded",
        "propose_same_player",
        "second_excluded",
        "second_same_player",
        "view_set_up",
        "second_set_up",
    ),
    # Sees no claim and no amount, and agrees to nothing.
    ADMINISTRATOR: (
        "set_up_casino",
        "administer_people",
        "view_set_up",
        "propose_set_up",
        "manage_screens",
        "replay_webhooks",
    ),
}


# What a program may, by the scopes of its tokens; the role itself lets in nowhere.
_OF_PROGRAMS = dict.fromkeys(code for scope in PROGRAM_SCOPES for code in SCOPES[scope])


def install_roles() -> None:
    """Make the groups and give them exactly their permissions; safe to run again."""
    allowed = {**ROLES, PROGRAM: tuple(_OF_PROGRAMS)}
    Group.objects.bulk_create([Group(name=name) for name in allowed], ignore_conflicts=True)
    groups = Group.objects.in_bulk(allowed, field_name="name")
    permissions = dict(
        Permission.objects.filter(content_type__app_label="settlement").values_list(
            "codename", "pk"
        )
    )
    group_permissions = Group.permissions.through
    due = {
        (groups[name].pk, permissions[codename])
        for name, codenames in allowed.items()
        for codename in codenames
    }
    before = {
        (each.group_id, each.permission_id): each
        for each in group_permissions.objects.filter(group__in=groups.values())
    }
    group_permissions.objects.filter(
        pk__in=[before[pair].pk for pair in before.keys() - due]
    ).delete()
    group_permissions.objects.bulk_create(
        group_permissions(group_id=group, permission_id=permission)
        for group, permission in sorted(due - before.keys())
    )


def grant(person: Any, role: str, casino: Casino | None = None, *, by: str = "") -> None:
    """Give somebody a role, in one casino or everywhere. The database's owner alone may do so
    directly; on pages people do by functions of the database (see `people.staff.persons`)."""
    _change(person, role, casino, granted=True, by=by)


def revoke(person: Any, role: str, casino: Casino | None = None, *, by: str = "") -> None:
    """Take a role away where it was given."""
    _change(person, role, casino, granted=False, by=by)


@transaction.atomic
def _change(person: Any, role: str, casino: Casino | None, *, granted: bool, by: str) -> None:
    group = Group.objects.get(name=role)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('jackpot.given_by', %s, true)", [by])
        if casino is None:  # a trigger writes it down
            (person.groups.add if granted else person.groups.remove)(group)
        elif granted != _is_held(person, group, casino):
            cursor.execute(_WRITE, [person.pk, group.pk, casino.pk, granted])
        cursor.execute("SELECT set_config('jackpot.given_by', '', true)")
    vars(person).pop(_CACHE_ATTRIBUTE, None)


def _is_held(person: Any, group: Group, casino: Casino) -> bool:
    newest = RoleChange.objects.filter(person=person, role=group, casino=casino).last()
    return newest is not None and newest.granted


_WRITE = """
    INSERT INTO settlement_rolechange (person_id, role_id, casino_id, granted, by)
    VALUES (%s, %s, %s, %s, role_given_by())
"""


@dataclass(frozen=True)
class Held:
    """What somebody's roles allow now: code names by casino, None where they hold everywhere."""

    names: tuple[str, ...]
    allowed: Mapping[int | None, frozenset[str]]
    systems: frozenset[int] = frozenset()  # of those casinos
    all_casinos: frozenset[int] = frozenset()  # of the installation
    rehearsals: frozenset[int] = frozenset()  # among all systems of the installation

    def may(self, permission: str, casino: int | None = None) -> bool:
        """Whether one of the roles allows it; in that casino, where one is named."""
        if casino is None:
            return any(permission in each for each in self.allowed.values())
        return any(permission in self.allowed.get(each, ()) for each in (None, casino))

    def may_everywhere(self, permission: str) -> bool:
        """Whether it is allowed in every casino there is, by one role or by several."""
        if permission in self.allowed.get(None, ()):
            return True
        return bool(self.all_casinos) and all(
            permission in self.allowed.get(casino, ()) for casino in self.all_casinos
        )

    @property
    def is_everywhere(self) -> bool:
        """Whether a role holds in every casino, those that are made later too."""
        return None in self.allowed

    @property
    def visible(self) -> Visible | None:
        """The casinos where a role holds, and their systems: rehearsals alone inside a rehearsal,
        else none of them. None where one holds everywhere and nothing is left out."""
        is_inside = rehearses()
        if self.is_everywhere and not self.rehearsals and not is_inside:
            return None
        some = frozenset(casino for casino in self.allowed if casino is not None)
        casinos = None if self.is_everywhere else some
        if is_inside:
            return Visible(casinos, self.systems & self.rehearsals)
        sees_all = casinos is None or (bool(casinos) and casinos >= self.all_casinos)
        return Visible(casinos, self.systems - self.rehearsals, sees_all)


def held(user: Any) -> Held:
    """What the roles of somebody allow; asked once for each object that stands for the person."""
    rights: Held | None = getattr(user, _CACHE_ATTRIBUTE, None)
    if rights is None:
        rights = _held(user.pk)
        setattr(user, _CACHE_ATTRIBUTE, rights)
    return rights


def _held(person: int | None) -> Held:
    names: set[str] = set()
    systems: set[int] = set()
    allowed: dict[int | None, frozenset[str]] = {}
    everywhere: set[int] = set()
    rehearsals: set[int] = set()
    with connection.cursor() as cursor:
        cursor.execute(_HELD, {"person": person, "rehearsal": REHEARSAL})
        for name, casino, permissions, of_casino, casinos, rehearsed in cursor.fetchall():
            names.add(name)
            systems.update(of_casino or ())
            everywhere.update(casinos or ())
            rehearsals.update(rehearsed or ())
            allowed[casino] = allowed.get(casino, frozenset()).union(json.loads(permissions))
    return Held(
        tuple(sorted(names)),
        allowed,
        frozenset(systems),
        frozenset(everywhere),
        frozenset(rehearsals),
    )


_HELD = """
    SELECT g.name, h.casino, h.permissions,
           (SELECT array_agg(s.id) FROM tables_jackpotsystem s
            WHERE h.casino IS NULL OR s.casino_id = h.casino),
           (SELECT array_agg(c.id) FROM tables_casino c),
           (SELECT array_agg(s.id) FROM tables_jackpotsystem s
            WHERE starts_with(s.code, %(rehearsal)s))
    FROM roles_held(%(person)s) AS h
    JOIN auth_group g ON g.id = h.role
"""


def left_to_nobody() -> list[str]:
    """What somebody must put right about who has which role."""
    people = get_user_model().objects.filter(pk__in=RoleChange.objects.values("person"))
    if not people.exists() or any(held(each).may_everywhere(CLEARS) for each in holders(CLEARS)):
        return []
    return [
        "Nobody may clear alarms in every casino, so some alarms that belong to no jackpot system"
        " (such as role_password) may be seen or cleared by nobody: give somebody active the role"
        " “Casino manager” in every casino (manage.py staff_role, without --casino)."
    ]


class ByRole:
    """What `has_perm` of a person says of the console's permissions: roles alone, nothing else."""

    def authenticate(self, _request: Any) -> None:
        """Nobody logs in by it."""

    def has_perm(self, user_obj: Any, perm: str, obj: Any = None) -> bool:
        """`obj`: a system, in whose casino it must be. No other backend is asked."""
        label, _, permission = perm.partition(".")
        if label != "settlement":
            return False
        casino = obj.casino_id if obj is not None else None
        if not user_obj.is_active or not held(user_obj).may(permission, casino):
            raise PermissionDenied
        return True
