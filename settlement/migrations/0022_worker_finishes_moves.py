"""The worker finishes moves: of all commands it queues that a table came, and nothing else."""

from django.db import migrations

_GUARD = """
CREATE FUNCTION worker_decides_nothing() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF current_user = 'jackpot_worker' THEN
        RAISE EXCEPTION 'acts: the worker queues no %: people decide', NEW.kind
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER worker_decides_nothing BEFORE INSERT ON jackpot_command
    FOR EACH ROW WHEN (NEW.kind IS DISTINCT FROM 'receive_table')
    EXECUTE FUNCTION worker_decides_nothing();
ALTER TABLE jackpot_command ENABLE ALWAYS TRIGGER worker_decides_nothing;
"""
_AWAY = """
DROP TRIGGER worker_decides_nothing ON jackpot_command;
DROP FUNCTION worker_decides_nothing();
"""


class Migration(migrations.Migration):
    dependencies = [("settlement", "0021_entered_hands")]

    operations = [migrations.RunSQL(_GUARD, _AWAY)]
