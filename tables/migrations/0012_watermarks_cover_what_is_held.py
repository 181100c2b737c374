"""A watermark rises only over what is held: a unit forgets what it covers.

Whoever moves it over nothing has events dropped that the console never had. So does a gap that is
closed above all that was heard: intake goes past it later. The intake's role is not asked of its
watermarks: it writes what is held, in the same transaction, for every stream of every batch.
"""

from django.db import migrations
from django.db.models import CheckConstraint, F, Q

_WATERMARK = """
CREATE FUNCTION watermark_covers_what_is_held() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE held int8multirange;
BEGIN
    SELECT range_agg(int8range(first, last, '[]')) INTO held FROM (
        SELECT seq, seq FROM tables_tableevent
        WHERE system_id = NEW.system_id AND table_id = NEW.table_id AND boot = NEW.boot
          AND seq > OLD.committed_seq AND seq <= NEW.last_seq
        UNION ALL
        SELECT seq, seq FROM tables_quarantine
        WHERE table_id = NEW.table_id AND boot = NEW.boot AND reason <> 'wrong_mac'
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
CREATE TRIGGER watermark_covers_what_is_held AFTER UPDATE ON tables_stream FOR EACH ROW
    WHEN ((NEW.committed_seq > OLD.committed_seq OR NEW.last_seq > OLD.last_seq)
          AND current_user <> 'jackpot_intake')
    EXECUTE FUNCTION watermark_covers_what_is_held();
ALTER TABLE tables_stream ENABLE ALWAYS TRIGGER watermark_covers_what_is_held;

CREATE FUNCTION watermark_opens_at_zero() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'the watermark of boot % opens at %/%, not at zero',
        NEW.boot, NEW.committed_seq, NEW.last_seq
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER watermark_opens_at_zero BEFORE INSERT ON tables_stream FOR EACH ROW
    WHEN ((NEW.committed_seq, NEW.last_seq) <> (0, 0))
    EXECUTE FUNCTION watermark_opens_at_zero();
ALTER TABLE tables_stream ENABLE ALWAYS TRIGGER watermark_opens_at_zero;
"""
_WATERMARK_AWAY = """
DROP TRIGGER watermark_opens_at_zero ON tables_stream;
DROP FUNCTION watermark_opens_at_zero();
DROP TRIGGER watermark_covers_what_is_held ON tables_stream;
DROP FUNCTION watermark_covers_what_is_held();
"""

_GAP = """
CREATE FUNCTION gap_lies_below_what_is_held() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM tables_stream
        WHERE system_id = NEW.system_id AND table_id = NEW.table_id AND boot = NEW.boot
          AND last_seq > NEW.to_seq
    ) AND NOT EXISTS (
        SELECT FROM tables_tableevent
        WHERE system_id = NEW.system_id AND table_id = NEW.table_id AND boot = NEW.boot
          AND seq > NEW.to_seq
    ) THEN
        RAISE EXCEPTION 'no gap of boot % ends at %: nothing is held above it',
            NEW.boot, NEW.to_seq USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER gap_lies_below_what_is_held BEFORE INSERT ON tables_closedgap
    FOR EACH ROW EXECUTE FUNCTION gap_lies_below_what_is_held();
ALTER TABLE tables_closedgap ENABLE ALWAYS TRIGGER gap_lies_below_what_is_held;
"""
_GAP_AWAY = """
DROP TRIGGER gap_lies_below_what_is_held ON tables_closedgap;
DROP FUNCTION gap_lies_below_what_is_held();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0011_stragglers")]

    operations = [
        migrations.AddConstraint(
            "closedgap",
            CheckConstraint(
                condition=Q(boot__gte=1, from_seq__gte=1, to_seq__gte=F("from_seq")),
                name="closed_gap_order",
            ),
        ),
        migrations.RunSQL(_WATERMARK, _WATERMARK_AWAY),
        migrations.RunSQL(_GAP, _GAP_AWAY),
    ]
