"""Rounds that are held for the pace of their presses, and what a table's pace is told by."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0026_delegations"),
        ("tables", "0014_boots_reset"),
    ]

    operations = [
        migrations.AddField(
            model_name="roundstate",
            name="accepted",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="roundstate",
            name="pace",
            field=models.SmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="tablestate",
            name="presses",
            field=models.JSONField(null=True),
        ),
        migrations.AddIndex(
            model_name="roundstate",
            index=models.Index(
                models.F("system"),
                models.F("table"),
                models.F("round"),
                condition=models.Q(
                    ("accepted", None), ("cancelled", None), ("pace__isnull", False)
                ),
                name="rounds_held",
            ),
        ),
    ]
