"""Each event says which intake recorded it: with two, one hears every event as a duplicate."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_codes_of_systems")]

    operations = [
        migrations.AddField("tableevent", "intake", models.TextField(default="", db_default="")),
    ]
