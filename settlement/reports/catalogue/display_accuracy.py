"""13: what displays read back, held against what they had been sent."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.reports.definition import Definition, Field, Filters
from settlement.reports.sources import day_of, systems

# A reading names the entry of the message it shows; the message of that entry has the values sent.
_QUERY = """
    SELECT day, system, table_code, display, count(*) AS readings,
           count(*) FILTER (WHERE tiers > 0 AND apart = 0) AS exact,
           count(*) FILTER (WHERE apart > 0) AS apart,
           count(*) FILTER (WHERE tiers IS NULL OR tiers = 0) AS unknown,
           max(apart) * {minor} AS largest, max(slow) AS slowest_ms
    FROM (
        SELECT {day} AS day, s.code AS system, g.code AS table_code, r.display, held.tiers,
               held.apart,
               (extract(epoch FROM r.received_at - r.said_at) * 1000)::bigint AS slow
        FROM tables_displayreading r
        JOIN tables_gamingtable g ON g.id = r.table_id
        JOIN tables_jackpotsystem s ON s.id = g.system_id
        JOIN tables_casino c ON c.id = s.casino_id
        LEFT JOIN LATERAL (
            SELECT count(*) AS tiers,
                   max(abs((t ->> 'value')::bigint - (r.shown ->> (t ->> 'tier'))::bigint)) AS apart
            FROM (SELECT m.payload FROM jackpot_displaymessage m
                  WHERE m.system_id = s.id AND m.system_seq = r.system_seq
                  ORDER BY m.id DESC LIMIT 1) AS m,
                 jsonb_array_elements(m.payload -> 'tiers') AS t
            WHERE r.shown ? (t ->> 'tier')
        ) AS held ON true
        WHERE s.id = ANY({systems}::bigint[])
          AND r.received_at >= {start} AND r.received_at < {end}
    ) AS compared
    GROUP BY day, system, table_code, display
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(
        _QUERY,
        minor=10 ** (6 - filters.casino.minor_digits),
        day=day_of("r.received_at"),
        systems=systems(filters),
        start=filters.start,
        end=filters.end,
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
    order="day, system, table_code, display",
    query=_query,
    compared={"table": "table_code"},
    rules=("19.7", "19.8", "19.14(a)"),
)
