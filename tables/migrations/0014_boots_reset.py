"""Boots that are not their unit's own: not held where they are refused, and discarded where not."""

from django.db import migrations, models

_WATERMARK = """
CREATE OR REPLACE FUNCTION watermark_covers_what_is_held() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE held int8multirange;
BEGIN
    SELECT range_agg(int8range(first, last, '[]')) INTO held FROM (
        SELECT seq, seq FROM tables_tableevent
        WHERE system_id = NEW.system_id AND table_id = NEW.table_id AND boot = NEW.boot
          AND seq > OLD.committed_seq AND seq <= NEW.last_seq
        UNION ALL
        SELECT seq, seq FROM tables_quarantine
        WHERE table_id = NEW.table_id AND boot = NEW.boot AND {held}
          AND seq > OLD.committed_seq AND seq <= NEW.last_seq
        UNION ALL
        SELECT from_seq, to_seq FROM tables_closedgap
        WHERE table_id = NEW.table_id AND boot = NEW.boot AND to_seq > OLD.committed_seq
    ) AS each (first, last);
    IF (int8range(OLD.committed_seq, NEW.committed_seq, '(]') <@ held
        AND (NEW.last_seq = OLD.last_seq OR NEW.last_seq <@ held)) IS NOT TRUE
    THEN
        RAISE EXCEPTION 'the watermark of boot % rises from %/% to %/% over what is not held',
            NEW.boot, OLD.committed_seq, OLD.last_seq, NEW.committed_seq, NEW.last_seq
            USING ERRCODE = 'integrity_constraint_violation',
                  HINT = 'Record the events, or close the gap with a note first.';
    END IF;
    RETURN NULL;
END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0013_quarantine_has_days"),
    ]

    operations = [
        migrations.AddField(
            model_name="stream",
            name="discarded",
            field=models.BooleanField(db_default=False),
        ),
        migrations.RunSQL(
            _WATERMARK.replace("{held}", "reason NOT IN ('wrong_mac', 'implausible_boot')"),
            _WATERMARK.replace("{held}", "reason <> 'wrong_mac'"),
        ),
    ]
