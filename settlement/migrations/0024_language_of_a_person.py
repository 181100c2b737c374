"""The language that a person reads the console in."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlement", "0023_notifications")]

    operations = [
        migrations.AddField(
            model_name="preference",
            name="language",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
    ]
