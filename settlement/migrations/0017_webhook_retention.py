"""Events and webhooks: taken deliveries go after a while; lower numbers that are committed later are seen."""

from typing import Any

import django.contrib.postgres.fields
from django.db import migrations, models

from tables.migration_steps import SchemaStep

# What stands there already is not told; a system that is made later is read from its beginning.
_MARKS = """
    INSERT INTO settlement_eventmark (source, system_id, through, handled)
    SELECT one.source, s.id, one.through, '{}'::bigint[]
    FROM tables_jackpotsystem s LEFT JOIN jackpot_head h ON h.system_id = s.id
    CROSS JOIN LATERAL (VALUES
        ('hits', coalesce(h.hit_number, 0)), ('entries', coalesce(h.seq, 0)),
        ('actions', coalesce((SELECT max(id) FROM settlement_action), 0))
    ) AS one (source, through)
    UNION ALL SELECT 'alarms', NULL, coalesce((SELECT max(id) FROM tables_alarm), 0), '{}'::bigint[]
    ON CONFLICT DO NOTHING
"""


def _mark(_apps: object, editor: Any) -> None:
    editor.execute(_MARKS)


class Migration(migrations.Migration):
    dependencies = [("settlement", "0016_webhook_messages")]

    operations = [
        migrations.RenameModel("WebhookMark", "EventMark"),
        SchemaStep(
            migrations.RemoveConstraint(model_name="eventmark", name="webhook_mark_once"),
            migrations.AddConstraint(
                model_name="eventmark",
                constraint=models.UniqueConstraint(
                    models.F("source"),
                    models.F("system"),
                    name="event_mark_once",
                    nulls_distinct=False,
                ),
            ),
            migrations.AddField(
                model_name="eventmark",
                name="handled",
                field=django.contrib.postgres.fields.ArrayField(
                    base_field=models.BigIntegerField(), default=list, size=None
                ),
            ),
            migrations.AddField(
                model_name="eventmark", name="seen", field=models.BigIntegerField(null=True)
            ),
            migrations.AddField(
                model_name="eventmark", name="horizon", field=models.BigIntegerField(null=True)
            ),
        ),
        migrations.RunPython(_mark, migrations.RunPython.noop),
        SchemaStep(
            migrations.AlterField(
                model_name="webhookdelivery",
                name="state",
                field=models.CharField(
                    choices=[("waiting", "Queued"), ("delivered", "Delivered"), ("dead", "Failed")],
                    default="waiting",
                    max_length=10,
                ),
            ),
            migrations.AddIndex(
                model_name="webhookdelivery",
                index=models.Index(
                    models.F("endpoint"),
                    condition=models.Q(("state", "dead")),
                    name="webhooks_given_up",
                ),
            ),
            migrations.AddIndex(
                model_name="webhookdelivery",
                index=models.Index(models.F("event"), name="webhooks_of_an_event"),
            ),
        ),
    ]
