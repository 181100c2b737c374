"""A ruling on a void round names the misdeal, and the command behind it says the same."""

from django.db import migrations, models

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
          AND r.reason = CASE WHEN (NEW.body -> 'completion') = 'true' THEN 'completion'
                              ELSE coalesce(NEW.body ->> 'reason', '') END
          AND r.note IS NOT DISTINCT FROM coalesce(NEW.body ->> 'note', NEW.body ->> 'evidence')
          {misdeal}
    ) THEN
        RAISE EXCEPTION 'acts: command % of system % says something else than % did',
            NEW.number, NEW.system_id, coalesce(NEW.second, NEW.first)
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;
"""
_NOW = _RULED.format(misdeal="AND r.misdeal = coalesce(NEW.body ->> 'misdeal', '')")
_BEFORE = _RULED.format(misdeal="")


class Migration(migrations.Migration):
    dependencies = [("settlement", "0041_records")]

    operations = [
        migrations.AddField(
            model_name="ruling",
            name="misdeal",
            field=models.CharField(blank=True, default="", max_length=40),
            preserve_default=False,
        ),
        migrations.RunSQL(_NOW, _BEFORE),
    ]
