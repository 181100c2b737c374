"""How far a person is in the guided tour."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlement", "0028_jurisdiction_of_a_casino")]

    operations = [
        migrations.AddField(
            model_name="preference",
            name="tour",
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
