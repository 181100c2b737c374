"""Alarms are append-only for every process, and cleared by a row that names the person.

Raising again counts on the open alarm, by a trigger. What the web process raises again keeps the
message that is there: its password alone must not be enough to write over what an alarm says.
"""

import django.db.models.deletion
from django.db import migrations, models

from tables.guards import append_only

_RAISE = """
CREATE FUNCTION alarm_counts_on() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.cleared_at IS NOT NULL THEN
        RAISE EXCEPTION 'alarm % of % comes cleared', NEW.kind, NEW.subject
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    -- Two raising at once: the second waits, and counts on.
    PERFORM pg_advisory_xact_lock(hashtext('alarm'), hashtext(NEW.kind || ' ' || NEW.subject));
    UPDATE tables_alarm
    SET count = count + NEW.count, last_at = NEW.last_at,
        message = CASE TG_ARGV[0] WHEN 'new words' THEN NEW.message ELSE message END
    WHERE kind = NEW.kind AND subject = NEW.subject AND cleared_at IS NULL;
    RETURN CASE WHEN FOUND THEN NULL ELSE NEW END;
END
$$;
CREATE TRIGGER alarm_counts_on BEFORE INSERT ON tables_alarm
    FOR EACH ROW WHEN (current_user <> 'jackpot_web')
    EXECUTE FUNCTION alarm_counts_on('new words');
CREATE TRIGGER alarm_counts_on_for_web BEFORE INSERT ON tables_alarm
    FOR EACH ROW WHEN (current_user = 'jackpot_web')
    EXECUTE FUNCTION alarm_counts_on('old words');
ALTER TABLE tables_alarm ENABLE ALWAYS TRIGGER alarm_counts_on;
ALTER TABLE tables_alarm ENABLE ALWAYS TRIGGER alarm_counts_on_for_web;
"""
_NO_RAISE = """
DROP TRIGGER alarm_counts_on ON tables_alarm;
DROP TRIGGER alarm_counts_on_for_web ON tables_alarm;
DROP FUNCTION alarm_counts_on();
"""
_CLEAR = """
CREATE FUNCTION alarm_is_cleared_by_its_act() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE tables_alarm
    SET cleared_at = NEW.at, cleared_by = NEW.cleared_by, cleared_note = NEW.note
    WHERE id = NEW.alarm_id AND cleared_at IS NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER alarm_is_cleared_by_its_act AFTER INSERT ON tables_alarmclearing
    FOR EACH ROW EXECUTE FUNCTION alarm_is_cleared_by_its_act();
ALTER TABLE tables_alarmclearing ENABLE ALWAYS TRIGGER alarm_is_cleared_by_its_act;

INSERT INTO tables_alarmclearing (alarm_id, at, cleared_by, note)
SELECT id, cleared_at, cleared_by, cleared_note FROM tables_alarm
WHERE cleared_at IS NOT NULL ORDER BY cleared_at, id;
"""
_NO_CLEAR = """
DROP TRIGGER alarm_is_cleared_by_its_act ON tables_alarmclearing;
DROP FUNCTION alarm_is_cleared_by_its_act();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0015_receipt_of_a_closed_gap")]

    operations = [
        migrations.CreateModel(
            name="AlarmClearing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("cleared_by", models.CharField(max_length=150)),
                ("note", models.TextField()),
                (
                    "alarm",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="clearing",
                        to="tables.alarm",
                    ),
                ),
            ],
        ),
        append_only("tables_alarmclearing"),
        migrations.RunSQL(_RAISE, _NO_RAISE),
        migrations.RunSQL(_CLEAR, _NO_CLEAR),
    ]
