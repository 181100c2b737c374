"""Indexes that are only the beginning of another one go."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0008_settled_streams"),
    ]

    operations = [
        migrations.AlterField(
            model_name="closedgap",
            name="table",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, to="tables.gamingtable"
            ),
        ),
        migrations.AlterField(
            model_name="displayreading",
            name="table",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="readings",
                to="tables.gamingtable",
            ),
        ),
        migrations.AlterField(
            model_name="erabegun",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="eras",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="gamingtable",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tables",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="quarantine",
            name="table",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                to="tables.gamingtable",
            ),
        ),
        migrations.AlterField(
            model_name="stream",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                to="tables.jackpotsystem",
            ),
        ),
    ]
