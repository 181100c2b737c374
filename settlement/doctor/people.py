"""People: whether each casino has who it needs, with the second factors that their roles need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.core.report_query import ask, bind
from settlement.doctor.examination import Point, Subject, attention, good, series, unseen, wrong
from settlement.models import EscalationPolicy
from settlement.people.factors import missing_factors
from settlement.people.rights.roles import ROLE_NAMES, left_to_nobody
from settlement.set_up.steps import LEAST_PEOPLE, OPEN, steps
from tables.models import Casino

# How many people of each casino may do what it cannot be without.
_HOLDERS = """
    SELECT c.id, allowed.permission, count(DISTINCT h.person) AS count
    FROM tables_casino c CROSS JOIN unnest({permissions}::text[]) AS allowed (permission)
    LEFT JOIN (
        SELECT u.id AS person, r.casino, r.permissions
        FROM auth_user u CROSS JOIN LATERAL roles_held(u.id) AS r
        WHERE u.is_active AND NOT EXISTS (
            SELECT FROM settlement_program p WHERE p.person_id = u.id)
    ) AS h ON (h.casino IS NULL OR h.casino = c.id)
      AND jsonb_exists(h.permissions, allowed.permission)
    GROUP BY c.id, allowed.permission
"""
_PERMISSIONS = {
    "confirm_claim": gettext_noop("casino managers"),
    "verify_claim": gettext_noop("game supervisors"),
    "pay_claim": gettext_noop("cashiers"),
}


@dataclass(frozen=True)
class People:
    """The casinos, and how many people of each may do what."""

    casinos: list[Casino]
    holders: dict[tuple[int, str], int]


def look() -> People:
    """Two queries, however many people there are."""
    rows = ask(bind(_HOLDERS, permissions=list(LEAST_PEOPLE)))
    return People(
        list(Casino.objects.order_by("name", "pk")),
        {(row["id"], row["permission"]): row["count"] for row in rows},
    )


PEOPLE = Subject("people", gettext_noop("People"), look)


@PEOPLE.check(gettext_noop("Enough people"))
def enough(facts: People) -> Point:
    if not facts.casinos:
        return unseen(_("There is no casino yet."))
    lacking = [
        f"{casino.name} ({_(_PERMISSIONS[permission])}: {count})"
        for casino in facts.casinos
        for permission, least in LEAST_PEOPLE.items()
        if (count := facts.holders.get((casino.pk, permission), 0)) < least
    ]
    if lacking:
        return wrong(
            _("Too few: %(casinos)s.") % {"casinos": series(lacking)},
            _("Invite people on the page People: two managers, a supervisor and a cashier."),
        )
    return good(_("Each casino has two managers, a supervisor and a cashier."))


@PEOPLE.check(gettext_noop("Second factors"))
def factors(_facts: People) -> Point:
    if not settings.SECOND_FACTOR_DEMANDED:
        return wrong(
            _("No role needs a second factor: SECOND_FACTOR_DEMANDED is off."),
            _("Take it out of the environment."),
        )
    lacking = missing_factors.by_role()
    if lacking:
        return attention(
            _("Without the one that their role needs: %(roles)s.")
            % {
                "roles": series(
                    [f"{ROLE_NAMES.get(name, name)}: {count}" for name, count in lacking.items()]
                )
            },
            _("They add one at their next log-in; ask them to, or lock who has left."),
        )
    return good(_("Everybody has the second factor that their role needs."))


@PEOPLE.check(gettext_noop("Escalation"))
def escalation(facts: People) -> Point:
    newest: Any = EscalationPolicy.objects.order_by("casino_id", "-id").distinct("casino_id")
    decided = dict(newest.values_list("casino_id", "levels"))
    default = ",".join(settings.ESCALATION)
    silent = [each.name for each in facts.casinos if not decided.get(each.pk, default)]
    if silent:
        return attention(
            _("Nobody is notified of waiting claims in: %(casinos)s.")
            % {"casinos": series(silent)},
            _("Propose levels on the page Rules of the house."),
        )
    return good(_("Somebody is notified of each waiting claim."))


@PEOPLE.check(gettext_noop("Alarms of the installation"), by_command=True)
def clearing(_facts: People) -> Point:
    nobody = left_to_nobody()
    if nobody:
        return attention(nobody[0], _("Assign the role in every casino to a casino manager."))
    return good(_("Every alarm can be cleared by somebody."))


@PEOPLE.check(gettext_noop("Steps before opening"), by_command=True)
def opening(facts: People) -> Point:
    lacking = []
    for casino in facts.casinos:
        way = steps(casino)
        if not all(each.is_done for each in way if each.code == OPEN):
            needed = [each for each in way if each.code != OPEN and not each.may_wait]
            labels = ", ".join(each.label for each in needed if not each.is_done)
            lacking.append(f"{casino.name} ({labels or '–'})")
    if lacking:
        return attention(
            _("Not open: %(casinos)s.") % {"casinos": series(lacking)},
            _("Finish the steps on the page Set-up, and open the casino there."),
        )
    return good(_("Each casino is open."))
