"""The second word on who played, and own hands in what people gather on a claim.

A colleague who is named as dealt in decides nothing from that moment on: for a shift, and for good
once they say so themselves or somebody else does. A word that contradicts, by somebody who neither
named them nor played at that table, lets them decide again. One person names somebody of one time
at a table once, so that no click is repeated for ever. The clock is the database's.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tables.guards import append_only

_COUNTS = """
CREATE FUNCTION play_counts(play bigint, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT p.at <= moment AND CASE
        WHEN p.said_by_id = p.person_id THEN true
        WHEN w.at <= moment THEN w.agrees
        ELSE moment < p.at + interval '8 hours' END
    FROM settlement_staffplay p LEFT JOIN settlement_staffplayword w ON w.play_id = p.id
    WHERE p.id = play
$$;
"""
_DEALT_IN = """
CREATE OR REPLACE FUNCTION was_dealt_in(
    claim bigint, person integer, said_before timestamptz DEFAULT 'infinity'
) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM settlement_staffplay p WHERE p.person_id = person) THEN
        RETURN false;
    END IF;
    RETURN (
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
        WHERE p.person_id = person AND {counts} AND p.since <= h.at
          AND coalesce(p.until, e.at, 'infinity') >= least(
              h.at, s.at, greatest(v.recorded_at, h.at - interval '1 day'))
    )
    );
END
$$;
"""
_DEALT_IN_ROUND = """
CREATE OR REPLACE FUNCTION was_dealt_in_round(of_table bigint, of_round bigint, person integer)
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
        WHERE g.id = of_table AND {counts} p.since <= coalesce(c.at, s.at)
          AND coalesce(p.until, e.at, 'infinity') >= coalesce(s.at, c.at)
    ))
$$;
"""
_BEFORE = "p.at < said_before"
_NOW = "play_counts(p.id, least(said_before, clock_timestamp()))"

_WORDS = """
CREATE FUNCTION second_word_is_somebody_elses() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    play settlement_staffplay;
BEGIN
    SELECT * INTO play FROM settlement_staffplay WHERE id = NEW.play_id;
    PERFORM pg_advisory_xact_lock(hashtext('staff_play'), play.person_id);
    NEW.at := clock_timestamp();
    IF play.said_by_id IN (play.person_id, NEW.person_id) THEN
        RAISE EXCEPTION 'second_word: play % takes the word of somebody else, or none', play.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NOT NEW.agrees AND (NEW.person_id = play.person_id OR EXISTS (
        SELECT FROM settlement_staffplay p
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        LEFT JOIN settlement_staffplayword w ON w.play_id = p.id
        LEFT JOIN settlement_staffplayend e_play ON e_play.play_id = play.id
        WHERE p.person_id = NEW.person_id AND p.table_id = play.table_id
          AND coalesce(w.agrees, true)
          AND p.since <= coalesce(play.until, e_play.at, 'infinity')
          AND coalesce(p.until, e.at, 'infinity') >= play.since
    )) THEN
        RAISE EXCEPTION 'own_hand: person % was at the table of play %', NEW.person_id, play.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER second_word_is_somebody_elses BEFORE INSERT ON settlement_staffplayword
    FOR EACH ROW EXECUTE FUNCTION second_word_is_somebody_elses();
ALTER TABLE settlement_staffplayword ENABLE ALWAYS TRIGGER second_word_is_somebody_elses;

CREATE FUNCTION nobody_is_named_twice_by_one() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff_play'), NEW.person_id);
    IF EXISTS (
        SELECT FROM settlement_staffplay p
        LEFT JOIN settlement_staffplayend e ON e.play_id = p.id
        WHERE p.person_id = NEW.person_id AND p.table_id = NEW.table_id
          AND p.said_by_id = NEW.said_by_id
          AND p.since <= coalesce(NEW.until, 'infinity')
          AND coalesce(p.until, e.at, 'infinity') >= NEW.since
    ) THEN
        RAISE EXCEPTION 'named_before: person % has named person % of that time already',
            NEW.said_by_id, NEW.person_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER nobody_is_named_twice_by_one BEFORE INSERT ON settlement_staffplay
    FOR EACH ROW WHEN (NEW.said_by_id <> NEW.person_id)
    EXECUTE FUNCTION nobody_is_named_twice_by_one();
ALTER TABLE settlement_staffplay ENABLE ALWAYS TRIGGER nobody_is_named_twice_by_one;
"""
_GATHERED = ("decktick", "footage", "note", "identification", "attachment")
_APART = "".join(
    f"""
    CREATE TRIGGER nobody_acts_on_an_own_hand BEFORE INSERT ON settlement_{table}
        FOR EACH ROW EXECUTE FUNCTION nobody_acts_on_an_own_hand();
    ALTER TABLE settlement_{table} ENABLE ALWAYS TRIGGER nobody_acts_on_an_own_hand;
    """
    for table in _GATHERED
)
_NOT_APART = "".join(
    f"DROP TRIGGER nobody_acts_on_an_own_hand ON settlement_{table};" for table in _GATHERED
)


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0030_payout_parts_not_below_zero"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="StaffPlayWord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("agrees", models.BooleanField()),
                ("note", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "play",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="word",
                        to="settlement.staffplay",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("agrees", True), models.Q(("note", ""), _negated=True), _connector="OR"
                        ),
                        name="contradiction_says_why",
                    )
                ],
            },
        ),
        append_only("settlement_staffplayword"),
        migrations.RunSQL(_COUNTS, "DROP FUNCTION play_counts(bigint, timestamptz);"),
        migrations.RunSQL(_DEALT_IN.format(counts=_NOW), _DEALT_IN.format(counts=_BEFORE)),
        migrations.RunSQL(
            _DEALT_IN_ROUND.format(counts="play_counts(p.id, clock_timestamp()) AND"),
            _DEALT_IN_ROUND.format(counts=""),
        ),
        migrations.RunSQL(
            _WORDS,
            "DROP TRIGGER second_word_is_somebody_elses ON settlement_staffplayword;"
            " DROP FUNCTION second_word_is_somebody_elses();"
            " DROP TRIGGER nobody_is_named_twice_by_one ON settlement_staffplay;"
            " DROP FUNCTION nobody_is_named_twice_by_one();",
        ),
        migrations.RunSQL(_APART, _NOT_APART),
    ]
