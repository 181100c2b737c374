"""Boots of the past, of which all has its place, are left out of the look at what waits."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0007_moved_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="stream",
            name="settled",
            field=models.BooleanField(db_default=False),
        ),
        migrations.AddIndex(
            model_name="stream",
            index=models.Index(
                condition=models.Q(("settled", False)), fields=["system"], name="streams_in_play"
            ),
        ),
    ]
