"""Keys of units stand in a table of their own, which the intake alone reads.

Where a table moves to another system, its unit's key goes along.
"""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

_KEY = django.core.validators.RegexValidator(
    "\\A([0-9a-fA-F]{2}){16,64}\\Z", "Use 32 to 128 hexadecimal digits, an even number."
)
_COPY = """
INSERT INTO tables_unitkey (table_id, key)
SELECT id, mac_key FROM tables_gamingtable WHERE mac_key <> '';
SET CONSTRAINTS ALL IMMEDIATE;
"""
_BACK = """
UPDATE tables_gamingtable g SET mac_key = k.key FROM tables_unitkey k WHERE k.table_id = g.id;
SET CONSTRAINTS ALL IMMEDIATE;
"""
_ALONG = """
CREATE FUNCTION key_goes_along() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO tables_unitkey (table_id, key)
    SELECT NEW.moved_to_id, key FROM tables_unitkey WHERE table_id = NEW.id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER key_goes_along AFTER UPDATE OF moved_to_id ON tables_gamingtable
    FOR EACH ROW WHEN (NEW.moved_to_id IS NOT NULL) EXECUTE FUNCTION key_goes_along();
ALTER TABLE tables_gamingtable ENABLE ALWAYS TRIGGER key_goes_along;
"""
_STAYS = """
DROP TRIGGER key_goes_along ON tables_gamingtable;
DROP FUNCTION key_goes_along();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0016_alarms_append_only")]

    operations = [
        migrations.CreateModel(
            name="UnitKey",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="unit_key",
                        serialize=False,
                        to="tables.gamingtable",
                    ),
                ),
                ("key", models.CharField(max_length=128, validators=[_KEY])),
            ],
        ),
        migrations.RunSQL(_COPY, _BACK),
        migrations.RemoveField("gamingtable", "mac_key"),
        migrations.RunSQL(_ALONG, _STAYS),
    ]
