"""An event's table is asked for once a batch, and no index leads from a table to all its events.

The two foreign keys were asked for every event, with a lock on the row of the system and of the
table each time: more than half of what a batch costs the database. The trigger asks for each table
once, and for more: that the table is one of that system. A table with events cannot go while its
streams are there, and their keys stay.

Every question about events names the system: the index by table alone only cost, and a plan that
took it would read all that a table ever said.
"""

import django.db.models.deletion
from django.db import migrations, models

from tables.guards import pin_search_path

_GUARD = """
CREATE FUNCTION events_of_known_tables() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE unknown record;
BEGIN
    SELECT f.system_id, f.table_id INTO unknown
    FROM (SELECT DISTINCT system_id, table_id FROM fresh) AS f
    WHERE NOT EXISTS (SELECT FROM tables_gamingtable g
                      WHERE g.id = f.table_id AND g.system_id = f.system_id)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'an event of table %, which is not one of system %',
            unknown.table_id, unknown.system_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER events_of_known_tables AFTER INSERT ON tables_tableevent
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION events_of_known_tables();
ALTER TABLE tables_tableevent ENABLE ALWAYS TRIGGER events_of_known_tables;
"""
_GUARD_AWAY = """
DROP TRIGGER events_of_known_tables ON tables_tableevent;
DROP FUNCTION events_of_known_tables();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0009_one_index_each"),
    ]

    operations = [
        migrations.AlterField(
            model_name="tableevent",
            name="system",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="tableevent",
            name="table",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="events",
                to="tables.gamingtable",
            ),
        ),
        migrations.RunSQL(_GUARD, _GUARD_AWAY),
        pin_search_path("events_of_known_tables"),
    ]
