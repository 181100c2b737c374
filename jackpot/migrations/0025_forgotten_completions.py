"""Rounds whose completion is missing, and those whose unit contradicted a supervisor (19.19)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0024_boots_reset"),
    ]

    operations = [
        migrations.AddField(
            model_name="roundstate",
            name="awaits",
            field=models.BooleanField(db_default=False),
        ),
        migrations.AddField(
            model_name="roundstate",
            name="differs",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddIndex(
            model_name="roundstate",
            index=models.Index(
                models.F("system"),
                models.F("table"),
                models.F("round"),
                name="rounds_uncompleted",
                condition=models.Q(("awaits", True), ("completed", None), ("void", None)),
            ),
        ),
        migrations.AddIndex(
            model_name="roundstate",
            index=models.Index(
                models.F("system"),
                name="rounds_that_differ",
                condition=models.Q(("differs__isnull", False)),
            ),
        ),
    ]
