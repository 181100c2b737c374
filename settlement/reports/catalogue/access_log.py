"""22: who came in, was refused, took reports or bundles: the security log of these days."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.people.security_log import WORDS, security_log
from settlement.reports.definition import Definition, Field, Filters


def _query(filters: Filters) -> sql.Composed:
    """What whoever asks may see of it."""
    return security_log(filters.casino, filters.days, "", "").query


REPORT = Definition(
    number=22,
    code="access-log",
    title=_("Access log"),
    question=_("Who logged in, was refused, or took reports and bundles away?"),
    columns=(
        Field("at", _("Time"), "local", note=_("By the clock of the database.")),
        Field("username", _("Log-in"), note=_("The person's log-in name.")),
        Field("person", _("Person"), note=_("The person's name.")),
        Field("what", _("What"), words=WORDS, note=_("What happened.")),
        Field("address", _("Address"), note=_("From where, as the web process saw it.")),
        Field("detail", _("Detail"), note=_("Which report, which address, which role.")),
    ),
    order="at, source, id",
    query=_query,
    compared={"person": "username"},
    rules=("19.12",),
    permission="view_accessnote",
    is_of_casino=True,
)
