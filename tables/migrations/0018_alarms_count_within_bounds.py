"""No count of an alarm overflows, and what the web process raises counts once.

With the web role's password somebody could raise an alarm 2147483647 times at once: every process
that raised the same one later failed, with all that stood in its transaction.
"""

from django.db import migrations

_TEXT = """
CREATE OR REPLACE FUNCTION alarm_counts_on() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.cleared_at IS NOT NULL THEN
        RAISE EXCEPTION 'alarm %% of %% comes cleared', NEW.kind, NEW.subject
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
%s    -- Two raising at once: the second waits, and counts on.
    PERFORM pg_advisory_xact_lock(hashtext('alarm'), hashtext(NEW.kind || ' ' || NEW.subject));
    UPDATE tables_alarm
    SET count = %s, last_at = NEW.last_at,
        message = CASE TG_ARGV[0] WHEN 'new words' THEN NEW.message ELSE message END
    WHERE kind = NEW.kind AND subject = NEW.subject AND cleared_at IS NULL;
    RETURN CASE WHEN FOUND THEN NULL ELSE NEW END;
END
$$
"""
_ONE = """
    NEW.count := CASE TG_ARGV[0] WHEN 'new words' THEN greatest(NEW.count, 1) ELSE 1 END;
"""
_BOUNDED = _TEXT % (_ONE.lstrip("\n"), "least(2147483647, count::bigint + NEW.count)")
_BEFORE = _TEXT % ("", "count + NEW.count")


class Migration(migrations.Migration):
    dependencies = [("tables", "0017_unit_keys")]

    operations = [migrations.RunSQL(_BOUNDED, _BEFORE)]
