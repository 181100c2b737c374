"""19: who has which role, since when, and who gave it."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.core.words.translation import Labels
from settlement.reports.definitions.definition import Definition, Field, Filters
from settlement.reports.definitions.sources import name_of

_QUERY = """
    SELECT r.at, u.username AS login, {name} AS person, coalesce(g.name, '') AS role,
           coalesce(c.code, '*') AS casino, CASE WHEN r.granted THEN 'granted' ELSE 'revoked' END
               AS what, r.by AS given_by, NOT EXISTS (
               SELECT FROM settlement_rolechange later
               WHERE later.id > r.id AND later.person_id = r.person_id
                 AND later.role_id IS NOT DISTINCT FROM r.role_id
                 AND later.casino_id IS NOT DISTINCT FROM r.casino_id
                 AND later.at < {end}) AND r.granted AS holds
    FROM settlement_rolechange r
    JOIN auth_user u ON u.id = r.person_id
    LEFT JOIN (SELECT DISTINCT ON (role_id) role_id, id FROM settlement_rolepermissions
               ORDER BY role_id, id DESC) AS p ON p.role_id = r.role_id
    LEFT JOIN auth_group g ON g.id = r.role_id
    LEFT JOIN tables_casino c ON c.id = r.casino_id
    WHERE r.at < {end} AND (r.casino_id IS NULL OR r.casino_id = {casino})
"""
WORDS = Labels({"granted": _("Given"), "revoked": _("Removed")})
ANSWERS = Labels({"yes": _("Yes"), "no": _("No")})
_ROWS = "SELECT a.*, CASE WHEN holds THEN 'yes' ELSE 'no' END AS in_force FROM ({whole}) AS a"


def _query(filters: Filters) -> sql.Composed:
    query = bind(_QUERY, name=name_of("r.person_id"), end=filters.end, casino=filters.casino.pk)
    return bind(_ROWS, whole=query)


REPORT = Definition(
    number=19,
    code="people-and-roles",
    title=_("People and roles"),
    question=_("Who was given which role, where, by whom, and which of them were in force then?"),
    columns=(
        Field("at", _("Time"), "local", note=_("When the role was given or taken away.")),
        Field("login", _("Log-in"), note=_("The person's log-in name.")),
        Field("person", _("Person"), note=_("The person's name.")),
        Field("role", _("Role"), note=_("What it allows: Operations, people and roles.")),
        Field("casino", _("Casino"), note=_("Where it holds; * is every casino.")),
        Field("what", _("What"), words=WORDS, note=_("Whether it was given or taken away.")),
        Field("given_by", _("By"), note=_("Who did it, as the owner of the database said.")),
        Field(
            "in_force", _("In force at the end"), words=ANSWERS, note=_("When the last day ended.")
        ),
    ),
    order="at, login, role",
    query=_query,
    compared={"person": ("login", "given_by")},
    is_of_casino=True,
    rules=("19.12", "NJ 13:69F-14.19"),
)
