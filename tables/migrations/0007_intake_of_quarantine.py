"""Each row of the quarantine says which intake kept it: with two, each hears a copy."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0006_intake_of_an_event")]

    operations = [
        migrations.AddField("quarantine", "intake", models.TextField(default="", db_default="")),
    ]
