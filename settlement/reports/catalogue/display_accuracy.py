"""13: what displays read back, held against what they had been sent."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.closing.display_days import readings
from settlement.core.report_query import bind
from settlement.reports.definitions.definition import Definition, Field, Filters

_QUERY = """
    SELECT r.day, s.code AS system, g.code AS table_code, r.display,
           sum(r.readings)::bigint AS readings, sum(r.exact)::bigint AS exact,
           sum(r.apart)::bigint AS apart, sum(r.unknown)::bigint AS unknown,
           max(r.largest) * {minor} AS largest, max(r.slowest_ms) AS slowest_ms
    FROM ({readings}) AS r
    JOIN tables_gamingtable g ON g.id = r.table_id
    JOIN tables_jackpotsystem s ON s.id = r.system_id
    GROUP BY r.day, s.code, g.code, r.display
"""


def _query(filters: Filters) -> sql.Composed:
    """Days that are added up, and the readings behind them."""
    return bind(
        _QUERY,
        minor=10 ** (6 - filters.casino.minor_digits),
        readings=readings(filters.systems, filters.first, filters.last),
    )


REPORT = Definition(
    number=13,
    code="display-accuracy",
    title=_("Display accuracy"),
    question=_("Did each display show what it had been sent?"),
    columns=(
        Field("day", _("Gaming day"), "day"),
        Field("system", _("System")),
        Field("table_code", _("Table"), link="table"),
        Field("display", _("Display"), note=_("The screen, by the name that it gives itself.")),
        Field(
            "readings",
            _("Readings"),
            "number",
            is_summed=True,
            note=_("How often the display said what it shows; a display does every 10 seconds."),
        ),
        Field(
            "exact",
            _("As sent"),
            "number",
            is_summed=True,
            note=_("Readings with the values of the message that they name, to the last unit."),
        ),
        Field(
            "apart",
            _("Different"),
            "number",
            is_summed=True,
            note=_("Readings with another value for one prize or more."),
        ),
        Field(
            "unknown",
            _("Not comparable"),
            "number",
            is_summed=True,
            note=_("Readings that name a message, or show a prize, that was never sent."),
        ),
        Field(
            "largest",
            _("Largest difference"),
            "money",
            note=_("Between a value that was read back and the one that was sent."),
        ),
        Field(
            "slowest_ms",
            _("Slowest, ms"),
            "number",
            note=_("The longest from the display's clock to the console's."),
        ),
    ),
    is_final=True,
    order="day, system, table_code, display",
    query=_query,
    compared={"table": "table_code"},
    rules=("19.7", "19.8", "19.14(a)"),
)
