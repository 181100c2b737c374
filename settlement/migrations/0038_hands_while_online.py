"""A hand that is entered while its table's unit is heard takes a second person, at the same screen.

Alone one supervisor enters it only while the unit is offline or silent. The second one countersigns
the ruling; neither plays at the table. What the command says of the unit is what the database
knows of it. Asked of the roles of the running processes, as in 0005.
"""

from django.db import migrations

_COUNTERSIGNED = """
CREATE OR REPLACE FUNCTION countersigned_by_another() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_ruling r
        JOIN auth_user other ON other.id = NEW.person_id AND other.is_active
        WHERE r.id = NEW.ruling_id AND r.kind IN ({kinds}) AND r.person_id <> other.id
    ) THEN
        RAISE EXCEPTION 'two_people: person % may not countersign ruling %',
            NEW.person_id, NEW.ruling_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
"""
_ENTERED = """
CREATE OR REPLACE FUNCTION entered_hand_has_its_ruling() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
{declare}BEGIN
    IF pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_ruling r
        JOIN tables_gamingtable g ON g.id = r.table_id
        JOIN auth_user u ON u.id = r.person_id
        {signed}WHERE r.system_id = NEW.system_id AND r.kind = NEW.kind AND r.command = NEW.number
          AND u.username = NEW.first AND g.code = NEW.body ->> 'table'
          AND to_jsonb(r.round) IS NOT DISTINCT FROM nullif(NEW.body -> 'round', 'null'::jsonb)
          {second}
    ) THEN
        RAISE EXCEPTION 'acts: behind command % of system % stands no ruling of %',
            NEW.number, NEW.system_id, NEW.first
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Enter hands by settlement/entered.py.';
    END IF;
    IF EXISTS (
        SELECT FROM settlement_staffplay p
        JOIN auth_user u ON u.id = p.person_id
        JOIN tables_gamingtable g ON g.id = p.table_id
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        WHERE u.username {people} AND g.system_id = NEW.system_id
          AND g.code = NEW.body ->> 'table' AND coalesce(p.until, e.at) IS NULL
          {counts}
    ) THEN
        RAISE EXCEPTION 'own_hand: % plays at the table of command % of system %',
            NEW.first, NEW.number, NEW.system_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    {heard}RETURN NULL;
END
$$;
"""
_HEARD = """SELECT p.online AND p.heard_at >= clock_timestamp() - interval '30 seconds' INTO heard
    FROM tables_gamingtable g JOIN tables_unitpresence p ON p.table_id = g.id
    WHERE g.system_id = NEW.system_id AND g.code = NEW.body ->> 'table';
    IF heard AND (NEW.second IS NULL OR NEW.body ->> 'unit' IS DISTINCT FROM 'online') THEN
        RAISE EXCEPTION 'unit_online: command % of system % enters a hand of a unit that is heard',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation',
            HINT = 'A second person countersigns it.';
    END IF;
    """
_BY_TWO = _ENTERED.format(
    declare="DECLARE\n    heard boolean;\n",
    signed="""LEFT JOIN settlement_countersignature c ON c.ruling_id = r.id
        LEFT JOIN auth_user o ON o.id = c.person_id
        """,
    second="AND o.username IS NOT DISTINCT FROM NEW.second",
    people="IN (NEW.first, NEW.second)",
    counts="AND play_counts(p.id, clock_timestamp())",
    heard=_HEARD,
)
_BY_ONE = _ENTERED.format(
    declare="", signed="", second="", people="= NEW.first", counts="", heard=""
)


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0037_terms_typed_again"),
        ("tables", "0010_events_of_known_tables"),
    ]

    operations = [
        migrations.RunSQL(
            _COUNTERSIGNED.format(kinds="'missed_rounds', 'enter_hand'"),
            _COUNTERSIGNED.format(kinds="'missed_rounds'"),
        ),
        migrations.RunSQL(_BY_TWO, _BY_ONE),
    ]
