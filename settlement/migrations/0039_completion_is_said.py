"""A ruling that credits a missed completion says so, as its command does."""

from django.db import migrations

_RULED = """
CREATE OR REPLACE FUNCTION what_was_ruled_is_said() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
    THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM settlement_ruling r
        WHERE r.system_id = NEW.system_id AND r.kind = NEW.kind AND r.command = NEW.number
          AND r.reason = {reason}
          AND r.note IS NOT DISTINCT FROM coalesce(NEW.body ->> 'note', NEW.body ->> 'evidence')
    ) THEN
        RAISE EXCEPTION 'acts: command % of system % says something else than % did',
            NEW.number, NEW.system_id, coalesce(NEW.second, NEW.first)
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
"""
_PLAIN = "coalesce(NEW.body ->> 'reason', '')"
_NOW = f"CASE WHEN (NEW.body -> 'completion') = 'true' THEN 'completion' ELSE {_PLAIN} END"


class Migration(migrations.Migration):
    dependencies = [("settlement", "0038_hands_while_online")]

    operations = [
        migrations.RunSQL(_RULED.format(reason=_NOW), _RULED.format(reason=_PLAIN)),
    ]
