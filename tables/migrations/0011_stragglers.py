"""Events that came behind later ones of their boot have a note until they have their place."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0010_events_of_known_tables"),
    ]

    operations = [
        migrations.CreateModel(
            name="Straggler",
            fields=[
                (
                    "event",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        serialize=False,
                        to="tables.tableevent",
                    ),
                ),
                ("boot", models.BigIntegerField()),
                ("seq", models.BigIntegerField()),
                (
                    "system",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="tables.jackpotsystem",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="tables.gamingtable",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(models.F("system"), models.F("event"), name="stragglers_of_system")
                ],
            },
        ),
    ]
