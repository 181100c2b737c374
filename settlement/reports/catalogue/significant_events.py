"""14: what went wrong or was out of the ordinary: alarms, incidents, skipped entries, stops."""

from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import bind
from settlement.core.words.labels import ALARMS, ENTRIES
from settlement.core.words.translation import Labels
from settlement.models import Incident
from settlement.reports.definitions.definition import Definition, Field, Filters
from settlement.reports.definitions.sources import full_name, name_of, span, systems
from tables.models import Alarm

WORDS = Labels(
    {
        "alarm": _("Alarm"),
        "incident": _("Incident"),
        "skipped": _("Entry skipped"),
        "entry": _("Sequence no."),
    }
)
_INCIDENTS = {kind.value: str(kind.label) for kind in Incident.Kind}
KINDS = Labels({**_INCIDENTS, **ENTRIES.english, **ALARMS.english})
_TYPES = [
    *("suspend", "resume", "close_tier", "move_table", "receive_table", "reset_boots"),
    *("settle_order", "reverse_claim", "reverse_rejection"),
    *("hold_claim", "lift_hold", "dispute", "resolve_dispute"),
]
# An incident is of the day on which it was entered, so that none is added to a closed day.
# Alarms that belong to no system are of the whole house: shown where no system is chosen.
_QUERY = """
    SELECT a.raised_at AS at, s.code AS system, 'alarm' AS what, a.kind, a.subject,
           a.message AS text, NULL::text AS person, a.cleared_at AS ended_at,
           {cleared} AS ended_by, nullif(a.cleared_note, '') AS ended_note,
           NULL::bigint AS entry, NULL::text AS first_login, a.cleared_by AS second_login,
           CASE WHEN starts_with(a.subject, s.code || '/')
                THEN split_part(split_part(a.subject, '/', 2), ' ', 1) END AS table_code,
           NULL::text AS jackpot, NULL::text AS tier
    FROM tables_alarm a LEFT JOIN tables_jackpotsystem s ON s.id = a.system_id
    WHERE a.id = ANY({alarms}::bigint[])
    UNION ALL
    SELECT i.happened_at, s.code, 'incident', i.kind, g.code, i.note, {person}, e.at,
           {ended}, e.note, i.entry,
           (SELECT username FROM auth_user u WHERE u.id = i.person_id),
           (SELECT username FROM auth_user u WHERE u.id = e.person_id), g.code, NULL, NULL
    FROM settlement_incident i
    JOIN tables_jackpotsystem s ON s.id = i.system_id
    LEFT JOIN tables_gamingtable g ON g.id = i.table_id
    LEFT JOIN settlement_incidentend e ON e.incident_id = i.id
    WHERE i.system_id = ANY({systems}::bigint[])
      AND i.at >= {start} AND i.at < {end}
    UNION ALL
    SELECT k.at, s.code, 'skipped', coalesce(v.type, d.kind), NULL, k.reason, {first}, k.at,
           {second}, NULL, NULL, k.first, k.second, coalesce(vg.code, d.body ->> 'table'),
           coalesce(ht.jackpot, d.body ->> 'jackpot'), coalesce(ht.code, d.body ->> 'tier')
    FROM jackpot_setaside k
    JOIN tables_jackpotsystem s ON s.id = k.system_id
    LEFT JOIN tables_tableevent v ON v.id = k.event_id
    LEFT JOIN tables_gamingtable vg ON vg.id = v.table_id
    LEFT JOIN jackpot_command d ON (d.system_id, d.number) = (k.system_id, k.command)
    LEFT JOIN jackpot_hit h ON h.system_id = k.system_id
         AND h.number = (d.body ->> 'hit')::bigint
    LEFT JOIN jackpot_tier ht ON ht.id = h.tier_id
    WHERE k.system_id = ANY({systems}::bigint[]) AND k.at >= {start} AND k.at < {end}
    UNION ALL
    SELECT n.at, s.code, 'entry', n.type,
           coalesce(g.code, upper(s.code) || '-' || n.hit, d.body ->> 'table', d.body ->> 'tier'),
           coalesce(d.body ->> 'reason', d.body ->> 'finding'), {entered}, n.at, {agreed}, NULL,
           n.seq, d.first, d.second, coalesce(g.code, hg.code, d.body ->> 'table'),
           coalesce(ht.jackpot, d.body ->> 'jackpot'), coalesce(ht.code, d.body ->> 'tier')
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN jackpot_command d ON d.system_id = span.system_id AND d.kind = ANY({types})
    JOIN jackpot_entry n ON (n.system_id, n.command) = (d.system_id, d.number)
         AND n.seq >= span.first_seq AND n.seq < span.end_seq AND NOT n.outcome ? 'refused'
    LEFT JOIN tables_gamingtable g ON g.id = n.table_id
    LEFT JOIN jackpot_hit h ON (h.system_id, h.number) = (n.system_id, n.hit)
    LEFT JOIN tables_gamingtable hg ON hg.id = h.table_id
    LEFT JOIN jackpot_tier ht ON ht.id = h.tier_id
    UNION ALL
    SELECT n.at, s.code, 'entry', n.type, g.code, {dark} || to_char(
               k.since AT TIME ZONE c.timezone, ' YYYY-MM-DD HH24:MI:SS'), NULL, k.until, NULL,
           NULL, n.seq, NULL, NULL, g.code, NULL, NULL
    FROM {span} AS span
    JOIN tables_jackpotsystem s ON s.id = span.system_id
    JOIN tables_casino c ON c.id = s.casino_id
    JOIN tables_gamingtable g ON g.system_id = s.id
    JOIN jackpot_darkcall k ON k.table_id = g.id
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (s.id, k.entry)
         AND n.seq >= span.first_seq AND n.seq < span.end_seq
"""


