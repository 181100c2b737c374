"""22: who did what, when, from where, on what, before and after."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.audit import trail
from settlement.audit.trail_words import AREAS
from settlement.core.report_query import bind
from settlement.reports.definitions.definition import Definition, Field, Filters

_QUERY = """
    SELECT at, part, id, person, split_part(who, ' and ', 1) AS first_login,
           split_part(who, ' and ', 2) AS second_login, who, address, words, subject, system,
           entry, CASE WHEN before = '{{}}' THEN NULL ELSE before::text END AS was,
           CASE WHEN after = '{{}}' THEN NULL ELSE after::text END AS is_now
    FROM ({whole}) AS t
"""


def _query(filters: Filters) -> sql.Composed:
    """What whoever asks may see of it."""
    question = trail.Question(areas=tuple(AREAS), start=filters.start, end=filters.end)
    return bind(_QUERY, whole=trail.query(question))


REPORT = Definition(
    number=22,
    code="audit-trail",
    title=_("Audit trail"),
    question=_("Who did what, when, from where and on what, with before and after?"),
    columns=(
        Field("at", _("Time"), "local", note=_("By the clock of the database.")),
        Field("person", _("Person"), note=_("The person's name.")),
        Field("who", _("Log-in"), note=_("The person's log-in name; two where two decided.")),
        Field("address", _("Address"), note=_("From where, as the web process saw it.")),
        Field("words", _("What"), note=_("What was done.")),
        Field("subject", _("On what"), note=_("A claim, a table, a prize, a system or a log-in.")),
        Field("system", _("System")),
        Field("entry", _("Sequence no."), "number", link="entry"),
        Field("was", _("Before"), note=_("What was changed, as it was; JSON.")),
        Field("is_now", _("After"), note=_("As it is since, or what was recorded; JSON.")),
    ),
    order="at, part, id",
    query=_query,
    compared={"system": "system", "person": ("first_login", "second_login")},
    rules=("19.12",),
    permission="view_accessnote",
    is_of_casino=True,
    is_long=True,
)
