"""What one supervisor may decide about rounds alone, in the database's own word.

How many missed rounds one person credits is the house's decision, kept here and no longer in the
environment; the day is the database's. Nobody rules on a round in which they were dealt in, known
hand or not. Commands are asked of the roles of the running processes, as in 0005.
"""

import django.db.models.deletion
from django.db import migrations, models

from tables.guards import append_only

_LIMIT = """
CREATE FUNCTION gaming_day_of(casino bigint) RETURNS date
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT local.now::date - (local.now::time < c.day_starts)::int
    FROM tables_casino c, LATERAL (SELECT now() AT TIME ZONE c.timezone AS now) AS local
    WHERE c.id = casino
$$;

CREATE FUNCTION missed_rounds_alone(casino bigint) RETURNS integer
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT coalesce((
        SELECT l.count FROM settlement_missedroundslimit l
        WHERE l.casino_id = casino ORDER BY l.id DESC LIMIT 1), 10)
$$;

CREATE FUNCTION missed_rounds_left(of_table bigint) RETURNS integer
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT greatest(0, missed_rounds_alone(s.casino_id) - coalesce((
        SELECT sum(r.count) FROM settlement_ruling r
        WHERE r.table_id = g.id AND r.day = gaming_day_of(s.casino_id)
          AND r.kind = 'missed_rounds'), 0))::int
    FROM tables_gamingtable g JOIN tables_jackpotsystem s ON s.id = g.system_id
    WHERE g.id = of_table
$$;

CREATE FUNCTION missed_rounds_have_a_limit() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    -- Two at once meet here one after the other: the limit is of both together.
    PERFORM pg_advisory_xact_lock(hashtext('missed_rounds'), NEW.table_id::int);
    SELECT gaming_day_of(s.casino_id) INTO NEW.day
    FROM tables_gamingtable g JOIN tables_jackpotsystem s ON s.id = g.system_id
    WHERE g.id = NEW.table_id;
    IF NEW.count > missed_rounds_left(NEW.table_id) THEN
        RAISE EXCEPTION 'missed_limit: table % has had what one person credits on a day',
            NEW.table_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER missed_rounds_have_a_limit BEFORE INSERT ON settlement_ruling
    FOR EACH ROW WHEN (NEW.kind = 'missed_rounds')
    EXECUTE FUNCTION missed_rounds_have_a_limit();
ALTER TABLE settlement_ruling ENABLE ALWAYS TRIGGER missed_rounds_have_a_limit;
"""
# By a claim of the round, and where none is known yet by the times of the round itself.
_OWN_ROUND = """
CREATE FUNCTION was_dealt_in_round(of_table bigint, of_round bigint, person integer)
RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM settlement_staffplay p WHERE p.person_id = person AND p.table_id = of_table
    ) AND (EXISTS (
        SELECT FROM tables_gamingtable g
        JOIN jackpot_hit h ON h.system_id = g.system_id AND h.table_id = g.id
        JOIN settlement_claim k ON (k.system_id, k.number) = (h.system_id, h.number)
        WHERE g.id = of_table AND h.round = of_round AND was_dealt_in(k.id, person)
    ) OR EXISTS (
        SELECT FROM tables_gamingtable g
        JOIN jackpot_roundstate r
          ON (r.system_id, r.table_id, r.round) = (g.system_id, g.id, of_round)
        LEFT JOIN jackpot_entry s ON (s.system_id, s.seq) = (r.system_id, r.started)
        LEFT JOIN jackpot_entry c ON (c.system_id, c.seq) = (r.system_id, r.completed)
        JOIN settlement_staffplay p ON p.table_id = g.id AND p.person_id = person
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        WHERE g.id = of_table AND p.since <= coalesce(c.at, s.at)
          AND coalesce(p.until, e.at, 'infinity') >= coalesce(s.at, c.at)
    ))
$$;

CREATE FUNCTION nobody_rules_on_an_own_round() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff_play'), NEW.person_id);
    IF was_dealt_in_round(NEW.table_id, NEW.round, NEW.person_id) THEN
        RAISE EXCEPTION 'own_hand: person % was dealt in', NEW.person_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER nobody_rules_on_an_own_round BEFORE INSERT ON settlement_ruling
    FOR EACH ROW WHEN (NEW.round IS NOT NULL) EXECUTE FUNCTION nobody_rules_on_an_own_round();
ALTER TABLE settlement_ruling ENABLE ALWAYS TRIGGER nobody_rules_on_an_own_round;

CREATE FUNCTION nobody_decides_on_an_own_round() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF EXISTS (
        SELECT FROM tables_gamingtable g
        JOIN auth_user u ON u.username IN (NEW.first, NEW.second)
        CROSS JOIN jsonb_array_elements_text(NEW.body -> 'rounds') AS named (round)
        WHERE g.system_id = NEW.system_id AND g.code = NEW.body ->> 'table'
          AND was_dealt_in_round(g.id, named.round::bigint, u.id)
    ) THEN
        RAISE EXCEPTION 'own_hand: command % of system % names somebody who was dealt in',
            NEW.number, NEW.system_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER nobody_decides_on_an_own_round AFTER INSERT ON jackpot_command
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind = 'missed_rounds' AND NEW.body ? 'rounds')
    EXECUTE FUNCTION nobody_decides_on_an_own_round();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER nobody_decides_on_an_own_round;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0027_own_hands_asked_quickly"),
        ("tables", "0009_one_index_each"),
    ]

    operations = [
        migrations.CreateModel(
            name="MissedRoundsLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("count", models.PositiveSmallIntegerField()),
                ("first", models.CharField(max_length=150)),
                ("second", models.CharField(max_length=150)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="missed_rounds_limits",
                        to="tables.casino",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("second", models.F("first")), _negated=True),
                        name="missed_limit_takes_two_people",
                    )
                ],
            },
        ),
        append_only("settlement_missedroundslimit"),
        migrations.RunSQL(
            _LIMIT,
            "DROP TRIGGER missed_rounds_have_a_limit ON settlement_ruling;"
            " DROP FUNCTION missed_rounds_have_a_limit();"
            " DROP FUNCTION missed_rounds_left(bigint);"
            " DROP FUNCTION missed_rounds_alone(bigint);"
            " DROP FUNCTION gaming_day_of(bigint);",
        ),
        migrations.RunSQL(
            _OWN_ROUND,
            "DROP TRIGGER nobody_decides_on_an_own_round ON jackpot_command;"
            " DROP FUNCTION nobody_decides_on_an_own_round();"
            " DROP TRIGGER nobody_rules_on_an_own_round ON settlement_ruling;"
            " DROP FUNCTION nobody_rules_on_an_own_round();"
            " DROP FUNCTION was_dealt_in_round(bigint, bigint, integer);",
        ),
    ]