def _alarms(filters: Filters) -> list[int]:
    """The alarms of these days that may be seen; those of no system where none is chosen."""
    rows = Alarm.objects.filter(raised_at__gte=filters.start, raised_at__lt=filters.end)
    own = Q(system__in=systems(filters))
    rows = rows.filter(own if filters.codes.get("system") else own | Q(system=None))
    return list(rows.values_list("pk", flat=True))


def _query(filters: Filters) -> sql.Composed:
    return bind(
        _QUERY,
        alarms=_alarms(filters),
        systems=systems(filters),
        start=filters.start,
        end=filters.end,
        span=span(filters),
        types=_TYPES,
        dark=gettext("No reading since"),
        cleared=full_name("nullif(a.cleared_by, '')"),
        person=name_of("i.person_id"),
        ended=name_of("e.person_id"),
        first=full_name("k.first"),
        second=full_name("k.second"),
        entered=full_name("d.first"),
        agreed=full_name("d.second"),
    )


REPORT = Definition(
    number=14,
    code="significant-events",
    title=_("Significant events"),
    called=_("Operations log, log of significant events, incidents and alarms"),
    question=_("What went wrong or was out of the ordinary, and who ended it?"),
    columns=(
        Field(
            "at",
            _("Time"),
            "local",
            note=_(
                "When it happened, or was raised; an incident is listed on the day of its report."
            ),
        ),
        Field("system", _("System"), note=_("Empty: of the whole house.")),
        Field("what", _("What"), words=WORDS, note=_("Where the event comes from.")),
        Field("kind", _("Kind"), words=KINDS, note=_("Which alarm, incident or decision.")),
        Field("subject", _("About"), note=_("Table, claim or prize.")),
        Field("jackpot", _("Jackpot")),
        Field("tier", _("Prize"), link="pool"),
        Field("text", _("Text"), note=_("What was noted at the time.")),
        Field("person", _("Person"), note=_("Who entered or proposed it; empty: the console.")),
        Field("ended_at", _("Ended"), "local", note=_("When it was cleared, resolved or decided.")),
        Field(
            "ended_by", _("Ended by"), note=_("Who cleared or resolved it, or the second person.")
        ),
        Field("ended_note", _("What was done"), note=_("The note of who cleared or resolved it.")),
        Field("entry", _("Sequence no."), "number", link="entry"),
    ),
    order="at, what, subject",
    query=_query,
    compared={
        "jackpot": "jackpot",
        "tier": "tier",
        "table": "table_code",
        "person": ("first_login", "second_login"),
    },
    rules=("19.20", "19.14(b)", "20.1"),
)
