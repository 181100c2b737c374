"""How many codes of an app were wrong beside the right password."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("settlement", "0009_attempts_without_forms")]

    operations = [
        migrations.AddField(
            model_name="secondfactor",
            name="wrong",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
