"""Indexes that are only the beginning of another one go."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0017_clocks_of_hands"),
        ("tables", "0009_one_index_each"),
    ]

    operations = [
        migrations.AlterField(
            model_name="account",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="accounts",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="displaymessage",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="display_messages",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="hit",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="hits",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="hit",
            name="tier",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                to="jackpot.tier",
            ),
        ),
        migrations.AlterField(
            model_name="setaside",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="set_aside",
                to="tables.jackpotsystem",
            ),
        ),
        migrations.AlterField(
            model_name="tier",
            name="system",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tiers",
                to="tables.jackpotsystem",
            ),
        ),
    ]
