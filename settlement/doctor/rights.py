"""Rights and guards of the database: as settlement/database_roles and the SQL files have them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.audit import file_keys
from settlement.core import signing
from settlement.core.errors import WrongState
from settlement.database_roles import grants, in_force, limits, server_functions
from settlement.database_roles import passwords as role_passwords
from settlement.doctor.examination import Point, Subject, attention, good, series, wrong


@dataclass(frozen=True)
class Roles:
    """The roles of the processes that the server knows, by their full names, and those it lacks."""

    present: tuple[str, ...]
    missing: tuple[str, ...]


def look() -> Roles:
    names = [grants.PREFIX + role for role in grants.ROLES]
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolname FROM pg_roles WHERE rolname = ANY(%s)", [names])
        present = {name for (name,) in cursor.fetchall()}
    return Roles(tuple(sorted(present)), tuple(sorted(set(names) - present)))


RIGHTS = Subject("rights", gettext_noop("Rights and guards"), look)
_GRANT = gettext_noop("Run manage.py grant_roles as the owner of the database.")
_ROLES_SCRIPT = gettext_noop("Let the database's administrator run deploy/roles.sh again.")


@RIGHTS.check(gettext_noop("Database roles"))
def roles(facts: Roles) -> Point:
    if facts.missing:
        return wrong(_("Missing: %(names)s.") % {"names": series(facts.missing)}, _(_GRANT))
    return good(_("Each process has a role of its own."))


@RIGHTS.check(gettext_noop("Limits of the roles"))
def role_limits(facts: Roles) -> Point:
    differ = []
    with connection.cursor() as cursor:
        for name in facts.present:
            due = limits.LIMITS[name.removeprefix(grants.PREFIX)]
            connections, settings = limits.held(cursor, name)
            if connections != due.connections or not due.settings.items() <= settings.items():
                differ.append(name)
    if differ:
        return wrong(
            _("Not the limits of this version: %(names)s.") % {"names": series(differ)},
            _(_ROLES_SCRIPT),
        )
    return good(_("Connections and time limits of each role are those of this version."))


@RIGHTS.check(gettext_noop("Rights of the roles"), by_owner=True)
def rights(facts: Roles) -> Point:
    if facts.missing:
        return wrong(_("Missing: %(names)s.") % {"names": series(facts.missing)}, _(_GRANT))
    differing = in_force.differing_rights()
    if differing:
        return wrong(
            _("Too many (+) or too few (-): %(rights)s.") % {"rights": series(differing)}, _(_GRANT)
        )
    return good(_("Each role has exactly the rights of this version."))


@RIGHTS.check(gettext_noop("Roles with too many rights"), by_owner=True)
def strong_roles(_facts: Roles) -> Point:
    strong = in_force.strong_roles()
    if strong:
        return wrong(
            _("A role of a process owns something, or is more than a log-in: %(names)s.")
            % {"names": series(strong)},
            _("Take ownership, memberships and attributes away, and find out who gave them."),
        )
    return good(_("No role of a process owns a table or is more than a log-in."))


@RIGHTS.check(gettext_noop("Functions of the server"), by_owner=True)
def free_functions(_facts: Roles) -> Point:
    with connection.cursor() as cursor:
        free = server_functions.free(cursor)
    if free:
        return wrong(
            _("Open to every role: %(names)s.") % {"names": series(free)}, _(_ROLES_SCRIPT)
        )
    return good(_("Large objects, ending sessions and locks are not open to every role."))


@RIGHTS.check(gettext_noop("Keys of files"))
def file_key(_facts: Roles) -> Point:
    """Whether the key that is set here is the one that the owner wrote down last."""
    try:
        if signing.public_key():
            file_keys.signer()
    except WrongState as fault:
        return wrong(
            str(fault),
            _("Set the right key in each process, then run manage.py file_key begin as the owner."),
        )
    return good(_("No other key is set in this process than the one that signs."))


@RIGHTS.check(gettext_noop("Guards"), by_owner=True)
def guards(_facts: Roles) -> Point:
    differing = in_force.differing_guards()
    if differing:
        return wrong(
            _("%(count)d differ: %(names)s.")
            % {"count": len(differing), "names": series(differing)},
            _(
                "Find out who changed them, run python -m verifier, and create them again with "
                "migrate."
            ),
        )
    return good(
        _("%(triggers)d triggers and %(functions)d functions are present, on, and this version's.")
        % {
            "triggers": len(in_force.guards().triggers),
            "functions": len(in_force.guards().functions),
        }
    )


@RIGHTS.check(gettext_noop("Passwords and settings of the roles"), by_owner=True)
def role_marks(_facts: Roles) -> Point:
    is_watched, changed = role_passwords.changes()
    if changed:
        return wrong(
            _("Changed since grant_roles wrote them down: %(names)s.") % {"names": series(changed)},
            _(
                "If it was you: grant_roles --passwords-are-ours. If not: run deploy/roles.sh"
                " first."
            ),
        )
    if not is_watched:
        return attention(
            _("A role that sets its own password would go unnoticed."), _(_ROLES_SCRIPT)
        )
    return good(_("They are as grant_roles wrote them down."))
