"""A reconciliation goes on from the books of the last one; each carries their digest."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlement", "0003_set_aside")]

    operations = [
        migrations.AddField(
            model_name="reconciliation",
            name="from_block",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="reconciliation",
            name="books_digest",
            field=models.BinaryField(null=True),
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                (
                    "system",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        serialize=False,
                        to="tables.jackpotsystem",
                    ),
                ),
                ("books", models.JSONField()),
                (
                    "reconciliation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="settlement.reconciliation",
                    ),
                ),
            ],
        ),
    ]
