"""14: what went wrong or was out of the ordinary: alarms, incidents, skipped entries, stops."""

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.labels import ENTRIES
from settlement.core.report_query import bind
from settlement.core.translation import Labels
from settlement.reports.definition import Definition, Field, Filters
from settlement.reports.sources import name_of, named, span, systems

WORDS = Labels(
    {
        "alarm": _("Alarm"),
        "incident": _("Incident"),
        "skipped": _("Entry skipped"),
        "entry": _("Entry of the order"),
    }
)
_TYPES = [
    *("suspend", "resume", "close_tier", "move_table", "receive_table", "reset_boots"),
    *("settle_order", "reverse_claim", "reverse_rejection"),
    *("hold_claim", "lift_hold", "dispute", "resolve_dispute"),
]
_QUERY = """
    SELECT a.raised_at AS at, s.code AS system, 'alarm' AS what, a.kind, a.subject,
           a.message AS text, NULL::text AS person, a.cleared_at AS ended_at,
           {cleared} AS ended_by, NULL::bigint AS entry, NULL::text AS first_login,
           a.cleared_by AS second_login
    FROM tables_alarm a LEFT JOIN tables_jackpotsystem s ON s.id = a.system_id
    WHERE a.system_id = ANY({systems}::bigint[]) AND a.raised_at >= {start} AND a.raised_at < {end}
    UNION ALL
    SELECT i.happened_at, s.code, 'incident', i.kind, g.code, i.note, {person}, e.at,
           {ended}, i.entry, (SELECT username FROM auth_user u WHERE u.id = i.person_id),
           (SELECT username FROM auth_user u WHERE u.id = e.person_id)
    FROM settlement_incident i
    JOIN tables_jackpotsystem s ON s.id = i.system_id
    LEFT JOIN tables_gamingtable g ON g.id = i.table_id
    LEFT JOIN settlement_incidentend e ON e.incident_id = i.id
    WHERE i.system_id = ANY({systems}::bigint[])
      AND i.happened_at >= {start} AND i.happened_at < {end}
    UNION ALL
    SELECT k.at, s.code, 'skipped', coalesce(v.type, d.kind), NULL, k.reason, {first}, k.at,
           {second}, NULL, k.first, k.second
    FROM jackpot_setaside k
    JOIN tables_jackpotsystem s ON s.id = k.system_id
    LEFT JOIN tables_tableevent v ON v.id = k.event_id
    LEFT JOIN jackpot_command d ON (d.system_id, d.number) = (k.system_id, k.command)
    WHERE k.system_id = ANY({systems}::bigint[]) AND k.at >= {start} AND k.at < {end}
    UNION ALL
    SELECT n.at, s.code, 'entry', n.type,
           coalesce(g.code, upper(s.code) || '-' || n.hit, d.body ->> 'tier'),
           d.body ->> 'reason', {entered}, n.at, {agreed}, n.seq,
           d.first, d.second
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_command d ON d.system_id = span.system_id AND d.kind = ANY({types})
    JOIN jackpot_entry n ON (n.system_id, n.command) = (d.system_id, d.number)
         AND n.seq >= span.first_seq AND n.seq < span.end_seq AND NOT n.outcome ? 'refused'
    LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    UNION ALL
    SELECT n.at, s.code, 'entry', n.type, g.code, NULL, NULL, k.until, NULL, n.seq,
           NULL, NULL
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN tables_gamingtable g ON g.system_id = s.id
    JOIN jackpot_darkcall k ON k.table_id = g.id
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (s.id, k.entry)
         AND n.seq >= span.first_seq AND n.seq < span.end_seq
"""


def _query(filters: Filters) -> sql.Composed:
    return bind(
        _QUERY,
        systems=systems(filters),
        start=filters.start,
        end=filters.end,
        span=span(filters),
        types=_TYPES,
        cleared=named("nullif(a.cleared_by, '')"),
        person=name_of("i.person_id"),
        ended=name_of("e.person_id"),
        first=named("k.first"),
        second=named("k.second"),
        entered=named("d.first"),
        agreed=named("d.second"),
    )


REPORT = Definition(
    number=14,
    code="significant-events",
    title=_("Significant events"),
    question=_("What went wrong or was out of the ordinary, and who ended it?"),
    columns=(
        Field("at", _("Time"), "local"),
        Field("system", _("System")),
        Field("what", _("What"), words=WORDS),
        Field("kind", _("Kind"), words=ENTRIES),
        Field("subject", _("About")),
        Field("text", _("Text")),
        Field("person", _("Person")),
        Field("ended_at", _("Ended"), "local"),
        Field("ended_by", _("Second person, or ended by")),
        Field("entry", _("Entry"), "number"),
    ),
    order="at, what, subject",
    query=_query,
    compared={"person": ("first_login", "second_login")},
)
