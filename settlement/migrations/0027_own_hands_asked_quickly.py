"""Who never played is asked of one table; the question itself is planned once a connection.

As plain SQL it was planned each time: eight milliseconds of each act, while claims were locked.
"""

from django.db import migrations

_FUNCTION = """
CREATE OR REPLACE FUNCTION was_dealt_in(
    claim bigint, person integer, said_before timestamptz DEFAULT 'infinity'
) RETURNS boolean
LANGUAGE {language} STABLE SET search_path = public, pg_temp AS $$
{body}
$$;
"""
_QUESTION = """
    SELECT EXISTS (
        SELECT FROM settlement_staffplay p
        JOIN settlement_claim k ON k.id = claim
        JOIN jackpot_hit h ON (h.system_id, h.number) = (k.system_id, k.number)
         AND h.table_id = p.table_id
        JOIN jackpot_entry n ON (n.system_id, n.seq) = (h.system_id, h.place)
        LEFT JOIN tables_tableevent v ON v.id = n.event_id
        LEFT JOIN jackpot_roundstate r
          ON (r.system_id, r.table_id, r.round) = (h.system_id, h.table_id, h.round)
        LEFT JOIN jackpot_entry s ON (s.system_id, s.seq) = (r.system_id, r.started)
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        WHERE p.person_id = person AND p.at < said_before AND p.since <= h.at
          AND coalesce(p.until, e.at, 'infinity') >= least(
              h.at, s.at, greatest(v.recorded_at, h.at - interval '1 day'))
    )
"""
_PLANNED_ONCE = f"""
BEGIN
    IF NOT EXISTS (SELECT FROM settlement_staffplay p WHERE p.person_id = person) THEN
        RETURN false;
    END IF;
    RETURN ({_QUESTION});
END
"""


class Migration(migrations.Migration):
    dependencies = [("settlement", "0026_one_index_each")]

    operations = [
        migrations.RunSQL(
            _FUNCTION.format(language="plpgsql", body=_PLANNED_ONCE),
            _FUNCTION.format(language="sql", body=_QUESTION),
        ),
    ]
