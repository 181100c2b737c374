"""What the order went past is found by notes of stragglers, and an event's gap by its stream.

Late events that wait at this moment get the notes that intake leaves from now on. Those that the
order has not gone past need none: a writer that looks now takes them in their own order.
"""

import django.db.models.deletion
from django.db import migrations, models

_WAITING = """
    INSERT INTO tables_straggler (event_id, system_id, table_id, boot, seq)
    SELECT e.id, e.system_id, e.table_id, e.boot, e.seq
    FROM jackpot_gap gap
    CROSS JOIN LATERAL (
        SELECT * FROM tables_tableevent e
        WHERE e.system_id = gap.system_id AND e.table_id = gap.table_id AND e.boot = gap.boot
          AND e.seq BETWEEN gap.from_seq AND gap.to_seq
          AND (SELECT n.seq FROM jackpot_entry n WHERE n.event_id = e.id LIMIT 1) IS NULL
        OFFSET 0
    ) e
    WHERE gap.arrived < gap.to_seq - gap.from_seq + 1
    ON CONFLICT DO NOTHING
"""


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0021_checks_of_a_batch_read_the_batch"),
        ("tables", "0011_stragglers"),
    ]

    operations = [
        migrations.AlterField(
            model_name="gap",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="gaps",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="gap",
            name="table",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                to="tables.gamingtable",
            ),
        ),
        migrations.AddIndex(
            model_name="gap",
            index=models.Index(
                models.F("system"),
                models.F("table"),
                models.F("boot"),
                models.F("to_seq"),
                name="gaps_of_stream",
            ),
        ),
        migrations.RunSQL(_WAITING, migrations.RunSQL.noop),
    ]
