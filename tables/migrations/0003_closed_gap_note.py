"""A person who gives up missing events says why."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_append_only")]

    operations = [
        migrations.AddField(
            model_name="closedgap",
            name="note",
            field=models.CharField(blank=True, max_length=500),
        ),
    ]
