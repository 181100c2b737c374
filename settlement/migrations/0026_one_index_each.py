"""Indexes that are only the beginning of another one go."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0025_payout_of_its_entry"),
        ("tables", "0009_one_index_each"),
    ]

    operations = [
        migrations.AlterField(
            model_name="claim",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="claims",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="payout",
            name="claim",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="payouts",
                to="settlement.claim",
            ),
        ),
        migrations.AlterField(
            model_name="proposal",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="proposals",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="reconciliation",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reconciliations",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="table",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rulings",
                to="tables.gamingtable",
            ),
        ),
        migrations.AlterField(
            model_name="slipprint",
            name="payout",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="prints",
                to="settlement.payout",
            ),
        ),
    ]
