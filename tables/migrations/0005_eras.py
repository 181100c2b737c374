"""Who began an era after a restore from a backup, when and why; never rewritten."""

import django.db.models.deletion
from django.db import migrations, models

from tables.guards import append_only


class Migration(migrations.Migration):
    dependencies = [("tables", "0004_repeated_event")]

    operations = [
        migrations.CreateModel(
            name="EraBegun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("era", models.PositiveIntegerField()),
                ("begun_at", models.DateTimeField()),
                ("begun_by", models.CharField(max_length=150)),
                ("reason", models.CharField(max_length=500)),
                ("known", models.JSONField()),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="eras",
                        to="tables.jackpotsystem",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint("system", "era", name="era_begun_once")],
            },
        ),
        append_only("tables_erabegun"),
    ]
